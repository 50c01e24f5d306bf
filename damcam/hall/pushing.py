"""What a pushed game means in a hall: its board, and what its journal does not have yet."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rules import Position, to_fen

from ..game.items import Setup
from ..game.record import GameRecord
from ..journal.events import ClockRead
from ..journal.operator_events import MovesEdited, ResultSet
from ..serve.operator_forms import results_of
from ..serve.pushed import PushedGame
from ..serve.static_tree import round_and_board

WHY: Final = "pushed"
"""By this a result that was pushed is known from one that somebody entered."""

MOST_MOVES: Final = 100
"""Of one event, so that its line stays short."""

WORTH: Final = (("2-0", "1-0"), ("1-1", "1/2-1/2"), ("0-2", "0-1"), ("0-0",))


def board_of(game: PushedGame, number: int, seats: Mapping[int, Mapping[str, str]]) -> int | None:
    """Return the board of a pushed game: that of its players, else that of its Round tag.

    Args:
        game: The game.
        number: The round that is played.
        seats: The tags of each board of the round.
    """
    tags = dict(game.tags)
    paired = [board for board, seat in seats.items() if _players(seat) == _players(tags)]
    named = round_and_board(tags.get("Round", ""))
    if len(paired) == 1 or named in {(number, board) for board in paired}:
        return paired[0] if len(paired) == 1 else named[1]
    nobody = {board for board, seat in seats.items() if _players(seat) == ("", "")}
    return named[1] if not paired and named[0] == number and named[1] in nobody else None


def fault_of(game: PushedGame) -> str:
    """Return why a hub cannot take a game; empty if it can."""
    start = Position.start(game.record.variant) if game.record.variant else None
    if start is None or game.record.start_fen != to_fen(start):
        return "the game does not begin with the start position"
    if any(isinstance(item, Setup) for item in game.record.items):
        return "a position is set up in the middle of the game"
    return ""


def goes_on(record: GameRecord, game: PushedGame) -> bool:
    """Tell whether edits can make a recorded game the pushed one."""
    return record.variant is game.record.variant and len(record.moves) == len(record.items)


def is_whole(record: GameRecord, game: PushedGame) -> bool:
    """Tell whether a recorded game has the moves of the pushed one."""
    return [move.move for move in record.moves] == [move.move for move in game.record.moves]


def edits_of(record: GameRecord, game: PushedGame, who: Mapping[str, str]) -> Iterator[MovesEdited]:
    """Yield the edits after which a recorded game has the moves of the pushed one.

    Args:
        record: The game as recorded.
        game: The game as pushed.
        who: Who makes the edits, when and why.
    """
    made: dict[str, Any] = {"at_ms": record.at_ms, "seen_ms": record.at_ms, **who}
    now = [move.move for move in record.moves]
    wanted = [move.move for move in game.record.moves]
    same = _common(now, wanted)
    for end in range(len(now), same + MOST_MOVES, -MOST_MOVES):
        removes = tuple(now[end - MOST_MOVES : end])
        yield MovesEdited(ply=end - MOST_MOVES + 1, removes=removes, inserts=(), **made)
        del now[end - MOST_MOVES :]
    if now != wanted:
        removes, inserts = tuple(now[same:]), tuple(wanted[same : same + MOST_MOVES])
        yield MovesEdited(ply=same + 1, removes=removes, inserts=inserts, **made)
    for first in range(same + MOST_MOVES, len(wanted), MOST_MOVES):
        inserts = tuple(wanted[first : first + MOST_MOVES])
        yield MovesEdited(ply=first + 1, removes=(), inserts=inserts, **made)


def times_of(record: GameRecord, game: PushedGame) -> Iterator[ClockRead]:
    """Yield the clocks of moves that a recorded game, with all moves of the pushed one, lacks."""
    for has, move in zip(record.moves, game.record.moves, strict=False):
        if move.clocks is not None and move.clocks != has.clocks:
            yield ClockRead(
                at_ms=move.clocks.at_ms,
                seen_ms=move.clocks.at_ms,
                ply=move.ply,
                white_ms=move.clocks.white_ms,
                black_ms=move.clocks.black_ms,
                running=move.clocks.running,
            )


def ending_of(record: GameRecord, game: PushedGame, who: Mapping[str, str]) -> Iterator[ResultSet]:
    """Yield the edit after which a recorded game ends as the pushed one, if it takes one.

    A result that somebody entered stays; one that was pushed gives way to another.

    Args:
        record: The game as recorded.
        game: The game as pushed.
        who: Who makes the edit, when and why.
    """
    has = record.ending.result if record.ending else "*"
    result: Any = _result_of(game)
    if result != has and not _is_entered(record):
        yield ResultSet(result=result, at_ms=record.at_ms, seen_ms=record.at_ms, **who)


def _result_of(game: PushedGame) -> str:
    """Return the result of a pushed game as its kind of draughts writes it."""
    if game.record.ending is None:
        return "*"
    known = results_of(game.record)
    alike = next((pair for pair in WORTH if game.record.ending.result in pair), ())
    return next((one for one in known if one in alike), "*")


def _is_entered(record: GameRecord) -> bool:
    """Tell whether somebody entered the result at the desk."""
    results = (
        edit.event
        for edit in reversed(record.edits)
        if isinstance(edit.event, ResultSet) and not edit.is_undone
    )
    newest = next(results, None)
    return newest is not None and newest.why != WHY


def _players(tags: Mapping[str, str]) -> tuple[str, str]:
    white, black = (
        " ".join(tags.get(color, "").split()).casefold() for color in ("White", "Black")
    )
    return white.strip("?"), black.strip("?")


def _common(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many items two lists begin with alike."""
    pairs = zip(one, other, strict=False)
    return next(
        (place for place, (first, second) in enumerate(pairs) if first != second),
        min(len(one), len(other)),
    )
