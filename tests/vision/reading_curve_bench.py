"""What more work at a board is worth: `python -m tests.vision.reading_curve_bench FOLDER`.

Reads the labelled pictures of a folder with parts of the reader left out, and prints the size of
the networks, the time to read a board that was found, on one core, and what is read right.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import cv2
import numpy as np

from damcam.reading.scoring import Label, read_labels, score_reading
from models import load
from vision import BoardReader, Image, LogProbabilities
from vision.board_reader import Look as SeenBoard
from vision.finding.lattice import LatticeFit
from vision.network import Network, log_softmax
from vision.squares.glances import mean_of_glances
from vision.squares.pieces import PieceReader
from vision.squares.start_array import as_at_start
from vision.squares.top_view import top_view
from vision.squares.two_colors import agree_on_colors


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which parts read a board."""

    glances: bool = False
    pieces: bool = False
    colors: bool = True

    @property
    def name(self) -> str:
        """What the table calls it."""
        parts = ["squares, eight glances" if self.glances else "squares, one glance"]
        parts += ["pieces"] if self.pieces else []
        parts += ["colours of the set"] if self.colors else []
        return " + ".join(parts)

    @property
    def size_bytes(self) -> int:
        """Bytes of the networks that it takes, the finder's not among them."""
        names = ["squares", *(["pieces"] if self.pieces else [])]
        return sum(len(load(name).onnx) for name in names)


CHOICES: Final = (
    Choice(colors=False),
    Choice(),
    Choice(glances=True),
    Choice(pieces=True),
    Choice(glances=True, pieces=True),
)


class PartialReader(BoardReader):
    """A reader that leaves out what the choice leaves out, and takes the time."""

    def __init__(self, choice: Choice) -> None:
        super().__init__()
        self._choice = choice
        self._squares, self._upright = Network(load("squares")), PieceReader(load("pieces"))
        self.times_ms: list[float] = []

    def look(
        self,
        bgr: Image,
        fit: LatticeFit,
        *,
        thorough: bool = False,
        view: Image | None = None,
    ) -> SeenBoard:
        """Read the squares with the chosen parts."""
        whole = super().look(bgr, fit, view=view)
        start = perf_counter()
        read = self._read(bgr, fit)
        self.times_ms.append((perf_counter() - start) * 1000)
        return SeenBoard(fit, read, whole.view, whole.embeddings, read)

    def _read(self, bgr: Image, fit: LatticeFit) -> LogProbabilities:
        def glance(view: Image) -> LogProbabilities:
            return log_softmax(self._squares.logits(view))

        view = top_view(bgr, fit)
        read = mean_of_glances(bgr, fit, view, glance) if self._choice.glances else glance(view)
        if self._choice.pieces:
            read = self._upright.read(bgr, fit, read)
        if self._choice.colors:
            middles = self._upright.middles if self._choice.pieces else None
            read = agree_on_colors(read, view, middles)
        return as_at_start(read)


def line(choice: Choice, labels: tuple[Label, ...], folder: Path) -> str:
    """Return the row of one choice."""
    reader, scores = PartialReader(choice), []
    for label in labels:
        picture = cv2.imread(str(folder / label.file), cv2.IMREAD_COLOR)
        if picture is not None:
            scores.append(score_reading(label, reader.read(np.asarray(picture, dtype=np.uint8))))
    seen = [score for score in scores if score.squares]
    squares = sum(score.squares for score in seen)
    right = sum(score.squares_right for score in seen)
    return (
        f"{choice.name:<52}{choice.size_bytes / 1e6:6.2f} MB {median(reader.times_ms):7.1f} ms"
        f"{100 * right / max(1, squares):9.3f} % {sum(s.is_exact for s in seen):5} of {len(seen)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="pictures with a labels.jsonl")
    parser.add_argument("--most", type=int, default=500, help="pictures at most")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    labels = tuple(label for label in read_labels(options.folder) if label.grid)[: options.most]
    print(f"{'read by':<52}{'size':>9} {'a board':>10}{'squares':>11} {'boards exact':>14}")
    for choice in CHOICES:
        print(line(choice, labels, options.folder), flush=True)


if __name__ == "__main__":
    main()
