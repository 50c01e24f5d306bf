"""What callers can get wrong with texts and moves.

ValueError
 +- InvalidFenError      the text is not a FEN
 +- InvalidPdnError      has .line and .column
 +- InvalidMessageError  the text is not a Hub or DXP message
 +- IllegalMoveError     well-formed, not legal here; has .move and .position
 +- AmbiguousMoveError   several captures fit; has .candidates
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .move import Move
    from .position import Position


class InvalidFenError(ValueError):
    """The text is not a FEN of this game."""


class InvalidMessageError(ValueError):
    """The text is not a message of the protocol."""


class InvalidPdnError(ValueError):
    """The text is not PDN; `line` and `column` count from 1."""

    def __init__(self, message: str, *, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column


class IllegalMoveError(ValueError):
    """The move is well-formed but not legal in the position."""

    def __init__(self, message: str, *, move: str, position: "Position") -> None:
        super().__init__(message)
        self.move = move
        self.position = position


class AmbiguousMoveError(ValueError):
    """Several captures have this start and end; the whole path must be written."""

    def __init__(self, message: str, *, candidates: "tuple[Move, ...]") -> None:
        super().__init__(message)
        self.candidates = candidates
