"""How each board fares, and which of them needs somebody first."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from rules import Color

from ..game.items import Clocks, Ending
from ..game.pdn_text import move_number
from ..game.record import GameRecord
from ..serve.language import Language
from ..serve.texts import REASONS, message
from .projection import BoardGame

State = Literal["desync", "camera lost", "unsure", "ok", "waiting", "finished"]
NEEDS: Final[tuple[State, ...]] = (
    *("desync", "camera lost", "unsure", "ok", "waiting", "finished"),
)
"""The most urgent first."""

STATE_WORDS: Final[dict[State, str]] = {
    "desync": message("desync"),
    "camera lost": message("camera lost"),
    "unsure": message("unsure"),
    "ok": message("ok"),
    "waiting": message("waiting"),
    "finished": message("finished"),
}
SURE: Final = 0.99
SILENT_S: Final = 15.0
"""A node speaks every three seconds."""


@dataclass(frozen=True, slots=True)
class Why:
    """Why a board is in its state: a message, and what stands in its places."""

    text: str = ""
    values: tuple[tuple[str, object], ...] = ()

    def told(self, language: Language) -> str:
        """Return it in a language; reasons are messages themselves."""
        values = dict(self.values)
        if "reason" in values:
            reason = str(values["reason"])
            values["reason"] = language.text(REASONS.get(reason, reason))
        return language.text(self.text).format(**values) if self.text else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A board on the dashboard."""

    board: int
    state: State
    why: Why
    white: str
    black: str
    moves: int
    last: str
    result: str
    clocks: Clocks | None
    camera: str
    seq: int

    @property
    def urgency(self) -> tuple[int, int]:
        """Return the key by which tiles are sorted."""
        return NEEDS.index(self.state), self.board


def tile_of(game: BoardGame, silent_s: float | None) -> Tile:
    """Return the tile of a board.

    Args:
        game: What is at the board.
        silent_s: For how long its camera has not said that it lives; None where none has to.
    """
    record = game.live.record
    state, why = _state(game, record, silent_s)
    tags = game.live.tags
    last = record.moves[-1] if record.moves else None
    recording = game.recording
    return Tile(
        board=game.board,
        state=state,
        why=why,
        white=tags.get("White", "?"),
        black=tags.get("Black", "?"),
        moves=move_number(record),
        last=last.move if last else "",
        result=record.ending.result if record.ending else "*",
        clocks=_run_on(record.clocks, game.live.age_ms),
        camera=recording.name.place if recording else "",
        seq=record.seq,
    )


def tiles_of(
    games: Iterable[BoardGame], silent_s: Callable[[BoardGame], float | None]
) -> list[Tile]:
    """Return the tiles, the one that needs somebody most in front."""
    tiles = [tile_of(game, silent_s(game)) for game in games]
    return sorted(tiles, key=lambda tile: tile.urgency)


def _run_on(clocks: Clocks | None, age_ms: int) -> Clocks | None:
    """Return the clocks as they stand so long after they were read."""
    if clocks is None or clocks.running is None:
        return clocks
    if clocks.running is Color.WHITE:
        return replace(clocks, white_ms=max(0, clocks.white_ms - age_ms))
    return replace(clocks, black_ms=max(0, clocks.black_ms - age_ms))


def _state(game: BoardGame, record: GameRecord, silent_s: float | None) -> tuple[State, Why]:
    recording = game.recording
    if record.ending is not None:
        return "finished", Why("{result}, {reason}", _ending(record.ending))
    if recording is None:
        return "waiting", Why(message("no camera has begun"))
    if recording.gap:
        missing = message("events before number {number} are missing")
        return "desync", Why(missing, (("number", recording.gap),))
    if record.board == "disturbed":
        return "desync", Why(message("the pieces were disturbed"))
    lost = _lost(record, silent_s)
    if lost is not None:
        return "camera lost", lost
    unsure = _unsure(record, recording.refused)
    if unsure is not None:
        return "unsure", unsure
    if record.start_fen is None:
        return "waiting", Why(message("the game has not begun"))
    return "ok", Why()


def _ending(ending: Ending) -> tuple[tuple[str, object], ...]:
    return ("result", ending.result), ("reason", ending.reason)


def _lost(record: GameRecord, silent_s: float | None) -> Why | None:
    if record.board == "lost":
        return Why(message("the board is out of the picture"))
    if record.lost_devices:
        devices = ", ".join(sorted(record.lost_devices))
        return Why(message("missing: {devices}"), (("devices", devices),))
    if silent_s is not None and silent_s > SILENT_S and not record.is_stopped:
        return Why(message("nothing heard for {seconds} s"), (("seconds", int(silent_s)),))
    return None


def _unsure(record: GameRecord, refused: int) -> Why | None:
    if record.open_flags:
        clause = (("clause", record.open_flags[-1].clause),)
        return Why(message("irregularity, clause {clause}"), clause)
    if record.is_stopped and record.start_fen is not None:
        return Why(message("the recording ended without a result"))
    if record.placed_correctly is False:
        return Why(message("the board lies the wrong way round"))
    if record.moves and record.moves[-1].confidence < SURE:
        percent = (("percent", round(100 * record.moves[-1].confidence)),)
        return Why(message("last move {percent} % sure"), percent)
    if refused:
        return Why(message("{count} messages could not be believed"), (("count", refused),))
    return None
