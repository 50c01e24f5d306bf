"""A board without a camera: a journal that begins with the position and goes on by edits."""

from pathlib import Path

from rules import Position, Variant, to_fen
from vision import GameStarted

from ..journal.database import Header, Journal

SOURCE = "by hand"


def hand_header(created_utc: str, tags: tuple[tuple[str, str], ...]) -> Header:
    """Return the header of a game that is entered by hand.

    Args:
        created_utc: ISO 8601 in seconds.
        tags: PDN tags that are known; the date is added.
    """
    date = created_utc[:10].replace("-", ".")
    return Header(created_utc=created_utc, source=SOURCE, tags=(*tags, ("Date", date)))


def start_of(variant: Variant) -> GameStarted:
    """Return the event with which a game of this kind begins."""
    return GameStarted(
        at_ms=0, seen_ms=0, variant=variant.value, fen=to_fen(Position.start(variant))
    )


def begin_by_hand(path: Path, header: Header, variant: Variant) -> None:
    """Make the journal of a board by hand.

    Raises:
        FileExistsError: There is one.
        JournalError: It cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    journal = Journal.create(path, header)
    journal.append(start_of(variant))
    journal.close()
