"""What a relay that polls the feed of a hub needs, from the first second to the last result."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from damcam.game.feed_lint import IDENTITY_TAGS, lint_feed
from damcam.game.feed_split import split_feed
from damcam.hall.hall_events import ResultDeclared
from damcam.hall.projection import Hall
from damcam.hall.round_feed import RoundFeed
from damcam.hall.stored import Stored, opening_line
from damcam.journal.database import Header
from damcam.journal.events import ClockRead, Event
from rules import Color
from tests.damcam.hall.boards import (
    BEGAN_UTC,
    SUBJECTS,
    WHO,
    Stream,
    ended,
    flagged,
    game,
    in_loop,
    lines,
    name,
    sheet,
)
from tests.damcam.records import accepted
from vision import GameStarted

BOARDS = 4
CLOCK = ClockRead(
    at_ms=6_000, seen_ms=6_000, ply=6, white_ms=60_000, black_ms=50_000, running=Color.WHITE
)
SET_UP = GameStarted(at_ms=0, seen_ms=0, variant="international", fen="B:W31-33,K50:B1-2")
PLAYED: Sequence[Sequence[Event]] = (
    [*game(1, plies=6), CLOCK, ended()],
    accepted(),
    [SET_UP, flagged()],
    [],
)


def messages() -> Iterator[Stored]:
    """Yield a round: told of, then played at its boards side by side, then ended by the arbiter."""
    stream = Stream()
    stream.tell(sheet(BOARDS))
    yield from stream.messages
    told = [[opening(board), *lines(events)] for board, events in enumerate(PLAYED, start=1)]
    for row in zip_longest(*told):
        for board, line in enumerate(row, start=1):
            if line is not None:
                yield stream.keep(SUBJECTS.game(name(board)), line)
    for board in range(2, BOARDS + 1):
        stream.tell([ResultDeclared(round=1, board=board, result="1-1", **WHO)])
        yield stream.messages[-1]


def opening(board: int) -> bytes:
    """Return how a recorder begins that has names of its own for everything."""
    tags = {"Event": "Test run", "Site": f"Table {board}", "White": "me", "Round": "?"}
    header = Header(created_utc=BEGAN_UTC, source="0", tags=tuple(tags.items()))
    return opening_line(header)


def known_by(feed: str) -> list[list[str]]:
    """Return the lines by which each game is known."""
    heads = tuple(f"[{tag} " for tag in IDENTITY_TAGS)
    return [
        [line for line in chunk.splitlines() if line.startswith(heads)]
        for _, chunk in split_feed(feed)
    ]


def test_a_relay_can_follow_the_round_at_every_moment() -> None:
    def check() -> None:
        hall = Hall(SUBJECTS)
        feed, first, tags = RoundFeed(hall), list[list[str]](), dict[str, bytes]()
        for stored in messages():
            hall.take(stored)
            if len(hall.boards()) < BOARDS:
                continue
            text = feed.pdn
            first = first or known_by(text.body.decode())
            assert known_by(text.body.decode()) == first
            faults = [one for one in lint_feed(text.body) if one.severity == "error"]
            assert faults == [], stored
            assert tags.setdefault(text.etag, text.body) == text.body
        assert len(first) == BOARDS
        assert len(tags) > 20
        games = [chunk for _, chunk in split_feed(feed.pdn.body.decode())]
        ends = [chunk.split()[-1] for chunk in games]
        assert ends == ["2-0", "1-1", "1-1", "1-1"]
        assert "[%clock w0:01:00 b0:00:50]" in games[0]
        assert '/FEN "' in games[1]
        assert '[FEN "B:W31,32,33,K50:B1,2"]' in games[2]

    in_loop(check)
