"""What an organiser told about the hall: rounds, pairings, which camera stands at which board.

Like the edits of a game these are facts in the past tense that name who told them, when by the
wall clock, and why; they share one line of the stream, so that every hub reads the same order.
"""

import json
from dataclasses import dataclass
from typing import Final, Literal, get_args

from ..journal.event_json import JournalError, plain_fields, typed_fields
from .screening import MOST_TAGS, checked_tags

SCHEMA_VERSION: Final = 1
MOST_BOARDS: Final = 256
"""Twice what the largest relay takes."""

MOST_ROUNDS: Final = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOpened:
    """A round began: from now on recordings belong to it. `tags` are those of every game."""

    by: str
    at_utc: str
    why: str
    round: int
    tags: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingsSet:
    """Who plays at which board of a round; replaces what was set before."""

    by: str
    at_utc: str
    why: str
    round: int
    boards: tuple[tuple[int, str, str], ...]
    """Board, White, Black."""
    tags: tuple[tuple[int, str, str], ...]
    """Board, and further PDN tags of its game, such as `WhiteTitle`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraBound:
    """A camera, `NODE.CAMERA`, was put at a board; board 0: it was taken away."""

    by: str
    at_utc: str
    why: str
    camera: str
    board: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBound:
    """The game of a board is this recording whatever the camera says; empty: as the camera says."""

    by: str
    at_utc: str
    why: str
    round: int
    board: int
    camera: str
    recording: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultDeclared:
    """The arbiter's result of a board, also where nothing was recorded; `*` takes it back."""

    by: str
    at_utc: str
    why: str
    round: int
    board: int
    result: Literal["2-0", "1-1", "0-2", "0-0", "*"]


HallEvent = RoundOpened | PairingsSet | CameraBound | GameBound | ResultDeclared


def hall_json(event: HallEvent) -> str:
    """Return one line of JSON."""
    head = {"v": SCHEMA_VERSION, "type": type(event).__name__}
    return json.dumps(head | plain_fields(event), ensure_ascii=False, separators=(",", ":"))


def hall_event(line: str) -> HallEvent:
    """Return the event that `hall_json` wrote.

    Raises:
        JournalError: The line is none, or a number in it is none that a hall can have.
    """
    kinds = {kind.__name__: kind for kind in get_args(HallEvent)}
    try:
        data = json.loads(line)
        if data["v"] != SCHEMA_VERSION:
            raise ValueError(f'"v" must be {SCHEMA_VERSION}')
        kind = kinds[data["type"]]
        event: HallEvent = kind(**typed_fields(kind, data))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise JournalError(f"{line[:80]!r} is no event of a hall: {error}") from error
    _check(event)
    return event


def _check(event: HallEvent) -> None:
    if not all(1 <= board <= MOST_BOARDS for board in _boards(event)):
        raise JournalError(f"boards are 1-{MOST_BOARDS}")
    if isinstance(event, CameraBound):
        return
    if not 1 <= event.round <= MOST_ROUNDS:
        raise JournalError(f"rounds are 1-{MOST_ROUNDS}")
    if isinstance(event, RoundOpened):
        checked_tags(event.tags)
    elif isinstance(event, PairingsSet):
        if len(event.boards) > MOST_BOARDS or len(event.tags) > MOST_TAGS * MOST_BOARDS:
            raise JournalError(f"a round has {MOST_BOARDS} boards at most")
        for board in {board for board, *_ in event.tags}:
            checked_tags([(name, value) for at, name, value in event.tags if at == board])
        for _, white, black in event.boards:
            checked_tags({"White": white, "Black": black})


def _boards(event: HallEvent) -> tuple[int, ...]:
    match event:
        case PairingsSet():
            return (*(board for board, *_ in event.boards), *(board for board, *_ in event.tags))
        case GameBound() | ResultDeclared():
            return (event.board,)
        case CameraBound():
            return (event.board,) if event.board != 0 else ()
        case RoundOpened():
            return ()
