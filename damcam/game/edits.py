"""What an operator's edit makes of a record, as a pure function of its sheet.

Moves after an edit are played again from the new position. Where one is no longer legal, the
position that was recorded after it is set up instead, so that the board as it stands now, and
with it the rest of the game, stays as it was seen.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, assert_never

from rules import Color, Outcome, Position, Termination, Variant, move_text, parse_fen, to_fen

from ..journal.operator_events import (
    EditUndone,
    FlagDecided,
    MovesEdited,
    OperatorEvent,
    PositionSet,
    ResultSet,
    TagsSet,
    TimeGiven,
)
from .items import Dispute, Ending, Flag, FlagStatus, Item, PlayedMove, Setup, move_named, replayed

BY_OPERATOR: Final = "entered by the operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The part of a record that an operator can change."""

    variant: Variant
    start_fen: str
    items: tuple[Item, ...] = ()
    flags: tuple[Flag, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    ending: Ending | None = None
    seen_ending: Ending | None = None
    """How the camera saw the game end, whatever was entered; none where that was annulled."""
    tags: tuple[tuple[str, str], ...] = ()

    @property
    def plies(self) -> int:
        """Return how many moves there are."""
        return sum(isinstance(item, PlayedMove) for item in self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """An edit that was made, and how the sheet was before."""

    seq: int
    event: OperatorEvent
    before: Sheet
    is_undone: bool = False


def edited(sheet: Sheet, seq: int, event: OperatorEvent, edits: tuple[Edit, ...] = ()) -> Sheet:
    """Return the sheet after an edit; unchanged where the edit does not fit it.

    Args:
        sheet: What the record shows.
        seq: The number of the event.
        event: The edit.
        edits: Those made before, for one that is undone.
    """
    match event:
        case MovesEdited():
            return _with_moves(sheet, seq, event)
        case PositionSet(fen=fen, at_ms=at_ms):
            setup = Setup(seq=seq, at_ms=at_ms, fen=fen)
            return replace(sheet, items=(*sheet.items, setup))
        case ResultSet(result="*"):
            return replace(sheet, ending=None, seen_ending=None)
        case ResultSet(result=result, reason=reason):
            clause = _clause(sheet.variant, reason)
            ending = Ending(result=result, reason=reason or BY_OPERATOR, clause=clause)
            return replace(sheet, ending=ending)
        case TagsSet(tags=tags):
            return replace(sheet, tags=tuple((dict(sheet.tags) | dict(tags)).items()))
        case FlagDecided(flag=number, how=how):
            return replace(sheet, flags=_ruled(sheet.flags, number, how))
        case TimeGiven():
            return sheet
        case EditUndone(edit=number):
            newest = last_edit(edits)
            is_newest = newest is not None and newest.seq == number
            return _undone(sheet, newest) if newest is not None and is_newest else sheet
        case unknown:
            assert_never(unknown)


def _clause(variant: Variant, reason: str) -> str:
    """Return the clause of a reason that the rules know."""
    known = {one.value: one for one in Termination}
    return Outcome.drawn(variant, known[reason]).clause if reason in known else ""


def _ruled(flags: tuple[Flag, ...], number: int, ruling: FlagStatus | None) -> tuple[Flag, ...]:
    return tuple(replace(flag, ruling=ruling) if flag.seq == number else flag for flag in flags)


def _with_moves(sheet: Sheet, seq: int, event: MovesEdited) -> Sheet:
    first, last = _span(sheet, event.ply, len(event.removes))
    found = tuple(item.move for item in sheet.items[first:last] if isinstance(item, PlayedMove))
    if found != event.removes or not 1 <= event.ply <= sheet.plies + 1:
        return sheet
    kept = list(sheet.items[:first])
    entered = entered_moves(_position(sheet, kept), event.inserts)
    if len(entered) < len(event.inserts):
        return sheet
    removed = [item for item in sheet.items[first:last] if isinstance(item, PlayedMove)]
    for place, move in enumerate(entered):
        old = removed[place] if place < len(removed) else None
        kept.append(_entered(move, old, seq=seq, at_ms=event.at_ms))
    rest = play_on(sheet, kept, sheet.items[last:])
    items = renumbered([*kept, *rest])
    most = sum(isinstance(item, PlayedMove) for item in items)
    flags = tuple(replace(flag, ply=min(flag.ply, most)) for flag in sheet.flags)
    disputes = tuple(dispute for dispute in sheet.disputes if dispute.ply <= most)
    return replace(sheet, items=items, flags=flags, disputes=disputes)


def _span(sheet: Sheet, ply: int, count: int) -> tuple[int, int]:
    """Return the slice of the items that holds `count` moves from `ply` on."""
    places = [place for place, item in enumerate(sheet.items) if isinstance(item, PlayedMove)]
    first = places[ply - 1] if 1 <= ply <= len(places) else len(sheet.items)
    chosen = places[ply - 1 : ply - 1 + count] if ply >= 1 else []
    return first, (chosen[-1] + 1 if chosen else first)


def _position(sheet: Sheet, items: list[Item]) -> Position:
    return parse_fen(items[-1].fen if items else sheet.start_fen, sheet.variant, lenient=True)


def entered_moves(position: Position, texts: Iterable[str]) -> tuple[PlayedMove, ...]:
    """Return the moves as played one after the other; shorter where one is not legal."""
    found: list[PlayedMove] = []
    for text in texts:
        move = move_named(text, position)
        if move is None:
            break
        color, written = position.side_to_move, move_text(move, position)
        position = position.after(move)
        found.append(
            PlayedMove(
                seq=0,
                at_ms=0,
                ply=0,
                color=color,
                move=written,
                path=move.path,
                captured=tuple(sorted(move.captured)),
                is_crowned=move.crowns,
                fen=to_fen(position),
                confidence=1.0,
            )
        )
    return tuple(found)


def _entered(move: PlayedMove, old: PlayedMove | None, *, seq: int, at_ms: int) -> PlayedMove:
    """Return an entered move; it takes the time and the clocks of the one it replaces."""
    if old is None:
        return replace(move, seq=seq, at_ms=at_ms)
    replaced = old.replaced if old.move == move.move else (*old.replaced, old.move)
    return replace(move, seq=seq, at_ms=old.at_ms, clocks=old.clocks, replaced=replaced)


def play_on(sheet: Sheet, kept: list[Item], rest: Iterable[Item]) -> tuple[Item, ...]:
    """Return the items that follow, played from another position; see the module."""
    position = _position(sheet, kept)
    items: list[Item] = []
    for item in rest:
        if isinstance(item, Setup):
            items.append(item)
        elif item.color is position.side_to_move and move_named(item.move, position):
            items.append(replayed(sheet.variant, item, to_fen(position), item.move, item.fen))
        else:
            items.append(Setup(seq=item.seq, at_ms=item.at_ms, fen=item.fen))
        position = parse_fen(items[-1].fen, sheet.variant, lenient=True)
    return tuple(items)


def renumbered(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the items with their moves counted 1, 2, 3."""
    counted: list[Item] = []
    ply = 0
    for item in items:
        if isinstance(item, PlayedMove):
            ply += 1
            item = replace(item, ply=ply)
        counted.append(item)
    return tuple(counted)


def last_edit(edits: tuple[Edit, ...]) -> Edit | None:
    """Return the edit that can be undone now: the newest that stands."""
    standing = (
        edit
        for edit in reversed(edits)
        if not edit.is_undone and not isinstance(edit.event, EditUndone)
    )
    return next(standing, None)


def time_given(event: OperatorEvent, edits: tuple[Edit, ...]) -> tuple[Color, int] | None:
    """Return whose clock an edit changes and by how many milliseconds, None for no clock's.

    Args:
        event: The edit.
        edits: Those made before, for one that is undone.
    """
    match event:
        case TimeGiven(color=color, extra_ms=extra_ms):
            return color, extra_ms
        case EditUndone(edit=number):
            undone = next((edit.event for edit in edits if edit.seq == number), None)
            if isinstance(undone, TimeGiven):
                return undone.color, -undone.extra_ms
    return None


def _with_old_places(flags: tuple[Flag, ...], before: tuple[Flag, ...]) -> tuple[Flag, ...]:
    """Return the flags with the places that they had before; what became of them stays."""
    places = {flag.seq: flag.ply for flag in before}
    return tuple(replace(flag, ply=places.get(flag.seq, flag.ply)) for flag in flags)


def _undone(sheet: Sheet, edit: Edit) -> Sheet:
    """Return the sheet without the edit; what was recorded since then stays."""
    before = edit.before
    match edit.event:
        case MovesEdited() | PositionSet():
            kept = list(before.items)
            newer = [item for item in sheet.items if item.seq > edit.seq]
            return replace(
                sheet,
                items=renumbered([*kept, *play_on(sheet, kept, newer)]),
                flags=_with_old_places(sheet.flags, before.flags),
                disputes=(
                    *before.disputes,
                    *(one for one in sheet.disputes if one.seq > edit.seq),
                ),
            )
        case ResultSet(result=result):
            seen = sheet.seen_ending or (before.seen_ending if result == "*" else None)
            return replace(sheet, ending=before.ending or seen, seen_ending=seen)
        case TagsSet():
            return replace(sheet, tags=before.tags)
        case FlagDecided(flag=number):
            former = next((flag.ruling for flag in before.flags if flag.seq == number), None)
            return replace(sheet, flags=_ruled(sheet.flags, number, former))
        case TimeGiven() | EditUndone():
            return sheet
        case unknown:
            assert_never(unknown)
