"""The Hub protocol of draughts engines (version 2), messages only: one line, one message.

A line is a command with bare words and name=value pairs; a value with a blank or an equals sign
stands in double quotes. Positions are a letter for the side to move and one letter a square.
"""

import re
from dataclasses import dataclass

from .errors import IllegalMoveError, InvalidMessageError
from .move import Move
from .moves import legal_moves
from .notation import legal_text
from .position import Piece, Position
from .squares import Color, Square, Variant, square_count


@dataclass(frozen=True, slots=True, kw_only=True)
class HubMessage:
    """A command and its arguments, in order; a bare word has the value None."""

    command: str
    arguments: tuple[tuple[str, str | None], ...] = ()

    def value(self, name: str) -> str | None:
        """Return the value of an argument; None where it is absent or a bare word."""
        return next((value for key, value in self.arguments if key == name), None)

    def has(self, name: str) -> bool:
        """Tell whether an argument is there, with or without a value."""
        return any(key == name for key, _ in self.arguments)


_ARGUMENT = re.compile(r'\s*([^\s="]+)(?:=(?:"([^"]*)"|([^\s"]*)))?(?=\s|\Z)')


def parse_hub(line: str) -> HubMessage:
    """Read one line.

    Raises:
        InvalidMessageError: the line is empty or has a quote that is not closed.
    """
    text = line.strip()
    parts: list[tuple[str, str | None]] = []
    at = 0
    while at < len(text):
        match = _ARGUMENT.match(text, at)
        if match is None:
            raise InvalidMessageError(f"expected name or name=value at {text[at:]!r}")
        quoted, plain = match[2], match[3]
        parts.append((match[1], quoted if quoted is not None else plain))
        at = match.end()
    if not parts or parts[0][1] is not None:
        raise InvalidMessageError(f"a Hub line begins with a command, got {line!r}")
    return HubMessage(command=parts[0][0], arguments=tuple(parts[1:]))


def hub_line(message: HubMessage) -> str:
    """Write a message as a line without a line break; quotes in values become apostrophes."""
    words = [message.command]
    for name, value in message.arguments:
        if value is None:
            words.append(name)
        else:
            clean = " ".join(value.replace('"', "'").split())
            needs_quotes = not clean or " " in clean or "=" in clean or "'" in clean
            words.append(f'{name}="{clean}"' if needs_quotes else f"{name}={clean}")
    return " ".join(words)


def parse_hub_position(text: str, variant: Variant = Variant.INTERNATIONAL) -> Position:
    """Read a position string like "Wbbb...eee...www".

    Raises:
        InvalidMessageError: the text has another length or other letters.
    """
    count = square_count(variant)
    if len(text) != count + 1 or text[0] not in "WB" or set(text[1:]) - set("wWbBe"):
        raise InvalidMessageError(
            f"a position is W or B and {count} letters of w W b B e, got {text!r}"
        )
    pieces = {
        Square(number): Piece(letter) for number, letter in enumerate(text[1:], 1) if letter != "e"
    }
    side = Color.WHITE if text[0] == "W" else Color.BLACK
    return Position.from_pieces(variant, side, pieces)


def hub_position(position: Position) -> str:
    """Write a position as Hub does."""
    pieces = position.pieces
    letters = (
        pieces[square].letter if square in pieces else "e" for square in position.geometry.squares
    )
    side = "W" if position.side_to_move is Color.WHITE else "B"
    return side + "".join(letters)


def hub_move(move: Move) -> str:
    """Write a move as Hub does: 32-28, or from x to x captured squares."""
    if not move.is_capture:
        return f"{move.start}-{move.end}"
    return "x".join(str(square) for square in (move.start, move.end, *sorted(move.captured)))


def parse_hub_move(text: str, position: Position) -> Move:
    """Return the legal move that a Hub move names.

    Raises:
        InvalidMessageError: the text has not the form of a move.
        IllegalMoveError: it is not legal in the position.
    """
    if re.fullmatch(r"\d{1,2}-\d{1,2}|\d{1,2}(?:x\d{1,2}){2,}", text, re.ASCII) is None:
        raise InvalidMessageError(f"a Hub move is written like 32-28 or 28x19x23, got {text!r}")
    start, end, *captured = (Square(int(part)) for part in re.split("[-x]", text))
    for move in legal_moves(position):
        if (move.start, move.end, move.captured) == (start, end, frozenset(captured)):
            return move
    raise IllegalMoveError(
        f"{text} is not legal here; {legal_text(position)}", move=text, position=position
    )
