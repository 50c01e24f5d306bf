"""Moves in words, for players who do not see the board (FMJD 11.1.4-11.1.6)."""

from .execution import jump_order
from .fen import square_text
from .move import Move
from .position import Position
from .squares import Square, Variant, ruleset
from .verdict import color_name, list_text

_SMALL = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen
"""
_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety"


def number_words(number: int) -> str:
    """Write a number from 0 to 99 in words.

    Raises:
        ValueError: the number is outside that range.
    """
    if not 0 <= number <= 99:
        raise ValueError(f"number must be 0-99, got {number!r}")
    small, tens = _SMALL.split(), _TENS.split()
    if number < len(small):
        return small[number]
    ten, one = divmod(number, 10)
    return f"{tens[ten]}-{small[one]}" if one else tens[ten]


def _square_words(variant: Variant, square: Square) -> str:
    if ruleset(variant).is_algebraic:
        return square_text(variant, square)
    return number_words(square)


def announce_move(move: Move, position: Position) -> str:
    """Say a move made in `position`: "White: thirty-two to twenty-eight".

    A capture names every landing and the captured squares in the order of the jumps.
    """
    words = [_square_words(position.variant, square) for square in move.path]
    text = f"{color_name(position.side_to_move)}: "
    if move.is_capture:
        captured = [
            _square_words(position.variant, square) for square in jump_order(position, move)
        ]
        text += f"{' takes to '.join(words)}, removing {list_text(captured)}"
    else:
        text += " to ".join(words)
    return f"{text}, king" if move.crowns else text
