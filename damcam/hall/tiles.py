"""How each board fares, and which of them needs somebody first."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from ..game.items import Clocks
from ..game.pdn_text import move_number
from ..game.record import GameRecord
from .projection import BoardGame

State = Literal["desync", "camera lost", "unsure", "ok", "waiting", "finished"]
NEEDS: Final[tuple[State, ...]] = (
    *("desync", "camera lost", "unsure", "ok", "waiting", "finished"),
)
"""The most urgent first."""

SURE: Final = 0.99
SILENT_S: Final = 15.0
"""A node speaks every three seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A board on the dashboard."""

    board: int
    state: State
    why: str
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
        clocks=record.clocks,
        camera=recording.name.place if recording else "",
        seq=record.seq,
    )


def tiles_of(
    games: Iterable[BoardGame], silent_s: Callable[[BoardGame], float | None]
) -> list[Tile]:
    """Return the tiles, the one that needs somebody most in front."""
    tiles = [tile_of(game, silent_s(game)) for game in games]
    return sorted(tiles, key=lambda tile: tile.urgency)


def _state(game: BoardGame, record: GameRecord, silent_s: float | None) -> tuple[State, str]:
    recording = game.recording
    if record.ending is not None:
        return "finished", f"{record.ending.result}, {record.ending.reason}"
    if recording is None:
        return "waiting", "no camera has begun"
    if recording.gap:
        return "desync", f"events before number {recording.gap} are missing"
    if record.board == "disturbed":
        return "desync", "the pieces were disturbed"
    lost = _lost(record, silent_s)
    if lost:
        return "camera lost", lost
    unsure = _unsure(record, recording.refused)
    if unsure:
        return "unsure", unsure
    if record.start_fen is None:
        return "waiting", "the game has not begun"
    return "ok", ""


def _lost(record: GameRecord, silent_s: float | None) -> str:
    if record.board == "lost":
        return "the board is out of the picture"
    if record.lost_devices:
        return f"no {', no '.join(sorted(record.lost_devices))}"
    if silent_s is not None and silent_s > SILENT_S and not record.is_stopped:
        return f"nothing heard for {int(silent_s)} s"
    return ""


def _unsure(record: GameRecord, refused: int) -> str:
    if record.open_flags:
        return f"irregularity, clause {record.open_flags[-1].clause}"
    if record.is_stopped and record.start_fen is not None:
        return "the recording ended without a result"
    if record.placed_correctly is False:
        return "the board lies the wrong way round"
    if record.moves and record.moves[-1].confidence < SURE:
        return f"last move {100 * record.moves[-1].confidence:.0f} % sure"
    return f"{refused} messages could not be believed" if refused else ""
