"""Take the mean of new weights and those in use: `python -m models.train_average NAME NEW.pt`.

What a reader learns of new scenes it pays for with what it knew of others; half way between both
it keeps the most of either. The moments of the normalisations are found again on pictures of the
training, for the mean of two networks' moments is not that of their mean.
"""

import argparse
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

from models.pieces.train_data import Boards, SquareBatches
from models.pieces.train_network import CODE, PieceReader
from models.squares.train import MixedBatches
from models.squares.train_data import TopViews
from models.squares.train_network import SquareReader
from models.train_labels import LabelledFile, scenes
from models.train_loop import start_from

BATCHES = 40
SEED = 5

Shown = tuple[Tensor, ...]


def squares(files: list[LabelledFile]) -> Iterator[Shown]:
    """Yield batches as the square reader takes them."""
    sampler = MixedBatches(files, [(range(len(files)), 1.0)], 16, SEED)
    for pixels, *_ in DataLoader(TopViews(files, seed=SEED), batch_sampler=sampler):
        yield (pixels,)


def pieces(files: list[LabelledFile]) -> Iterator[Shown]:
    """Yield batches as the piece reader takes them."""
    sampler, none = (
        SquareBatches(files, [(range(len(files)), 1.0)], 256, SEED),
        torch.zeros(0, CODE),
    )
    for crops, views, *_ in DataLoader(Boards(files, seed=SEED), batch_sampler=sampler):
        yield crops.flatten(0, 1), views.flatten(0, 1), none


READERS: dict[
    str, tuple[Callable[[], nn.Module], Callable[[list[LabelledFile]], Iterator[Shown]]]
] = {"squares": (SquareReader, squares), "pieces": (PieceReader, pieces)}


def mean_of(old: nn.Module, new: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """Return the weights of a network, `share` of them new."""
    kept = old.state_dict()
    return {
        name: share * value + (1 - share) * kept[name] if value.is_floating_point() else value
        for name, value in new.items()
    }


def find_moments(network: nn.Module, batches: list[Shown]) -> None:
    """Let every normalisation find its moments on batches, each layer on what those before give."""
    network.train()
    for layer in network.modules():
        if isinstance(layer, nn.Dropout):
            layer.eval()
        elif isinstance(layer, nn.BatchNorm2d):
            layer.reset_running_stats()
            layer.momentum = None
    with torch.no_grad():
        for shown in batches:
            network(*shown)


def main() -> None:
    """Write the checkpoint of the mean."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=sorted(READERS))
    parser.add_argument("new", type=Path, help="checkpoint of the new weights")
    parser.add_argument("--old", type=Path, help="ONNX file or checkpoint, else that in use")
    parser.add_argument("--share", type=float, default=0.5, help="of the new weights")
    parser.add_argument("--views", type=Path, nargs="+", required=True, help="training pictures")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    make, shown_of = READERS[options.name]
    batches = list(islice(shown_of([s for f in options.views for s in scenes(f)]), BATCHES))
    old_file = options.old or Path(__file__).parent / options.name / f"{options.name}.onnx"
    network, old = make(), make()
    start_from(old, old_file, batches)
    new = torch.load(options.new, weights_only=True)["network"]
    network.load_state_dict(mean_of(old, new, options.share))
    find_moments(network, batches)
    torch.save({"network": network.state_dict(), "step": 0}, options.out)


if __name__ == "__main__":
    main()
