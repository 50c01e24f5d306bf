"""`damcam read`: the position in pictures, as JSON or as a board; or a score over labels."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from .errors import NO_BOARD, UNREADABLE, CommandError, sentence, telling

if TYPE_CHECKING:
    from rules import Position
    from vision import BoardReader, Image, OneLook, Reading, WhiteSide

    from ..reading.report import PictureReport
    from ..reading.scoring import Score

    Side = WhiteSide | Literal["auto"]


TABLE_COLUMNS = 130
"""Wide enough for the whole table; narrower terminals wrap."""


class PictureReader(Protocol):
    """What reads one picture from nothing: `vision.BoardReader`."""

    def read(
        self, bgr: "Image", *, lap: Callable[[str], None] = lambda step: None
    ) -> "Reading | None":
        """Return what the picture shows, None where it shows no board; tell each step's end."""

    def read_all(
        self, bgr: "Image", *, lap: Callable[[str], None] = lambda step: None
    ) -> "tuple[Reading, ...]":
        """Return all boards of the picture, the largest first."""

    def learn(self, position: "Position") -> "OneLook | None":
        """Learn the set from the board that was read last, on which a position stands."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("images", nargs="*", metavar="IMAGE", help="picture files")
    add_board_arguments(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--draw", metavar="DIR", help="write each picture with its reading drawn")
    parser.add_argument(
        "--score", metavar="LABELS", help="compare with a labels.jsonl (or its folder)"
    )
    parser.add_argument("--split", help="with --score: only pictures of this split")
    parser.add_argument(
        "--look", metavar="PICTURE", help="learn set and light from a picture of a known position"
    )
    parser.add_argument(
        "--look-fen", metavar="FEN", help="the position in it (default: the start position)"
    )


def add_board_arguments(parser: argparse.ArgumentParser, *, default: str = "auto") -> None:
    """Add what a user may know about the board in the picture."""
    parser.add_argument(
        "--size", choices=("8", "10", "12", "auto"), default=default, help="squares along one side"
    )
    parser.add_argument(
        "--white-side",
        choices=("auto", "bottom", "right", "top", "left"),
        default=default,
        help="the side of the picture nearest to White",
    )
    parser.add_argument(
        "--mirrored",
        action="store_true",
        default=False if default == "auto" else default,
        help="the camera mirrors the picture",
    )


def reader_for(
    *,
    size: int | None,
    white_side: "Side",
    mirrored: bool,
    corners: tuple[tuple[float, float], ...] = (),
) -> "BoardReader":
    """Return the reader of boards; loads the models.

    Raises:
        CommandError: A model is missing or damaged.
    """
    import numpy as np

    from models import ModelError
    from vision import BoardReader

    with telling(ModelError):
        return BoardReader(
            size=size,
            white_side=None if white_side == "auto" else white_side,
            mirrored=mirrored,
            corners=np.array(corners, dtype=np.float64) if corners else None,
        )


def make_reader(args: argparse.Namespace) -> PictureReader:
    """Return the reader that the arguments ask for."""
    size = None if args.size == "auto" else int(args.size)
    return reader_for(size=size, white_side=args.white_side, mirrored=args.mirrored)


def run(args: argparse.Namespace) -> int:
    """Read the pictures and return the exit code."""
    if not args.score and not args.images:
        raise CommandError("give the pictures to read, or --score LABELS")
    if args.look_fen and not args.look:
        raise CommandError("--look-fen says what stands in the picture of --look; give both")
    reader = make_reader(args)
    look = take_look(args.look, args.look_fen, reader) if args.look else None
    return score(args, reader) if args.score else show_pictures(args, reader, look)


def take_look(picture: str, fen: str | None, reader: PictureReader) -> "OneLook":
    """Let the reader learn from a picture in which a known position stands.

    Raises:
        CommandError: The picture cannot be read or does not show that position plainly.
    """
    from device import DeviceError, load_picture
    from rules import InvalidFenError, Position, parse_fen

    from ..variants import VARIANT_OF_SIZE

    with telling(DeviceError):
        reading = reader.read(load_picture(picture))
    if reading is None:
        raise CommandError(f"{picture} shows no board to learn from")
    variant = VARIANT_OF_SIZE[reading.pose.size]
    with telling(InvalidFenError):
        position = parse_fen(fen, variant) if fen else Position.start(variant)
    look = reader.learn(position)
    if look is None:
        said = f"the position {fen}" if fen else "the start position"
        raise CommandError(
            f"nothing can be learned from {picture}: it must show {said}, with men of both colours"
            " that can be told apart"
        )
    return look


def show_pictures(
    args: argparse.Namespace, reader: PictureReader, look: "OneLook | None" = None
) -> int:
    """Print what each picture shows; a picture that cannot be read is told and skipped."""
    from ..reading.report import report_json, report_sentence
    from .board_text import show_board

    code = 0
    for report in _reports(args, reader, look):
        if report is None:
            code = UNREADABLE
            continue
        if report.reading is None and code == 0:
            code = NO_BOARD
        if args.draw and report.reading is not None:
            _draw(Path(args.draw), report)
        if args.json:
            print(json.dumps(report_json(report)), flush=True)
            continue
        print(report_sentence(report))
        if report.reading is not None:
            show_board(report.reading.grid)
            print(report_json(report)["fen"] or "no FEN: the board is not placed correctly")
            for warning in report.warnings:
                print(f"  ! {warning.text}")
            if report.sight is not None:
                print(f"  the camera's view: {report.sight.verdict}")
    return code


def _reports(
    args: argparse.Namespace, reader: PictureReader, look: "OneLook | None"
) -> "Iterator[PictureReport | None]":
    from device import DeviceError, load_picture

    from ..reading.report import PictureReport

    for source in args.images:
        watch = StopWatch()
        try:
            bgr = load_picture(source)
        except DeviceError as error:
            print(f"damcam read: {sentence(error)}", file=sys.stderr)
            yield None
            continue
        watch.lap("decode")
        readings = reader.read_all(bgr, lap=watch.lap)
        yield PictureReport(
            source=source,
            bgr=bgr,
            reading=readings[0] if readings else None,
            timing_ms=watch.laps_ms,
            other_boards=max(0, len(readings) - 1),
            look=look,
        )


class StopWatch:
    """Takes the time of steps that follow each other."""

    def __init__(self) -> None:
        self.laps_ms: dict[str, float] = {}
        self._since = time.perf_counter()

    def lap(self, step: str) -> None:
        """Note that a step is done."""
        now = time.perf_counter()
        self.laps_ms[step] = 1000.0 * (now - self._since)
        self._since = now


def _draw(folder: Path, report: "PictureReport") -> None:
    import cv2

    from vision import draw_reading

    if report.reading is None:
        return
    with telling(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{Path(report.source).stem}.png"
    if not cv2.imwrite(str(target), draw_reading(report.bgr, report.reading)):
        raise CommandError(f"cannot write {target}")


def score(args: argparse.Namespace, reader: PictureReader) -> int:
    """Read every labelled picture and print the table of what was right."""
    from device import DeviceError, load_picture

    from ..reading.scoring import Score, read_labels, score_reading

    path = Path(args.score)
    with telling(OSError, ValueError):
        labels = read_labels(path, split=args.split)
    folder = path if path.is_dir() else path.parent
    scores: list[Score] = []
    for label in labels:
        with telling(DeviceError):
            bgr = load_picture(folder / label.file)
        scores.append(score_reading(label, reader.read(bgr)))
    if not scores:
        raise CommandError(
            f"{path} has no labels{f' of split {args.split!r}' if args.split else ''}"
        )
    if args.json:
        _print_scores_json(scores)
    else:
        _print_scores(scores)
    return 0


def _print_scores_json(scores: "list[Score]") -> None:
    from dataclasses import asdict

    from ..reading.score_table import tallies

    for one in scores:
        print(json.dumps({"v": 1} | asdict(one)))
    for tally in tallies(scores):
        print(json.dumps({"v": 1, "tally": asdict(tally)}))


def _print_scores(scores: "list[Score]") -> None:
    from rich.console import Console
    from rich.table import Table

    from ..reading.score_table import HEADINGS, tallies, tally_rows

    table = Table(box=None)
    for heading in HEADINGS:
        is_name = heading == "condition"
        table.add_column(heading, no_wrap=True, justify="left" if is_name else "right")
    for row in tally_rows(tallies(scores)):
        table.add_row(*row)
    Console(width=max(Console().width, TABLE_COLUMNS)).print(table, crop=False)
