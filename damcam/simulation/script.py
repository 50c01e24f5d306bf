"""A script: the acts of a film and the game they play, written move by move."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Final

from rules import (
    Color,
    Game,
    Move,
    Piece,
    Position,
    Square,
    Variant,
    board_size,
    move_text,
    row_column,
    to_fen,
)

from .acts import (
    Act,
    BreachResolved,
    Carry,
    Hover,
    Leave,
    MovePlayed,
    Note,
    PressClock,
    PutOn,
    Resolution,
    RuleBroken,
    TakeOff,
    Think,
    Wait,
)
from .tracks import Spot

SETTLING_MS: Final = 1200
"""The board stands still at the beginning and the end of a film."""
HOVER_SHARE: Final = 0.07
"""How often a player reaches for a man and thinks better of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What a film shows and what is true about it."""

    start: Position
    pieces: Mapping[Spot, str]
    """The letters of what stands on the board at first."""
    items: tuple[Act | Note, ...]
    game: Game
    """With a setup wherever an irregularity was accepted."""

    @property
    def variant(self) -> Variant:
        """Return which game is played."""
        return self.start.variant

    @property
    def size(self) -> int:
        """Return the squares along one side of the board."""
        return board_size(self.variant)


class ScriptWriter:
    """Writes a script and knows what stands on the board meanwhile."""

    def __init__(
        self,
        start: Position,
        *,
        random: Random,
        board: Mapping[Square, Piece] | None = None,
        has_clock: bool = False,
    ) -> None:
        """Begin a game.

        Args:
            start: the position from which it is played.
            random: for what is left to chance.
            board: what stands on the board at first, where that is not `start`.
            has_clock: the players press a clock after their moves.
        """
        self.random = random
        self.game = Game.start(start)
        self.board: dict[Square, Piece] = dict(start.pieces if board is None else board)
        """What stands there now, legal or not."""
        self._start, self._has_clock = start, has_clock
        self._pieces = {self.spot(square): piece.letter for square, piece in self.board.items()}
        self._items: list[Act | Note] = [Wait(ms=SETTLING_MS)]

    @property
    def position(self) -> Position:
        """Return the position of the game, which the board may not show."""
        return self.game.position

    @property
    def mover(self) -> Color:
        """Return who is to move."""
        return self.position.side_to_move

    def script(self) -> Script:
        """Return what was written."""
        items = (*self._items, Wait(ms=SETTLING_MS))
        return Script(start=self._start, pieces=self._pieces, items=items, game=self.game)

    def do(self, *items: Act | Note) -> None:
        """Write acts that leave every piece on its square, or notes."""
        self._items += items

    def spot(self, square: Square) -> Spot:
        """Return the centre of a square."""
        return spot_of(self.position.variant, square)

    def carry(self, by: Color, path: tuple[Square, ...]) -> None:
        """Let a hand carry a piece over squares to the last one."""
        self.do(Carry(by=by, path=tuple(self.spot(square) for square in path)))
        self.board[path[-1]] = self.board.pop(path[0])

    def take_off(self, by: Color, squares: tuple[Square, ...], *, other_hand: bool = False) -> None:
        """Let a hand take pieces off the board."""
        spots = tuple(self.spot(square) for square in squares)
        self.do(TakeOff(by=by, spots=spots, with_other_hand=other_hand))
        for square in squares:
            del self.board[square]

    def put_on(self, by: Color, square: Square, piece: Piece) -> None:
        """Let a hand put a piece on an empty square; a king takes two men."""
        is_white = piece.color is Color.WHITE
        for _ in range(2 if piece.is_king else 1):
            self.do(PutOn(by=by, is_white=is_white, spot=self.spot(square)))
        self.board[square] = piece

    def crown(self, by: Color, square: Square) -> None:
        """Let a hand put a second man on one that reached the far row."""
        color = self.board[square].color
        is_white = color is Color.WHITE
        self.do(PutOn(by=by, is_white=is_white, spot=self.spot(square)))
        self.board[square] = Piece.of(color, is_king=True)

    def play(self, move: Move, *, is_crowned: bool = True) -> None:
        """Let the player to move play a legal move in full."""
        by = self.mover
        self.carry(by, move.path)
        if move.captured:
            self.take_off(by, jumped(self.position, move))
        crowns_later = self.random.random() < 0.3
        if move.crowns and is_crowned and not crowns_later:
            self.crown(by, move.end)
        self.record(move)
        self.finish_turn(by)
        if move.crowns and is_crowned and crowns_later:
            self.crown(by.other, move.end)
            self.do(Leave(by=by.other))

    def finish_turn(self, by: Color) -> None:
        """Let the hand go away, by way of the clock if there is one."""
        self.do(PressClock(by=by) if self._has_clock else Leave(by=by))

    def record(self, move: Move) -> None:
        """Note that a legal move was played."""
        text, color = move_text(move, self.position), self.mover
        self.game = self.game.after(move)
        fen = to_fen(self.position)
        self.do(MovePlayed(ply=self.game.ply, color=color, move=move, text=text, fen=fen))

    def broken(self, clause: str, color: Color, squares: tuple[Square, ...], text: str) -> None:
        """Note that an irregularity is complete."""
        board = grid_of(self.position.variant, self.board)
        self.do(RuleBroken(clause=clause, color=color, squares=squares, text=text, board=board))

    def go_on_from_board(self, side_to_move: Color, reason: str) -> None:
        """Let the game go on from what stands on the board."""
        board = Position.from_pieces(self.position.variant, side_to_move, self.board)
        if board != self.position:
            self.game = self.game.set_up(board, note=reason)

    def resolved(self, clause: str, how: Resolution, fen: str | None = None) -> None:
        """Note what became of an irregularity and from which position the game goes on."""
        fen = fen or to_fen(self.position)
        self.do(BreachResolved(clause=clause, how=how, fen=fen))


def jumped(position: Position, move: Move) -> tuple[Square, ...]:
    """Return the captured squares in the order in which they are jumped."""
    variant = position.variant
    order: dict[Square, None] = {}
    places = {row_column(variant, square): square for square in move.captured}
    steps = [row_column(variant, square) for square in move.path]
    for (row, column), (to_row, to_column) in pairwise(steps):
        count = max(abs(to_row - row), abs(to_column - column))
        for step in range(1, count):
            place = (
                row + (to_row - row) * step // count,
                column + (to_column - column) * step // count,
            )
            if place in places:
                order[places[place]] = None
    return tuple(order) + tuple(sorted(move.captured - order.keys()))


def spot_of(variant: Variant, square: Square) -> Spot:
    """Return the centre of a square."""
    row, column = row_column(variant, square)
    return Spot(column + 0.5, row + 0.5)


def grid_of(variant: Variant, board: Mapping[Square, Piece]) -> tuple[str, ...]:
    """Return N strings of N letters of what stands on the squares."""
    size = board_size(variant)
    grid = [["."] * size for _ in range(size)]
    for square, piece in board.items():
        row, column = row_column(variant, square)
        grid[row][column] = piece.letter
    return tuple("".join(row) for row in grid)


def script_of(game: Game, *, seed: int, has_clock: bool = False) -> Script:
    """Return the script of a game without incidents."""
    writer = ScriptWriter(game.initial, random=Random(seed), has_clock=has_clock)
    for move in game.moves:
        think(writer)
        writer.play(move)
    return writer.script()


def think(writer: ScriptWriter) -> None:
    """Let the player to move look at the board, with the hand over it now and then."""
    by, random = writer.mover, writer.random
    writer.do(Think(by=by))
    if random.random() < HOVER_SHARE and writer.board:
        spot = writer.spot(random.choice(sorted(writer.board)))
        writer.do(Hover(by=by, spot=spot, ms=random.uniform(300, 1500)), Leave(by=by))
