"""Train the square reader: `python -m models.squares.train --scenes DIR... --out DIR`.

Stop it and start it again at will: it goes on from its checkpoint.
"""

import random
from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, Sampler

from models.train_augment import IGNORED
from models.train_labels import LabelledFile, scenes
from models.train_loop import Schedule, fit, start_from
from models.train_options import gather, training_parser

from .train_data import TopViews
from .train_network import SquareReader

SHARES = (0.4, 0.47, 0.13)
"""Of scenes, renders and photos in a batch."""
SWAPPED = (0, 3, 4, 1, 2, 5)
"""The classes when White and Black change names."""


class MixedBatches(Sampler[list[int]]):
    """Endless batches of boards of one size; each source has its share."""

    def __init__(
        self, files: list[LabelledFile], shares: list[tuple[range, float]], batch: int, seed: int
    ) -> None:
        self.batch, self.random = batch, random.Random(seed)
        self.pools: list[dict[int, list[int]]] = []
        self.weights: list[float] = []
        for indices, share in shares:
            pool: dict[int, list[int]] = {}
            for index in indices:
                pool.setdefault(files[index].size, []).append(index)
            self.pools.append(pool)
            self.weights.append(share if pool else 0.0)
        sizes = [file.size for file in files]
        self.size_weights = {size: sizes.count(size) for size in sorted(set(sizes))}

    def __iter__(self) -> Iterator[list[int]]:
        while True:
            size = self.random.choices(list(self.size_weights), list(self.size_weights.values()))[0]
            usable = [
                (pool[size], weight)
                for pool, weight in zip(self.pools, self.weights, strict=True)
                if size in pool
            ]
            pools, weights = zip(*usable, strict=True)
            yield [
                self.random.choice(pool)
                for pool in self.random.choices(pools, weights, k=self.batch)
            ]


def loss_of(logits: Tensor, truth: tuple[Tensor, ...]) -> Tensor:
    """Return the mean cross entropy; a picture with arbitrary colour names takes the better."""
    classes, may_swap = truth
    each = functional.cross_entropy(logits.permute(0, 3, 1, 2), classes, reduction="none")
    weight = torch.where(classes == 0, 0.5, 1.0) * (classes != IGNORED)
    plain = (each * weight).sum(dim=(1, 2)) / weight.sum(dim=(1, 2))
    if may_swap.any():
        swapped = torch.tensor(SWAPPED)[classes.clamp(min=0)]
        other = functional.cross_entropy(logits.permute(0, 3, 1, 2), swapped, reduction="none")
        other = (other * weight).sum(dim=(1, 2)) / weight.sum(dim=(1, 2))
        plain = torch.where(may_swap, torch.minimum(plain, other), plain)
    return plain.mean()


def score(network: SquareReader, files: list[LabelledFile]) -> tuple[float, float]:
    """Return the shares of squares and of boards that are read right from true poses."""
    network.eval()
    squares = right = boards = exact = 0
    views = TopViews(files, jitter=0.0)
    with torch.no_grad():
        for index in range(len(files)):
            pixels, classes, may_swap = views[index]
            guess = network(pixels[None])[0].argmax(-1)
            hits = int((guess == classes).sum())
            if may_swap:
                hits = max(hits, int((torch.tensor(SWAPPED)[guess] == classes).sum()))
            squares += classes.numel()
            right += hits
            boards += 1
            exact += hits == classes.numel()
    return right / max(1, squares), exact / max(1, boards)


def main() -> None:
    """Train, printing the loss and the score on each test folder now and then."""
    options = training_parser(__doc__, steps=4500, batch=32, rate=3e-3).parse_args()
    pictures = gather(options, SHARES, lambda file: file.grid is not None)
    data = TopViews(pictures.files, seed=options.seed)
    sampler = MixedBatches(pictures.files, pictures.shares, options.batch, options.seed)
    loader = DataLoader(data, batch_sampler=sampler, num_workers=1, prefetch_factor=4)
    network = SquareReader().to(memory_format=torch.channels_last)
    start_from(network, options.start, (pixels for pixels, *_ in loader))
    tests = {folder: scenes(folder)[:150] for folder in options.test}

    def report(step: int, loss: float) -> None:
        if step % 1000 == 0 or step == options.steps:
            for folder, found in tests.items():
                squares, boards = score(network, found)
                print(f"  {folder}: squares {squares:.4%} boards {boards:.2%}", flush=True)

    schedule = Schedule(steps=options.steps, rate=options.rate)
    fit(network, iter(loader), loss_of, schedule, options.out / "squares.pt", report)


if __name__ == "__main__":
    main()
