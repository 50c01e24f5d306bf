"""What may have been played instead: legal moves, the one that fits the rest of the game first."""

from dataclasses import dataclass

from rules import Position, Variant, legal_moves, move_text, parse_fen, to_fen

from .edits import Sheet, play_on
from .items import Item, PlayedMove
from .record import GameRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A legal move in the place of a ply."""

    move: str
    fitting: int
    """How many of the moves after it stay as they were recorded."""
    is_recorded: bool


def position_before(record: GameRecord, ply: int) -> Position:
    """Return the position in which a ply was played, counted from 1; past the end, the last."""
    variant = record.variant or Variant.INTERNATIONAL
    fen = record.start_fen or to_fen(Position.start(variant))
    for item in record.items:
        if isinstance(item, PlayedMove) and item.ply >= ply:
            break
        fen = item.fen
    return parse_fen(fen, variant, lenient=True)


def alternatives(record: GameRecord, ply: int) -> tuple[Alternative, ...]:
    """Return the legal moves in the place of a ply, best first.

    First those after which more of the later moves can be played, then those that end or start
    where the recorded move did.
    """
    position = position_before(record, ply)
    items = record.items
    place = next(
        (n for n, item in enumerate(items) if isinstance(item, PlayedMove) and item.ply == ply),
        len(items),
    )
    recorded = items[place] if place < len(items) else None
    path = recorded.path if isinstance(recorded, PlayedMove) else ()
    sheet = Sheet(variant=position.variant, start_fen=to_fen(position))
    ranked: list[tuple[int, int, int, Alternative]] = []
    for move in legal_moves(position):
        after = _kept(sheet, to_fen(position.after(move)), items[place + 1 :])
        text = move_text(move, position)
        is_recorded = isinstance(recorded, PlayedMove) and recorded.move == text
        near = (bool(path) and move.end == path[-1]) * 2 + (bool(path) and move.start == path[0])
        option = Alternative(move=text, fitting=after, is_recorded=is_recorded)
        ranked.append((-after, -near, len(ranked), option))
    return tuple(option for *_, option in sorted(ranked, key=lambda row: row[:3]))


def _kept(sheet: Sheet, fen: str, rest: tuple[Item, ...]) -> int:
    """Return how many moves in a row can be played from a position."""
    start = Sheet(variant=sheet.variant, start_fen=fen)
    count = 0
    for item in play_on(start, [], rest):
        if not isinstance(item, PlayedMove):
            break
        count += 1
    return count
