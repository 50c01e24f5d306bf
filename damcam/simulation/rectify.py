"""Putting the board right after an irregularity."""

from math import dist

from rules import Color, Piece

from .acts import Leave
from .script import ScriptWriter


def rectify(writer: ScriptWriter, by: Color) -> None:
    """Let a hand make the board show the position of the game again, with few moves."""
    wanted, board = writer.position.pieces, writer.board
    gaps = [square for square in wanted if board.get(square) is not wanted[square]]
    strays = [square for square in board if wanted.get(square) is not board[square]]
    for square in sorted(strays):
        piece = board[square]
        if square in gaps and wanted[square] is Piece.of(piece.color, is_king=True):
            gaps.remove(square)
            writer.crown(by, square)
            continue
        homes = [gap for gap in gaps if wanted[gap] is piece and gap not in board]
        if homes:
            home = min(homes, key=lambda gap: dist(writer.spot(gap), writer.spot(square)))
            gaps.remove(home)
            writer.carry(by, (square, home))
        else:
            writer.take_off(by, (square,))
    for gap in sorted(gaps):
        writer.put_on(by, gap, wanted[gap])
    writer.do(Leave(by=by))
