"""Train the piece reader: `python -m models.pieces.train --renders DIR... --out DIR`.

Stop it and start it again at will: it goes on from its checkpoint.
"""

from collections import Counter

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader

from models.train_labels import LabelledFile, scenes
from models.train_loop import Schedule, fit, start_from
from models.train_options import gather, training_parser

from .train_data import Boards, SquareBatches
from .train_network import CODE, KINDS, PieceReader

SHARES = (0.25, 0.65, 0.10)
"""Of scenes, renders and photos in a batch."""
KIND_OF = (0, 1, 1, 2, 2, 3)
SWAPPED = (0, 2, 1, 3)
"""The kinds when White and Black change names."""
IS_KING = (0.0, 0.0, 1.0, 0.0, 1.0, 0.0)
IS_PIECE = (0.0, 1.0, 1.0, 1.0, 1.0, 0.0)


def loss_of(logits: Tensor, truth: tuple[Tensor, ...]) -> Tensor:
    """Return the cross entropy of kinds, the better naming where that is open, and of kings."""
    classes, may_swap = truth
    kinds = torch.tensor(KIND_OF)[classes]
    by_kind = logits[..., :KINDS].permute(0, 2, 1)
    plain = functional.cross_entropy(by_kind, kinds, reduction="none").mean(dim=1)
    swapped = torch.tensor(SWAPPED)[kinds]
    other = functional.cross_entropy(by_kind, swapped, reduction="none").mean(dim=1)
    named = torch.where(may_swap, torch.minimum(plain, other), plain)
    kings, pieces = torch.tensor(IS_KING)[classes], torch.tensor(IS_PIECE)[classes]
    crowned = functional.binary_cross_entropy_with_logits(
        logits[..., KINDS], kings, weight=pieces, reduction="sum"
    )
    return named.mean() + crowned / classes.numel()


def score(network: PieceReader, files: list[LabelledFile]) -> str:
    """Return the shares of kinds, men, kings and boards that are told right from true poses."""
    network.eval()
    boards = Boards(files, is_plain=True)
    seen: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for index in range(len(files)):
        crops, views, classes, may_swap = boards[index, 0]
        with torch.no_grad():
            logits, _ = network(crops, views, torch.zeros(0, CODE))
        kinds, guess = torch.tensor(KIND_OF)[classes], logits[:, :KINDS].argmax(1)
        hits = guess == kinds
        if may_swap:
            hits = max(hits, torch.tensor(SWAPPED)[guess] == kinds, key=lambda h: int(h.sum()))
        kings, pieces = (torch.tensor(of)[classes] > 0 for of in (IS_KING, IS_PIECE))
        crowned = ((logits[:, KINDS] > 0) == kings) | ~pieces
        for name, which, good in (
            ("kinds", torch.ones_like(pieces), hits),
            ("men", pieces & ~kings, crowned),
            ("kings", kings, crowned),
        ):
            seen[name] += int(which.sum())
            right[name] += int((which & good).sum())
        seen["boards"] += 1
        right["boards"] += bool((hits & crowned).all())
    return " ".join(f"{name} {right[name] / max(1, seen[name]):.3%}" for name in seen)


def main() -> None:
    """Train, printing the loss and the score on each test folder now and then."""
    options = training_parser(__doc__, steps=8000, batch=256, rate=1e-3).parse_args()
    pictures = gather(options, SHARES, lambda file: file.grid is not None)
    data = Boards(pictures.files, seed=options.seed)
    sampler = SquareBatches(pictures.files, pictures.shares, options.batch, options.seed)
    loader = DataLoader(data, batch_sampler=sampler, num_workers=1, prefetch_factor=4)
    network = PieceReader().to(memory_format=torch.channels_last)
    none = torch.zeros(0, CODE)
    shown = ((crops.flatten(0, 1), views.flatten(0, 1), none) for crops, views, *_ in loader)
    start_from(network, options.start, shown)
    tests = {folder: scenes(folder)[:150] for folder in options.test}

    def report(step: int, loss: float) -> None:
        if step % 500 == 0 or step == options.steps:
            for folder, found in tests.items():
                print(f"  {folder}: {score(network, found)}", flush=True)

    schedule = Schedule(steps=options.steps, rate=options.rate)
    batches = (((crops, views), *truth) for crops, views, *truth in loader)
    fit(
        network,
        batches,
        loss_of,
        schedule,
        options.out / "pieces.pt",
        report,
        call=lambda shown: network.of_boards(*shown),
    )


if __name__ == "__main__":
    main()
