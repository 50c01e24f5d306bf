"""The game as the journal tells it: `fold(entries)` is what every output shows.

The record holds what was settled: moves with their times, positions that were set because an
irregularity was accepted or decided, the irregularities themselves, and the state of the board
and the devices. A correction replaces a move and brings the later positions up to date.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

from device import DeviceFound, DeviceLost, FlagFell, LeverPressed
from rules import Color, Move, Position, Square, Variant, legal_moves, move_text, parse_fen, to_fen
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
)

from .events import ClockRead, Entry, RecordingStopped

BoardState = Literal["unseen", "found", "lost", "disturbed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """The times left, and the side whose time runs since `at_ms`."""

    at_ms: int
    white_ms: int
    black_ms: int
    running: Color | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMove:
    """A settled move; `fen` is the position after it."""

    seq: int
    at_ms: int
    ply: int
    color: Color
    move: str
    path: tuple[Square, ...]
    captured: tuple[Square, ...]
    is_crowned: bool
    fen: str
    confidence: float
    clocks: Clocks | None = None
    replaced: tuple[str, ...] = ()
    """What was recorded before later evidence corrected it, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A position from which the game goes on although no legal move leads to it."""

    seq: int
    at_ms: int
    fen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """An irregularity and what became of it."""

    seq: int
    at_ms: int
    ply: int
    """Settled plies before it."""
    clause: str
    color: Color
    move: str
    squares: tuple[Square, ...]
    is_certain: bool
    text: str
    status: Literal["open", "rectified", "accepted", "decided"] = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How the game ended; `result` as White - Black points, such as `2-0`."""

    result: str
    reason: str
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """A recorded game, complete up to the event `seq`."""

    seq: int = 0
    at_ms: int = 0
    variant: Variant | None = None
    start_fen: str | None = None
    items: tuple[PlayedMove | Setup, ...] = ()
    flags: tuple[Flag, ...] = ()
    clocks: Clocks | None = None
    ending: Ending | None = None
    board: BoardState = "unseen"
    placed_correctly: bool | None = None
    lost_devices: frozenset[str] = field(default=frozenset())
    is_stopped: bool = False

    @property
    def moves(self) -> tuple[PlayedMove, ...]:
        """Return the settled moves in order."""
        return tuple(item for item in self.items if isinstance(item, PlayedMove))

    @property
    def fen(self) -> str | None:
        """Return the position from which the game goes on; None before the game starts."""
        return self.items[-1].fen if self.items else self.start_fen

    @property
    def open_flags(self) -> tuple[Flag, ...]:
        """Return the irregularities that nobody has put right or accepted yet."""
        return tuple(flag for flag in self.flags if flag.status == "open")

    def after(self, entry: Entry) -> "GameRecord":
        """Return the record with one more event in it."""
        record = replace(self, seq=entry.seq, at_ms=entry.event.at_ms, is_stopped=False)
        match entry.event:
            case BoardFound(placed_correctly=placed):
                return replace(record, board="found", placed_correctly=placed)
            case BoardMoved() | DisturbanceRestored():
                return replace(record, board="found")
            case BoardLost():
                return replace(record, board="lost")
            case DisturbanceNoticed():
                return replace(record, board="disturbed")
            case GameStarted() as started:
                return _with_start(record, entry.seq, started)
            case MoveSettled() as settled:
                return _with_move(record, entry.seq, settled)
            case MoveCorrected() as corrected:
                return _with_correction(record, corrected)
            case IrregularityFlagged() as flagged:
                return _with_flag(record, entry.seq, flagged)
            case IrregularityResolved() as resolved:
                return _with_resolution(record, entry.seq, resolved)
            case GameEnded(result=result, reason=reason, clause=clause):
                ending = Ending(result=result, reason=reason, clause=clause)
                return replace(record, ending=ending, clocks=_stopped(record.clocks))
            case LeverPressed() as pressed:
                return _with_press(record, pressed)
            case ClockRead() as read:
                return _with_move_times(record, read)
            case DeviceLost(device=device):
                return replace(record, lost_devices=record.lost_devices | {device})
            case DeviceFound(device=device):
                return replace(record, lost_devices=record.lost_devices - {device})
            case FlagFell():
                return record
            case RecordingStopped():
                return replace(record, is_stopped=True, clocks=_stopped(record.clocks))
            case unknown:
                assert_never(unknown)


def fold(entries: Iterable[Entry]) -> GameRecord:
    """Return the game that a journal tells."""
    record = GameRecord()
    for entry in entries:
        record = record.after(entry)
    return record


def _with_start(record: GameRecord, seq: int, started: GameStarted) -> GameRecord:
    """Start the game; in a game that was resumed, go on from the position that was seen."""
    if record.start_fen is None:
        return replace(record, variant=Variant(started.variant), start_fen=started.fen)
    if record.fen == started.fen:
        return record
    setup = Setup(seq=seq, at_ms=started.at_ms, fen=started.fen)
    return replace(record, items=(*record.items, setup))


