"""Train the crossing finder: `python -m models.crossings.train --scenes DIR... --out DIR`.

Stop it and start it again at will: it goes on from its checkpoint.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, Sampler

from models.train_labels import photos, scenes
from models.train_loop import Schedule, fit, start_from

from .train_data import Canvases
from .train_network import CrossingFinder

BENT = ("soon-jynn-chu/checkers-piece-detection",)
"""Photos whose labels a strong lens leaves up to a third of a square off."""


class MixedBatches(Sampler[list[int]]):
    """Endless batches in which each source has its share."""

    def __init__(self, shares: list[tuple[range, float]], batch: int, seed: int) -> None:
        self.shares = [(indices, share) for indices, share in shares if len(indices)]
        self.batch, self.random = batch, random.Random(seed)

    def __iter__(self) -> Iterator[list[int]]:
        pools, weights = zip(*self.shares, strict=True)
        while True:
            yield [
                self.random.choice(pool)
                for pool in self.random.choices(pools, weights, k=self.batch)
            ]


def loss_of(logits: Tensor, truth: tuple[Tensor, ...]) -> Tensor:
    """Return the quality focal loss of the heat maps plus the cross entropy of the area."""
    (targets,) = truth
    heat, wanted = logits[:, :2], targets[:, :2]
    entropy = functional.binary_cross_entropy_with_logits(heat, wanted, reduction="none")
    focus = (torch.sigmoid(heat) - wanted).abs() ** 2
    blobs = entropy * focus
    area = functional.binary_cross_entropy_with_logits(logits[:, 2], targets[:, 2])
    return blobs.sum() / (wanted.sum() + 1.0) * 4.0 + area


def main() -> None:
    """Train, printing the loss."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--renders", type=Path, nargs="*", default=[], help="photoreal scenes")
    parser.add_argument("--shared", type=Path, help="folder with real photos (split train)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--start", type=Path, help="checkpoint whose weights to start from")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    options.out.mkdir(parents=True, exist_ok=True)
    sources = [[f for folder in options.scenes for f in scenes(folder)]]
    sources += [[f for folder in options.renders for f in scenes(folder)]]
    real = photos(options.shared, "train") if options.shared else []
    sources += [[f for f in real if f.group not in BENT]]
    files = [file for source in sources for file in source]
    print("pictures:", [len(source) for source in sources], flush=True)
    shares, first = [], 0
    for source, share in zip(sources, (0.57, 0.28, 0.15), strict=True):
        shares.append((range(first, first + len(source)), share))
        first += len(source)
    sampler = MixedBatches(shares, options.batch, options.seed)
    often = frozenset(range(len(sources[0]), len(files)))
    data = Canvases(files, seed=options.seed, often=often)
    loader = DataLoader(data, batch_sampler=sampler, num_workers=1, prefetch_factor=4)
    network = CrossingFinder().to(memory_format=torch.channels_last)
    start_from(network, options.start)
    fit(
        network,
        iter(loader),
        loss_of,
        Schedule(steps=options.steps, rate=options.rate),
        options.out / "crossings.pt",
        lambda step, loss: None,
    )


if __name__ == "__main__":
    main()
