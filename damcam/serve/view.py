"""What a page shows: a game, its names, and the language in which it is told."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import Self

from ..game.record import GameRecord
from .evaluation import Evaluation
from .language import Language, language_named


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A game as one reader gets it.

    Attributes:
        record: the game.
        tags: its PDN tags.
        language: in which it is told.
        base: the path below which the game's addresses are.
        stills: the flags of which there is a picture.
        stills_path: the path below `base` where these are.
        evaluation: what an engine thinks of the newest position.
        ply: show the position after this many moves; None for the newest.
        is_flipped: Black's side at the bottom.
    """

    record: GameRecord
    tags: Mapping[str, str]
    language: Language = field(default_factory=lambda: language_named("en"))
    base: str = ""
    stills: frozenset[int] = frozenset()
    stills_path: str = "/stills"
    evaluation: Evaluation | None = None
    ply: int | None = None
    is_flipped: bool = False

    @property
    def names(self) -> tuple[str, str]:
        """Return White's and Black's name, safe inside HTML."""
        white, black = self.text("White"), self.text("Black")
        return (
            escape(_known(self.tags.get("White")) or white),
            escape(_known(self.tags.get("Black")) or black),
        )

    @property
    def shown(self) -> int:
        """Return after how many moves the position is shown."""
        count = len(self.record.moves)
        return count if self.ply is None else max(0, min(self.ply, count))

    @property
    def is_newest(self) -> bool:
        """Whether the position is the one that stands on the board."""
        return self.shown == len(self.record.moves)

    def text(self, message: str) -> str:
        """Return a message in the language of the view."""
        return self.language.text(message)

    def at(self, ply: int | None) -> Self:
        """Return the view after `ply` moves."""
        return replace(self, ply=ply)


def _known(name: str | None) -> str:
    return "" if name in (None, "?") else str(name)