def _with_move(record: GameRecord, seq: int, settled: MoveSettled) -> GameRecord:
    move = PlayedMove(
        seq=seq,
        at_ms=settled.at_ms,
        ply=settled.ply,
        color=settled.color,
        move=settled.move,
        path=settled.path,
        captured=settled.captured,
        is_crowned=settled.crowned,
        fen=settled.fen,
        confidence=settled.confidence,
    )
    if _is_pressed_after(record.clocks, move):
        move = replace(move, clocks=record.clocks)
    return replace(record, items=(*record.items, move))


def _is_pressed_after(clocks: Clocks | None, move: PlayedMove) -> bool:
    """Tell whether the lever was pressed after this move and not after an earlier one."""
    return clocks is not None and clocks.running is move.color.other and clocks.at_ms >= move.at_ms


def _with_correction(record: GameRecord, corrected: MoveCorrected) -> GameRecord:
    """Replace the move of a ply and bring the positions after it up to date."""
    items: list[PlayedMove | Setup] = []
    fen = record.start_fen or ""
    is_changed = False
    for item in record.items:
        if isinstance(item, Setup):
            is_changed = False
        elif item.ply == corrected.ply:
            item = _replayed(record, item, fen, corrected.move, corrected.fen)
            item = replace(item, replaced=(*item.replaced, corrected.replaces))
            is_changed = True
        elif is_changed:
            item = _replayed(record, item, fen, item.move, item.fen)
        items.append(item)
        fen = item.fen
    return replace(record, items=tuple(items))


def _replayed(
    record: GameRecord, item: PlayedMove, fen_before: str, text: str, fen_after: str
) -> PlayedMove:
    """Return the item as the move `text` played in `fen_before`; unchanged path if not legal."""
    position = parse_fen(fen_before, record.variant or Variant.INTERNATIONAL)
    move = move_named(text, position)
    if move is None:
        return replace(item, move=text, fen=fen_after)
    return replace(
        item,
        move=text,
        path=move.path,
        captured=tuple(sorted(move.captured)),
        is_crowned=move.crowns,
        fen=to_fen(position.after(move)),
    )


def move_named(text: str, position: Position) -> Move | None:
    """Return the legal move that is written `text` in the position, None if there is none."""
    return next((move for move in legal_moves(position) if move_text(move, position) == text), None)


def _with_flag(record: GameRecord, seq: int, flagged: IrregularityFlagged) -> GameRecord:
    flag = Flag(
        seq=seq,
        at_ms=flagged.at_ms,
        ply=len(record.moves),
        clause=flagged.clause,
        color=flagged.color,
        move=flagged.move,
        squares=flagged.squares,
        is_certain=flagged.certain,
        text=flagged.text,
    )
    return replace(record, flags=(*record.flags, flag))


def _with_resolution(record: GameRecord, seq: int, resolved: IrregularityResolved) -> GameRecord:
    """Close the flag; where the game goes on from another position, set that position up."""
    flags = tuple(
        replace(flag, status=resolved.how) if flag.seq == resolved.flag else flag
        for flag in record.flags
    )
    items = record.items
    if resolved.how != "rectified" and resolved.fen != record.fen:
        items = (*items, Setup(seq=seq, at_ms=resolved.at_ms, fen=resolved.fen))
    return replace(record, flags=flags, items=items)


def _with_clocks(
    record: GameRecord, running: Color | None, white_ms: int, black_ms: int
) -> GameRecord:
    clocks = Clocks(at_ms=record.at_ms, white_ms=white_ms, black_ms=black_ms, running=running)
    return replace(record, clocks=clocks)


def _with_press(record: GameRecord, pressed: LeverPressed) -> GameRecord:
    """Set the clocks; the times belong to the move that the press completes."""
    record = _with_clocks(record, pressed.by.other, pressed.white_ms, pressed.black_ms)
    last = record.items[-1] if record.items else None
    if isinstance(last, PlayedMove) and last.clocks is None and last.color is pressed.by:
        last = replace(last, clocks=record.clocks)
        return replace(record, items=(*record.items[:-1], last))
    return record


def _with_move_times(record: GameRecord, read: ClockRead) -> GameRecord:
    record = _with_clocks(record, read.running, read.white_ms, read.black_ms)
    items = tuple(
        replace(item, clocks=record.clocks)
        if isinstance(item, PlayedMove) and item.ply == read.ply
        else item
        for item in record.items
    )
    return replace(record, items=items)


def _stopped(clocks: Clocks | None) -> Clocks | None:
    return None if clocks is None else replace(clocks, running=None)
