"""A board of a round as it is published."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..game.record import GameRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A game with its place in the round and all its tags."""

    number: int
    record: GameRecord
    tags: Mapping[str, str]
