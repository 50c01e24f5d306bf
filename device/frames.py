"""The frame of a film and what every source of frames offers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Frame:
    """One picture of a film; the array is read-only from here on.

    Attributes:
        bgr: (H, W, 3) uint8, as cv2 delivers it.
        at_ms: source time, milliseconds from the first frame, never decreasing.
        index: number of the frame in its source; the first is 0, dropped frames count.
    """

    bgr: Image
    at_ms: int
    index: int

    def __post_init__(self) -> None:
        self.bgr.flags.writeable = False


class FrameSource(Protocol):
    """An iterator of frames: a film, a folder of pictures or a camera."""

    @property
    def is_live(self) -> bool:
        """Whether frames come at their own pace and are lost when nobody takes them."""

    @property
    def frame_count(self) -> int | None:
        """How many frames there are, None where nobody knows."""

    @property
    def description(self) -> str:
        """A few words for the person who asked, such as the file and its size."""

    def now_ms(self) -> int:
        """Return the source time now: of the last frame for a film, of the wall for a camera."""

    def __iter__(self) -> Iterator[Frame]: ...

    def __next__(self) -> Frame: ...

    def close(self) -> None:
        """Stop the source; the iterator ends."""


@runtime_checkable
class LiveSource(FrameSource, Protocol):
    """A source whose frames can be waited for with a limit, so that other things go on."""

    @property
    def is_closed(self) -> bool:
        """Whether no frame follows any more."""

    def newest(self, timeout_s: float | None = None) -> Frame | None:
        """Wait for a frame that was not taken yet; None at the time-out or the end."""
