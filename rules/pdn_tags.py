"""What PDN tags say about the game: GameType in full, clock times and signs in the movetext."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from .squares import Color, Variant, ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class GameType:
    """The GameType tag of PDN 3.0; fields that the tag leaves out are None."""

    number: int
    first: Color | None = None
    width: int | None = None
    height: int | None = None
    notation: Literal["A", "N", "S"] | None = None
    """Algebraic, numbers or SAN."""
    corner: int | None = None
    """Where square 1 or a1 lies for the player who begins: 0 bottom left, 1 bottom right,
    2 top left, 3 top right. Files are known to state it wrongly, so nothing is turned by it."""
    is_inverted: bool | None = None
    """The near left corner is not a playing square."""

    @property
    def variant(self) -> Variant | None:
        """Return the game, if it is one that is known here."""
        found = (
            variant
            for variant in Variant
            if ruleset(variant).game_type.startswith(f"{self.number},")
        )
        return next(found, None)


_GAME_TYPE = re.compile(
    r"(\d{1,3})(?:\s*,\s*([WB])\s*,\s*(\d{1,2})\s*,\s*(\d{1,2})"
    r"\s*,\s*([ANS])([0-3])(?:\s*,\s*([01]))?)?",
    re.ASCII,
)


def parse_game_type(text: str) -> GameType | None:
    """Read a GameType tag; None where it has another form."""
    match = _GAME_TYPE.fullmatch(text.strip())
    if match is None:
        return None
    if match[2] is None:
        return GameType(number=int(match[1]))
    notation: Literal["A", "N", "S"] = "A" if match[5] == "A" else "N" if match[5] == "N" else "S"
    return GameType(
        number=int(match[1]),
        first=Color.WHITE if match[2] == "W" else Color.BLACK,
        width=int(match[3]),
        height=int(match[4]),
        notation=notation,
        corner=int(match[6]),
        is_inverted=None if match[7] is None else match[7] == "1",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTimes:
    """Clock times noted in a comment, in milliseconds; None where nothing is said."""

    mover_ms: int | None = None
    """`%clk`: what the player who just moved has left."""
    white_ms: int | None = None
    black_ms: int | None = None
    running: Color | None = None
    """Whose clock runs: the capital letter of `%clock w0:00:10 B0:00:03`."""


_TIME = r"(\d{1,3}):(\d{1,2})(?::(\d{1,2}))?"
_CLK = re.compile(rf"\[%clk\s+{_TIME}\]", re.ASCII)
_CLOCK = re.compile(r"\[%clock\s+([^\]]*)\]", re.ASCII)
_SIDE_TIME = re.compile(rf"([wWbB]){_TIME}", re.ASCII)


def parse_clock(comment: str) -> ClockTimes | None:
    """Read the clock times in a comment; None where there are none."""
    match = _CLK.search(comment)
    if match is not None:
        return ClockTimes(mover_ms=_milliseconds(match[1], match[2], match[3]))
    match = _CLOCK.search(comment)
    if match is None:
        return None
    times: dict[Color, int] = {}
    running = None
    for letter, hours, minutes, seconds in _SIDE_TIME.findall(match[1]):
        color = Color.WHITE if letter in "wW" else Color.BLACK
        times[color] = _milliseconds(hours, minutes, seconds)
        if letter.isupper():
            running = color
    return ClockTimes(
        white_ms=times.get(Color.WHITE), black_ms=times.get(Color.BLACK), running=running
    )


def clock_comment(*, white_ms: int, black_ms: int, running: Color | None) -> str:
    """Write both times as a `%clock` command, the capital letter for the clock that runs."""
    white = "W" if running is Color.WHITE else "w"
    black = "B" if running is Color.BLACK else "b"
    return f"[%clock {white}{clock_time(white_ms)} {black}{clock_time(black_ms)}]"


def clock_time(milliseconds: int) -> str:
    """Write a time as h:mm:ss, started seconds counting as whole ones."""
    seconds = -(-max(milliseconds, 0) // 1000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _milliseconds(hours: str, minutes: str, seconds: str | None) -> int:
    return (int(hours) * 3600 + int(minutes) * 60 + int(seconds or 0)) * 1000


def strength_nags() -> Mapping[str, int]:
    """Return the NAG of every sign; `*` (the only move) must be written as $7."""
    return MappingProxyType({"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "*": 7})


def sign_meanings() -> Mapping[str, str]:
    """Return what the signs of FMJD 9.1 mean; `?!` and `!?` are the reverse of chess habit."""
    return MappingProxyType(
        {
            "!": "a good move",
            "!!": "an excellent move",
            "?": "a weak move",
            "??": "a blunder",
            "?!": "seems weak, is strong",
            "!?": "seems strong, is weak",
            "*": "the only move",
            "+": "wins",
            "=": "draws",
            "+1": "wins a piece",
            "+2": "wins two pieces",
            "-1": "loses a piece",
            "-2": "loses two pieces",
            "a.l.": "free choice of moves or captures",
        }
    )
