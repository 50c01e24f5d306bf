"""The game as the journal tells it: `fold(entries)` is what every output shows.

The record holds what was settled: moves with their times, positions that were set because an
irregularity was accepted or decided, the irregularities themselves, and the state of the board
and the devices. A correction replaces a move and brings the later positions up to date.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, assert_never

from device import DeviceFound, DeviceLost, FlagFell, LeverPressed, TimeAdded
from rules import Color, Variant
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

from ..journal.events import ClockRead, Entry, RecordingStopped, WitnessesDiffered
from ..journal.operator_events import EditUndone, OperatorEvent, ResultSet
from .edits import Edit, Sheet, edited, time_given
from .items import Clocks, Dispute, Ending, Flag, Item, PlayedMove, Setup, replayed

BoardState = Literal["unseen", "found", "lost", "disturbed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """A recorded game, complete up to the event `seq`."""

    seq: int = 0
    at_ms: int = 0
    variant: Variant | None = None
    start_fen: str | None = None
    items: tuple[Item, ...] = ()
    flags: tuple[Flag, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    clocks: Clocks | None = None
    ending: Ending | None = None
    seen_ending: Ending | None = None
    """How the camera saw the game end; what an operator enters comes before it."""
    board: BoardState = "unseen"
    placed_correctly: bool | None = None
    lost_devices: frozenset[str] = field(default=frozenset())
    is_stopped: bool = False
    tags: tuple[tuple[str, str], ...] = ()
    """Tags that an operator changed; they overrule those of the header."""
    edits: tuple[Edit, ...] = ()

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
        if isinstance(entry.event, OperatorEvent):
            record = replace(record, is_stopped=self.is_stopped)
            return _with_edit(record, entry.seq, entry.event)
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
                ended = replace(record, clocks=_stopped(record.clocks), seen_ending=ending)
                return ended if _is_declared(record) else replace(ended, ending=ending)
            case LeverPressed() as pressed:
                return _with_press(record, pressed)
            case ClockRead() as read:
                return _with_move_times(record, read)
            case DeviceLost(device=device):
                return replace(record, lost_devices=record.lost_devices | {device})
            case DeviceFound(device=device):
                return replace(record, lost_devices=record.lost_devices - {device})
            case TimeAdded(color=color, extra_ms=extra_ms):
                return replace(record, clocks=_with_time(record.clocks, color, extra_ms))
            case WitnessesDiffered() as differed:
                return _with_dispute(record, entry.seq, differed)
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


def _with_edit(record: GameRecord, seq: int, told: OperatorEvent) -> GameRecord:
    """Apply an operator's edit and keep how it was before."""
    before = Sheet(
        variant=record.variant or Variant.INTERNATIONAL,
        start_fen=record.start_fen or "",
        items=record.items,
        flags=record.flags,
        disputes=record.disputes,
        ending=record.ending,
        seen_ending=record.seen_ending,
        tags=record.tags,
    )
    after = edited(before, seq, told, record.edits)
    edits = tuple(
        replace(edit, is_undone=edit.is_undone or edit.seq == told.edit)
        if isinstance(told, EditUndone)
        else edit
        for edit in record.edits
    )
    clocks = record.clocks
    given = time_given(told, record.edits)
    if given is not None:
        clocks = _with_time(clocks, *given)
    edited_record = replace(
        record,
        items=after.items,
        flags=after.flags,
        disputes=after.disputes,
        ending=after.ending,
        seen_ending=after.seen_ending,
        tags=after.tags,
        edits=(*edits, Edit(seq=seq, event=told, before=before)),
    )
    if after.ending is not None:
        return replace(edited_record, clocks=_stopped(clocks))
    return replace(edited_record, clocks=_set_right(clocks, edited_record.fen, record.at_ms))


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
    return replace(record, items=(*record.items, move))


def _with_correction(record: GameRecord, corrected: MoveCorrected) -> GameRecord:
    """Replace the move of a ply and bring the positions after it up to date."""
    items: list[Item] = []
    variant = record.variant or Variant.INTERNATIONAL
    fen = record.start_fen or ""
    is_changed = False
    for item in record.items:
        if isinstance(item, Setup):
            is_changed = False
        elif item.ply == corrected.ply:
            item = replayed(variant, item, fen, corrected.move, corrected.fen)
            item = replace(item, replaced=(*item.replaced, corrected.replaces))
            is_changed = True
        elif is_changed:
            item = replayed(variant, item, fen, item.move, item.fen)
        items.append(item)
        fen = item.fen
    return replace(record, items=tuple(items))


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
        replace(flag, seen=resolved.how) if flag.seq == resolved.flag else flag
        for flag in record.flags
    )
    items = record.items
    if resolved.how != "rectified" and resolved.fen != record.fen:
        items = (*items, Setup(seq=seq, at_ms=resolved.at_ms, fen=resolved.fen))
    return replace(record, flags=flags, items=items)


def _is_declared(record: GameRecord) -> bool:
    """Tell whether somebody entered how the game ended, which comes before what a camera saw."""
    entered = (
        edit.event.result
        for edit in reversed(record.edits)
        if isinstance(edit.event, ResultSet) and not edit.is_undone
    )
    return next(entered, "*") != "*"


def _with_press(record: GameRecord, pressed: LeverPressed) -> GameRecord:
    """Set the clocks; which move the press completes is told by ClockRead."""
    clocks = Clocks(
        at_ms=pressed.at_ms,
        white_ms=pressed.white_ms,
        black_ms=pressed.black_ms,
        running=pressed.by.other,
    )
    return replace(record, clocks=clocks)


def _with_dispute(record: GameRecord, seq: int, differed: WitnessesDiffered) -> GameRecord:
    dispute = Dispute(
        seq=seq,
        ply=len(record.moves) if differed.ply is None else differed.ply,
        kind=differed.kind,
        color=differed.color,
        text=differed.text,
    )
    return replace(record, disputes=(*record.disputes, dispute))


def _with_time(clocks: Clocks | None, color: Color, extra_ms: int) -> Clocks | None:
    if clocks is None:
        return None
    if color is Color.WHITE:
        return replace(clocks, white_ms=max(0, clocks.white_ms + extra_ms))
    return replace(clocks, black_ms=max(0, clocks.black_ms + extra_ms))


def _with_move_times(record: GameRecord, read: ClockRead) -> GameRecord:
    """Give a move its times; the clocks go on from them unless they were read later already."""
    clocks = Clocks(
        at_ms=read.at_ms, white_ms=read.white_ms, black_ms=read.black_ms, running=read.running
    )
    items = tuple(
        replace(item, clocks=clocks)
        if isinstance(item, PlayedMove) and item.ply == read.ply
        else item
        for item in record.items
    )
    if record.clocks is not None and record.clocks.at_ms > read.at_ms:
        return replace(record, items=items)
    return replace(record, items=items, clocks=clocks)


def _set_right(clocks: Clocks | None, fen: str | None, at_ms: int) -> Clocks | None:
    """Let the side count that is to move, where the other one did until now."""
    if clocks is None or clocks.running is None or not fen:
        return clocks
    side = Color.BLACK if fen.startswith("B") else Color.WHITE
    if clocks.running is side:
        return clocks
    spent = _with_time(clocks, clocks.running, min(0, clocks.at_ms - at_ms))
    return replace(spent or clocks, at_ms=at_ms, running=side)


def _stopped(clocks: Clocks | None) -> Clocks | None:
    return None if clocks is None else replace(clocks, running=None)
