"""Records that every output must be able to show."""

import re

from damcam.game.record import GameRecord, fold
from damcam.journal.events import Entry, Event
from tests.damcam.fakes import flag_of, random_moves, told
from vision import IrregularityResolved, MoveSettled

TAGS = {"White": "Wiersma, Harm", "Black": "Ann", "Event": "Cup", "Site": "Hall", "Round": "3.7"}


def record_of(*events: Event) -> GameRecord:
    return fold(Entry(seq=seq, event=event) for seq, event in enumerate(events, start=1))


def accepted() -> list[Event]:
    """Return a game in which an irregularity was accepted."""
    events: list[Event] = list(told(random_moves(6, seed=5)))
    last = events[-1]
    assert isinstance(last, MoveSettled)
    fen = re.sub("^[WB]", {"W": "B", "B": "W"}[last.fen[0]], last.fen)
    flag = flag_of(fen, at_ms=9000, squares=last.path)
    resolved = IrregularityResolved(at_ms=9000, seen_ms=9000, flag=8, how="accepted", fen=fen)
    return [*events, flag, resolved]
