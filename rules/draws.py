"""Draws by rule: counters that can be read at any ply, and profiles that say what they mean.

A ply is one player's move, so "25 moves by each" are 50 plies (FMJD 6.1-6.4, WCDF 1.32).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from .move import Move
from .position import Position
from .squares import Color, Variant, long_diagonal


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawProfile:
    """The draw rules of a federation or house; None switches a rule off."""

    name: str
    repetitions: int | None = 3
    """Occurrences of a position with the same side to move (6.1)."""
    king_plies: int | None = None
    """Plies in a row with kings only and without a capture (6.2)."""
    three_pieces_plies: int | None = None
    """Three pieces, a king among them, against a lone king (6.3)."""
    diagonal_plies: int | None = None
    """The same while the lone king alone keeps the long diagonal (6.3)."""
    two_pieces_plies: int | None = None
    """At most two pieces, a king among them, against a lone king (6.4)."""
    restarts_with_material: bool = False
    """A capture or a promotion starts the two counts of material again (not so at FMJD)."""
    is_claimed: bool = False
    """A player must claim the draw; nothing ends by itself (WCDF 1.32.1, 1.32.2)."""
    quiet_plies: int | None = None
    """Plies in a row without a capture or a man's move, to be claimed (WCDF 1.32.2)."""
    is_giveaway: bool = False
    """Who has no move left wins."""
    allows_huffing: bool = False
    """A piece that failed to capture may be taken off; recorded, not enforced."""


@cache
def draw_profiles() -> Mapping[str, DrawProfile]:
    """Return the known profiles by name."""
    fmjd = DrawProfile(
        name="fmjd2024",
        king_plies=50,
        three_pieces_plies=32,
        diagonal_plies=10,
        two_pieces_plies=10,
    )
    profiles = (
        fmjd,
        replace(fmjd, name="lidraughts", diagonal_plies=None, restarts_with_material=True),
        replace(fmjd, name="ludoteka", diagonal_plies=None),
        DrawProfile(name="wcdf", is_claimed=True, quiet_plies=80),
        DrawProfile(name="house"),
    )
    return MappingProxyType({profile.name: profile for profile in profiles})


def draw_profile(name: str) -> DrawProfile:
    """Return a profile by its name; `house` is a base for `dataclasses.replace`.

    Raises:
        ValueError: there is no such profile.
    """
    profiles = draw_profiles()
    if name not in profiles:
        raise ValueError(f"draw profile must be one of {', '.join(profiles)}, got {name!r}")
    return profiles[name]


def default_profile(variant: Variant) -> DrawProfile:
    """Return the profile that a game has when nothing else is agreed."""
    match variant:
        case Variant.INTERNATIONAL:
            return draw_profile("fmjd2024")
        case Variant.CANADIAN:
            return draw_profile("ludoteka")
        case Variant.ENGLISH:
            return draw_profile("wcdf")
        case _:
            return draw_profile("house")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawCounters:
    """What the draw rules have counted up to now; None: that count does not run."""

    occurrences: int = 1
    king_plies: int = 0
    quiet_plies: int = 0
    three_pieces: int | None = None
    diagonal: int | None = None
    two_pieces: int | None = None

    @classmethod
    def at(cls, position: Position) -> "DrawCounters":
        """Return the counters of a position that opens a game."""
        material = lone_king_material(position)
        return cls(
            three_pieces=0 if material == 3 else None,
            diagonal=0 if material == 3 and keeps_long_diagonal(position) else None,
            two_pieces=0 if material in (1, 2) else None,
        )

    def after(
        self,
        move: Move,
        *,
        before: Position,
        position: Position,
        occurrences: int,
        profile: DrawProfile,
    ) -> "DrawCounters":
        """Return the counters after a move that led from `before` to `position`."""
        is_king_move = before.kings & before.geometry.bit[move.start] and not move.is_capture
        is_man_move = not before.kings & before.geometry.bit[move.start]
        counted = self
        if profile.restarts_with_material and (move.is_capture or move.crowns):
            counted = replace(self, three_pieces=None, diagonal=None, two_pieces=None)
        material = lone_king_material(position)
        three = _next(counted.three_pieces, starts=material == 3)
        is_kept = three is not None and keeps_long_diagonal(position)
        return DrawCounters(
            occurrences=occurrences,
            king_plies=self.king_plies + 1 if is_king_move else 0,
            quiet_plies=0 if is_man_move or move.is_capture else self.quiet_plies + 1,
            three_pieces=three,
            diagonal=_next(counted.diagonal, starts=True) if is_kept else None,
            two_pieces=_next(counted.two_pieces, starts=material in (1, 2)),
        )

    def drawn_clause(self, profile: DrawProfile) -> str | None:
        """Return the FMJD clause by which the game is a draw now; None if it is not."""
        if profile.is_claimed:
            return None
        reached = (clause for clause, _, done, limit in self._rules(profile) if done >= limit)
        return next(reached, None)

    def progress(self, profile: DrawProfile) -> tuple[str, ...]:
        """Say how far each running count is in moves of each side: "long diagonal: 3 of 5"."""
        return tuple(
            f"{name}: {done} of {limit}"
            if name == "repetition"
            else f"{name}: {done // 2} of {limit // 2}"
            for _, name, done, limit in self._rules(profile)
        )

    def _rules(self, profile: DrawProfile) -> list[tuple[str, str, int, int]]:
        rules = (
            ("6.1", "repetition", self.occurrences, profile.repetitions),
            ("6.2", "king moves", self.king_plies, profile.king_plies),
            ("6.3", "long diagonal", self.diagonal, profile.diagonal_plies),
            ("6.3", "three pieces against a king", self.three_pieces, profile.three_pieces_plies),
            ("6.4", "two pieces against a king", self.two_pieces, profile.two_pieces_plies),
            ("1.32.2", "quiet king moves", self.quiet_plies, profile.quiet_plies),
        )
        return [
            (clause, name, done, limit)
            for clause, name, done, limit in rules
            if done is not None and limit is not None
        ]


def _next(count: int | None, *, starts: bool) -> int | None:
    if count is None:
        return 0 if starts else None
    return count + 1


def lone_king_material(position: Position) -> int | None:
    """Return how many pieces, a king among them, face a lone king; None where none does."""
    for lone, strong in ((Color.BLACK, Color.WHITE), (Color.WHITE, Color.BLACK)):
        is_lone = position.count(lone) == 1 and position.count(lone, kings=True) == 1
        if is_lone and position.count(strong, kings=True) >= 1:
            return position.count(strong)
    return None


def keeps_long_diagonal(position: Position) -> bool:
    """Tell whether a lone king stands on the long diagonal and nothing else does (6.3)."""
    bit = position.geometry.bit
    diagonal = sum(bit[square] for square in long_diagonal(position.variant))
    on_it = (position.white | position.black) & diagonal
    return any(
        on_it == own and own & position.kings and own.bit_count() == 1
        for own in (position.white, position.black)
    )
