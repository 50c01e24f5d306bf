"""Forms of play (FMJD 11.1): what each asks of clock, score sheet, board and announcements."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from .position import Piece, Position
from .squares import Color, Square


class FormOfPlay(Enum):
    """The ways to play a game; the value is the clause."""

    FACE_TO_FACE = "11.1.1"
    SIMULTANEOUS = "11.1.2"
    CORRESPONDENCE = "11.1.3"
    BLINDFOLD = "11.1.4"
    BLINDFOLD_SIMULTANEOUS = "11.1.5"
    BLIND = "11.1.6"
    HANDICAP = "11.1.7"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRules:
    """What a form of play asks of one player."""

    has_board: bool = True
    """The player sits at a board that the camera may follow."""
    must_record: bool = True
    touch_counts: bool = True
    """A touched piece must be played (3.11, 5.4.3); not for who sees with the fingers."""
    hears_moves: bool = False
    """Every move of the opponent is announced to the player."""


def form_rules(form: FormOfPlay, *, is_expert: bool = False, is_blind: bool = False) -> FormRules:
    """Return the rules for one player of a game.

    Args:
        form: how the game is played.
        is_expert: the player gives the simultaneous exhibition or plays without sight.
        is_blind: the player is blind and uses a relief board (11.1.6).
    """
    match form:
        case FormOfPlay.SIMULTANEOUS:
            return FormRules(must_record=not is_expert)
        case FormOfPlay.CORRESPONDENCE:
            return FormRules(has_board=False, touch_counts=False)
        case FormOfPlay.BLINDFOLD | FormOfPlay.BLINDFOLD_SIMULTANEOUS if is_expert:
            return FormRules(
                has_board=False, must_record=False, touch_counts=False, hears_moves=True
            )
        case FormOfPlay.BLIND:
            return FormRules(must_record=not is_blind, touch_counts=not is_blind, hears_moves=True)
        case _:
            return FormRules()


def handicap(position: Position) -> Mapping[Square, Piece]:
    """Return the men that are missing from the usual start, by square (11.1.7)."""
    usual = Position.start(position.variant).pieces
    return {square: piece for square, piece in usual.items() if square not in position.pieces}


def handicap_objection(position: Position) -> str | None:
    """Say why a position is no handicap start; None where it is one or the usual start."""
    usual = Position.start(position.variant)
    for square, piece in position.pieces.items():
        if usual.piece_at(square) is not piece:
            return f"the piece on {square} does not belong to the usual start"
    givers = {piece.color for piece in handicap(position).values()}
    if givers == set(Color):
        return "only one side may give men"
    if position.side_to_move is not usual.side_to_move:
        return f"{usual.side_to_move.value.capitalize()} must be to move"
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibition:
    """A simultaneous exhibition: one expert, many boards; every change returns a new value."""

    sides: tuple[Color, ...]
    """The expert's colour on each board."""
    waiting: frozenset[int] = frozenset()
    """Boards, counted from 1, whose opponents have a move ready or ask the expert to move."""
    at_board: int | None = None
    passes: Mapping[int, int]
    """How often each board passed when the expert came."""

    @classmethod
    def start(cls, sides: tuple[Color, ...]) -> "Exhibition":
        """Begin with the expert to move on every board where the expert has White."""
        boards = range(1, len(sides) + 1)
        waiting = frozenset(board for board in boards if sides[board - 1] is Color.WHITE)
        return cls(sides=sides, waiting=waiting, passes=dict.fromkeys(boards, 0))

    def called(self, board: int) -> "Exhibition":
        """Return the exhibition after an opponent is ready for the expert."""
        return self._changed(waiting=self.waiting | {self._known(board)})

    def arrived(self, board: int) -> "Exhibition":
        """Return the exhibition with the expert at a board; the expert chooses the order."""
        return self._changed(at_board=self._known(board))

    def left(self, board: int, *, has_passed: bool = False) -> "Exhibition":
        """Return the exhibition after the expert's move, or after the board passed."""
        passes = dict(self.passes)
        passes[self._known(board)] += has_passed
        return self._changed(waiting=self.waiting - {board}, passes=passes)

    def _known(self, board: int) -> int:
        if not 1 <= board <= len(self.sides):
            raise ValueError(f"board must be 1-{len(self.sides)}, got {board!r}")
        return board

    def _changed(
        self,
        *,
        waiting: frozenset[int] | None = None,
        at_board: int | None = None,
        passes: Mapping[int, int] | None = None,
    ) -> "Exhibition":
        return Exhibition(
            sides=self.sides,
            waiting=self.waiting if waiting is None else waiting,
            at_board=at_board,
            passes=self.passes if passes is None else passes,
        )
