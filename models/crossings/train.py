"""Train the crossing finder: `python -m models.crossings.train --scenes DIR... --out DIR`.

Stop it and start it again at will: it goes on from its checkpoint.
"""

import random
from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, Sampler

from models.train_loop import Schedule, fit, start_from
from models.train_options import gather, training_parser

from .train_data import Canvases
from .train_network import CrossingFinder

SHARES = (0.4, 0.48, 0.12)
"""Of scenes, renders and photos in a batch."""
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
    options = training_parser(__doc__, steps=2400, batch=12, rate=2e-3).parse_args()
    pictures = gather(options, SHARES, lambda file: file.group not in BENT)
    data = Canvases(pictures.files, seed=options.seed, often=pictures.often)
    sampler = MixedBatches(pictures.shares, options.batch, options.seed)
    loader = DataLoader(data, batch_sampler=sampler, num_workers=1, prefetch_factor=4)
    network = CrossingFinder().to(memory_format=torch.channels_last)
    start_from(network, options.start, (pixels for pixels, *_ in loader))
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
