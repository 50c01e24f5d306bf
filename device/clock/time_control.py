"""Time controls: how much time a player gets, and when more of it.

The notation is that of the PGN and PDN tag `TimeControl`, in seconds: `40/5400:3600` is 90
minutes for 40 moves and then an hour for the rest, `4800+60` is 80 minutes with a bonus of a
minute a move. Two letters are ours: `300d3` is a delay of 3 seconds, `300b3` gives back at most
3 seconds of the time used (Bronstein). A `*` at the end repeats the last period.
"""

import re
from dataclasses import dataclass
from enum import Enum


class Method(Enum):
    """What the bonus of a period does."""

    NONE = "none"
    FISCHER = "fischer"
    """The bonus is added for every move, used or not."""
    BRONSTEIN = "bronstein"
    """The time used is given back after the move, at most the bonus."""
    DELAY = "delay"
    """The bonus passes first, before the clock counts."""


_LETTERS = {"+": Method.FISCHER, "d": Method.DELAY, "b": Method.BRONSTEIN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """One stretch of a game.

    Attributes:
        main_ms: time that is added when the period begins.
        moves: moves to be made in it (FMJD 10.2); None for the rest of the game (10.3) or, where
            another period follows, until the time runs out.
        bonus_ms: time of the method for each move.
    """

    main_ms: int
    moves: int | None = None
    method: Method = Method.NONE
    bonus_ms: int = 0

    def __post_init__(self) -> None:
        if self.main_ms < 0 or self.bonus_ms < 0:
            raise ValueError(f"a period's times must not be below 0, got {self!r}")
        if self.moves is not None and self.moves < 1:
            raise ValueError(f"a period has at least 1 move, got {self.moves!r}")
        if (self.method is Method.NONE) != (self.bonus_ms == 0):
            raise ValueError(f"a bonus needs a method and a method a bonus, got {self!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """All periods of a game, the same for both players."""

    periods: tuple[Period, ...]
    repeats_last: bool = False

    def __post_init__(self) -> None:
        if not self.periods:
            raise ValueError("a time control needs at least one period")
        if self.repeats_last and self.periods[-1].moves is None:
            raise ValueError("only a period with a number of moves can be repeated")

    def period(self, index: int) -> Period | None:
        """Return the period with an index, None after the last."""
        if index < len(self.periods):
            return self.periods[index]
        return self.periods[-1] if self.repeats_last else None

    @property
    def start_ms(self) -> int:
        """The time on the clock before the first move, a Fischer bonus included."""
        first = self.periods[0]
        return first.main_ms + (first.bonus_ms if first.method is Method.FISCHER else 0)

    @property
    def text(self) -> str:
        """The control as the tag `TimeControl` has it."""
        return ":".join(map(_period_text, self.periods)) + ("*" if self.repeats_last else "")


def parse_time_control(text: str) -> TimeControl:
    """Return the time control that a preset name or a text in seconds means.

    Raises:
        ValueError: the text is neither.
    """
    if text in PRESETS:
        return PRESETS[text]
    bare = text.strip().lower()
    repeats_last = bare.endswith("*")
    return TimeControl(
        periods=tuple(_parse_period(part, text) for part in bare.removesuffix("*").split(":")),
        repeats_last=repeats_last,
    )


def _parse_period(part: str, whole: str) -> Period:
    found = re.fullmatch(r"(?:(\d{1,4})/)?(\d{1,6})(?:([+db])(\d{1,5}))?", part, re.ASCII)
    if found is None:
        known = ", ".join(PRESETS)
        raise ValueError(
            f"a time control is written like 40/5400:3600, 4800+60, 300d3 or 300b3,"
            f" or is one of {known}; got {whole!r}"
        )
    moves, main_s, letter, bonus_s = found.groups()
    bonus_ms = 1000 * int(bonus_s or 0)
    return Period(
        main_ms=1000 * int(main_s),
        moves=None if moves is None else int(moves),
        method=_LETTERS[letter] if bonus_ms else Method.NONE,
        bonus_ms=bonus_ms,
    )


def _period_text(period: Period) -> str:
    moves = "" if period.moves is None else f"{period.moves}/"
    letters = {method: letter for letter, method in _LETTERS.items()}
    letter = letters.get(period.method, "")
    bonus = f"{letter}{period.bonus_ms // 1000}" if letter else ""
    return f"{moves}{period.main_ms // 1000}{bonus}"


_MINUTE_MS = 60_000


def _fischer(minutes: int, bonus_s: int) -> TimeControl:
    period = Period(main_ms=minutes * _MINUTE_MS, method=Method.FISCHER, bonus_ms=1000 * bonus_s)
    return TimeControl(periods=(period,))


def _moves(moves: int, minutes: int) -> Period:
    return Period(main_ms=minutes * _MINUTE_MS, moves=moves)


def _rest(minutes: int) -> Period:
    return Period(main_ms=minutes * _MINUTE_MS)


PRESETS: dict[str, TimeControl] = {
    "fmjd": _fischer(80, 60),
    "fmjd-classic": TimeControl(periods=(_moves(50, 120), _moves(25, 60)), repeats_last=True),
    "fmjd-two-hours": TimeControl(periods=(_moves(50, 120), _rest(60))),
    "fmjd-short-finish": TimeControl(periods=(_moves(50, 120), _rest(30))),
    "fmjd-forty": TimeControl(periods=(_moves(40, 90), _rest(60))),
    "fmjd-rapid": _fischer(20, 5),
    "fmjd-blitz": _fischer(5, 3),
    "fmjd-superblitz": _fischer(2, 2),
    "georgiev-lehmann": _fischer(5, 2),
    "georgiev-lehmann-match": _fischer(10, 2),
    "wcdf": TimeControl(periods=(_moves(30, 60), _moves(15, 30)), repeats_last=True),
    "acf-master": TimeControl(periods=(_rest(90),)),
    "acf-master-bonus": _fischer(80, 10),
}
"""Controls of FMJD Annex 3 article 6.1 and of FMJD, WCDF and ACF events, by our names."""
