"""Write games that were read as PDN 3.0 again, with variations, signs, NAGs and comments."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from .fen import to_fen
from .game import Setup
from .move import Move
from .moves import legal_moves
from .notation import move_text
from .pdn_reader import PdnGame, PdnMove
from .pdn_writer import Numbering, all_tags, comment_text, wrapped
from .position import Position
from .squares import ruleset

DEEPEST_VARIATION = 50
"""Variations in variations are left out beyond this."""

_STRENGTH = re.compile(r"[!?]+")


def write_annotated_pdn(read: PdnGame, tags: Mapping[str, str] | None = None) -> str:
    """Return a game that was read as strict PDN, with a line break at its end.

    Moves at fault are left out. Signs of strength follow their move; the only move becomes $7,
    as a star would end the game, and every other sign of FMJD 9.1 becomes a comment.

    Args:
        read: the game.
        tags: the tags to write; those that were read by default. GameType and FEN are made anew.
    """
    kept = {name: value for name, value in (tags or read.tags).items() if name not in _MADE_TAGS}
    kept.setdefault("Result", read.result)
    lines = [f'[{name} "{value}"]' for name, value in all_tags(read.game, kept)]
    return "\n".join([*lines, "", *wrapped([*_movetext(read), "*"])]) + "\n"


_MADE_TAGS = ("GameType", "FEN")


def _movetext(read: PdnGame) -> Iterator[str]:
    numbering = Numbering(first=ruleset(read.game.variant).first)
    if read.comment:
        yield from _comment(read.comment)
    legal = (move for move in read.moves if move.move is not None)
    for before, step in zip(read.game.positions, read.game.steps, strict=False):
        if isinstance(step, Setup):
            yield f'/FEN "{to_fen(step.position)}"/'
            numbering.is_due = True
        else:
            yield from _move(before, step, next(legal), numbering, 0)


def _move(
    before: Position, move: Move, read: PdnMove, numbering: Numbering, depth: int
) -> Iterator[str]:
    earlier = replace(numbering, is_due=True)
    strengths = [sign for sign in read.signs if _STRENGTH.fullmatch(sign)]
    others = [sign for sign in read.signs if sign not in strengths and sign != "*"]
    text = numbering.before(before.side_to_move) + move_text(move, before)
    yield text + "".join(strengths[:1])
    yield from (f"${nag}" for nag in read.nags)
    comments = [*strengths[1:], *others, *read.comments]
    for comment in comments:
        yield from _comment(comment)
    variations = read.variations if depth < DEEPEST_VARIATION else ()
    for variation in variations:
        yield from _variation(before, variation, replace(earlier), depth + 1)
    if comments or variations:
        numbering.is_due = True


def _variation(
    before: Position, moves: Sequence[PdnMove], numbering: Numbering, depth: int
) -> Iterator[str]:
    tokens: list[str] = []
    position = before
    for read in moves:
        if read.move is None or read.move not in legal_moves(position):
            break
        tokens += _move(position, read.move, read, numbering, depth)
        position = position.after(read.move)
    if tokens:
        tokens[0] = f"({tokens[0]}"
        tokens[-1] += ")"
    yield from tokens


def _comment(comment: str) -> Sequence[str]:
    return ("{" + comment_text(comment) + "}").split()
