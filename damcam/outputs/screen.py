"""The terminal: each move and each irregularity as it happens, and a line of progress."""

from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from device import DeviceFound, DeviceLost, FlagFell, Frame, TimeAdded
from rules import Color
from vision import (
    BoardFound,
    BoardLost,
    BoardMoved,
    DisturbanceNoticed,
    DisturbanceRestored,
    GameEnded,
    GameStarted,
    IrregularityFlagged,
    IrregularityResolved,
    MoveCorrected,
    MoveSettled,
    Reading,
)

from ..game.pdn_text import hms, move_number
from ..game.record import GameRecord
from ..journal.events import Entry, Event, WitnessesDiffered

TURNED: Final = "; turned by a quarter (2.4), or the camera mirrors (--mirrored, damcam setup)"
"""Both look alike."""


class Screen:
    """Prints events as lines above a progress line; without a terminal only the lines."""

    def __init__(self, console: Console, *, frame_count: int | None = None) -> None:
        self._console = console
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[frames]} frames"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task: TaskID = self._progress.add_task("looking", total=frame_count, frames=0)
        self._progress.start()

    def show(self, entry: Entry, record: GameRecord) -> None:
        """Print the line of an event, if it has one."""
        line = event_line(entry.event, record)
        if line is not None:
            style = "bold red" if isinstance(entry.event, IrregularityFlagged) else None
            self._console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)

    def write(self, text: str) -> None:
        """Print a text that brings its own line ends."""
        self._console.print(text, end="", markup=False, highlight=False, soft_wrap=True)

    def watch(self, frame: Frame, reading: Reading | None, record: GameRecord) -> None:
        """Move the progress line on."""
        if self._console.is_terminal:
            self._progress.update(
                self._task,
                completed=frame.index + 1,
                frames=frame.index + 1,
                description=f"{hms(frame.at_ms)}  {_state(reading, record)}",
            )

    def close(self) -> None:
        """Take the progress line away."""
        self._progress.stop()


def _state(reading: Reading | None, record: GameRecord) -> str:
    if reading is None:
        return "no board"
    if record.start_fen is None:
        return "waiting for the start position"
    return f"{len(record.moves)} moves"


def event_line(event: Event, record: GameRecord) -> str | None:
    """Return what the terminal says about an event, None for what only the journal tells.

    Args:
        event: What happened.
        record: The game with the event in it.
    """
    text = _board_line(event) or _game_line(event, record) or _device_line(event)
    return None if text is None else f"{hms(event.at_ms)}  {text}"


def _game_line(event: Event, record: GameRecord) -> str | None:
    match event:
        case GameStarted(variant=variant, fen=fen):
            return f"game started: {variant}, {fen}"
        case MoveSettled():
            return _move_line(event, move_number(record))
        case MoveCorrected(ply=ply, move=move, replaces=replaces):
            if move == replaces:  # It was taken back, and stands again.
                return f"played again: ply {ply}, {move}"
            return f"corrected: ply {ply} was {move}, not {replaces}"
        case IrregularityFlagged(clause=clause, text=text, squares=squares):
            places = f" (squares {', '.join(map(str, squares))})" if squares else ""
            return f"! {clause} {text}{places}"
        case IrregularityResolved(flag=flag, how=how):
            return f"irregularity {flag} {how}"
        case GameEnded(result=result, reason=reason, clause=clause):
            return f"game over: {result}, {reason} ({clause})"
        case _:
            return None


def _move_line(settled: MoveSettled, number: int) -> str:
    dots = "." if settled.color is Color.WHITE else "..."
    notes = []
    if settled.captured:
        notes.append(f"takes {', '.join(map(str, settled.captured))}")
    if settled.crowned:
        notes.append("crowned")
    if settled.confidence < 0.99:
        notes.append(f"{100.0 * settled.confidence:.0f} % sure")
    note = f"   {'; '.join(notes)}" if notes else ""
    return f"{number:>3}{dots:<3} {settled.move}{note}"


def _board_line(event: Event) -> str | None:
    match event:
        case BoardFound(size=size, white_side=side, placed_correctly=placed):
            wrong = TURNED if placed is False else ""
            return f"board found: {size}x{size}, White at the {side}{wrong}"
        case BoardMoved():
            return "board or camera moved, found again"
        case BoardLost():
            return "board lost"
        case DisturbanceNoticed(squares=squares):
            return f"pieces disturbed: {', '.join(map(str, squares))}"
        case DisturbanceRestored():
            return "disturbance put right"
        case _:
            return None


def _device_line(event: Event) -> str | None:
    match event:
        case DeviceLost(device=device):
            return f"{device} lost"
        case DeviceFound(device=device):
            return f"{device} found"
        case FlagFell(color=color):
            return f"{color.name.lower()}'s flag fell"
        case TimeAdded(color=color, extra_ms=extra_ms):
            return f"{color.name.lower()} was given {extra_ms / 1000:g} s more"
        case WitnessesDiffered(text=text):
            return f"? {text}"
        case _:
            return None
