"""The three-move ballot of English draughts: 174 openings in ACF numbering, 156 in the deck."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from .game import Game
from .notation import parse_move
from .squares import Variant

_OPENINGS = """
9-13 21-17: 5-9 6-9 10-14
9-13 22-17: 13x22
9-13 22-18: 6-9 10-14 10-15 11-15 11-16 12-16
9-13 23-18: 5-9 6-9 10-14 10-15 11-15 11-16 12-16
9-13 23-19: 5-9 6-9 10-14 10-15 11-16
9-13 24-19: 5-9 6-9 10-14 10-15 11-15 11-16
9-13 24-20: 5-9 6-9 10-14 10-15 11-15 11-16 12-16
9-14 22-17: 5-9 6-9 11-15 11-16
9-14 22-18: 5-9 10-15 11-15 11-16 12-16 14-17
9-14 23-18: 14x23
9-14 23-19: 5-9 10-15 11-16 14-18
9-14 24-19: 5-9 10-15 11-15 11-16
9-14 24-20: 5-9 10-15 11-15 11-16
10-14 22-17: 7-10 9-13 11-15 11-16 14-18
10-14 22-18: 6-10 7-10 11-15 11-16 12-16
10-14 23-18: 14x23
10-14 23-19: 6-10 7-10 11-15 11-16 14-18
10-14 24-19: 6-10 7-10 11-15 11-16 14-18
10-14 24-20: 6-10 7-10 11-15 11-16 14-18
10-15 21-17: 6-10 7-10 9-13 9-14 11-16 15-18
10-15 22-17: 6-10 7-10 9-13 9-14 11-16 15-19
10-15 22-18: 15x22
10-15 23-18: 6-10 7-10 9-14 11-16 12-16
10-15 23-19: 6-10 7-10 11-16
10-15 24-19: 15x24
10-15 24-20: 6-10 7-10 11-16 15-19
11-15 21-17: 8-11 9-13 9-14 10-14 15-19
11-15 22-17: 8-11 9-13 15-18 15-19
11-15 22-18: 15x22
11-15 23-18: 8-11 9-14 10-14 12-16 15-19
11-15 23-19: 8-11 9-13 9-14
11-15 24-19: 15x24
11-15 24-20: 8-11 12-16 15-18
11-16 21-17: 7-11 8-11 9-13 9-14 10-14 16-20
11-16 22-17: 7-11 8-11 9-13 16-20
11-16 22-18: 7-11 8-11 10-15 16-19 16-20
11-16 23-18: 7-11 8-11 9-14 10-14 16-20
11-16 23-19: 16x23
11-16 24-19: 7-11 8-11 10-15 16-20
11-16 24-20: 7-11 16-19
12-16 21-17: 9-13 9-14 16-19 16-20
12-16 22-17: 16-19 16-20
12-16 22-18: 16-19 16-20
12-16 23-18: 9-14 16-19 16-20
12-16 23-19: 16x23
12-16 24-19: 16-20
12-16 24-20: 8-12 10-15
"""
"""First two moves and the third moves that follow them, in the order of the ACF numbers."""

BARRED = frozenset((3, 13, 26, 35, 44, 45, 48, 52, 77, 88, 94, 109, 114, 137, 145, 156, 168, 171))
"""ACF numbers that are not in the deck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Three moves with which a game must begin."""

    number: int
    """The ACF number, 1-174."""
    moves: tuple[str, str, str]
    is_barred: bool

    @property
    def game(self) -> Game:
        """Return the game after the three moves."""
        game = Game.start(Variant.ENGLISH)
        for text in self.moves:
            game = game.after(parse_move(text, game.position))
        return game


@cache
def openings() -> tuple[Opening, ...]:
    """Return all openings, the barred ones included."""
    return tuple(
        Opening(number=number, moves=moves, is_barred=number in BARRED)
        for number, moves in enumerate(_triples(), 1)
    )


def _triples() -> Iterator[tuple[str, str, str]]:
    for line in _OPENINGS.split("\n"):
        if line:
            start, _, thirds = line.partition(": ")
            first, second = start.split()
            yield from ((first, second, third) for third in thirds.split())


def ballot_deck() -> tuple[Opening, ...]:
    """Return the openings that can be drawn."""
    return tuple(opening for opening in openings() if not opening.is_barred)


def draw_opening(seed: int) -> Opening:
    """Draw one opening of the deck; the same seed draws the same one, on every machine."""
    deck = ballot_deck()
    drawn = int.from_bytes(sha256(str(seed).encode()).digest())
    return deck[drawn % len(deck)]


def find_opening(game: Game) -> Opening | None:
    """Return the opening with which a game began; None where it was none of the ballot."""
    if game.variant is not Variant.ENGLISH or len(game.positions) < 4:
        return None
    reached = game.positions[3]
    return next((one for one in openings() if one.game.position == reached), None)
