"""What a board with sensors says of its men, and a picture of it for people who look."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

import cv2
import numpy as np

from rules import Color, Piece, Square, Variant, board_size, row_column

from .frames import Image

VARIANT: Final = Variant.INTERNATIONAL
"""Boards with sensors have 10x10 fields."""

FIELD_PX: Final = 40
MAN_PX: Final = 15
LIGHT, DARK, LINE = (190, 222, 240), (96, 140, 176), (60, 60, 60)
MEN: Final = {Color.WHITE: (245, 250, 250), Color.BLACK: (40, 40, 40)}


@dataclass(frozen=True, slots=True, kw_only=True)
class SensedBoard:
    """What stood on the board when it was last quiet."""

    pieces: Mapping[Square, Piece]
    is_quiet: bool
    """Whether nothing has changed since; else a man is being moved."""


@runtime_checkable
class SensorBoard(Protocol):
    """A board that feels its men."""

    def sensed(self) -> SensedBoard | None:
        """Return what stands on it, None where that is not known: no men yet, or it is away."""

    def close(self) -> None:
        """Let go of the board; the last user closes its port."""


def picture_of(pieces: Mapping[Square, Piece]) -> Image:
    """Return (10 * FIELD_PX, 10 * FIELD_PX, 3) uint8: the board from above, White at the bottom."""
    size = board_size(VARIANT)
    rows, columns = np.indices((size, size))
    fields = np.where(((rows + columns) % 2 == 1)[..., None], DARK, LIGHT).astype(np.uint8)
    picture: Image = fields.repeat(FIELD_PX, axis=0).repeat(FIELD_PX, axis=1)
    for square, piece in pieces.items():
        row, column = row_column(VARIANT, square)
        center = (column * FIELD_PX + FIELD_PX // 2, row * FIELD_PX + FIELD_PX // 2)
        cv2.circle(picture, center, MAN_PX, MEN[piece.color], -1, cv2.LINE_AA)
        cv2.circle(picture, center, MAN_PX, LINE, 1, cv2.LINE_AA)
        if piece.is_king:
            cv2.circle(picture, center, MAN_PX // 2, MEN[piece.color.other], 2, cv2.LINE_AA)
    return picture
