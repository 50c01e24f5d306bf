"""A part of the picture as a source of its own: several boards in one camera's view."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from .errors import DeviceError
from .frames import Frame, FrameSource, Image, LiveSource

LEAST_PX = 32
"""A smaller part holds no board that could be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A rectangle of the picture in shares of its width and height, 0-1."""

    left: float
    top: float
    width: float
    height: float

    def of(self, bgr: Image) -> Image:
        """Return this part of a (H, W, 3) picture, at least LEAST_PX a side."""
        height, width = bgr.shape[:2]
        x0, x1 = _span(self.left, self.width, width)
        y0, y1 = _span(self.top, self.height, height)
        return np.ascontiguousarray(bgr[y0:y1, x0:x1])


def parse_region(text: str) -> Region:
    """Return the region that is written `left,top,width,height` in shares: `0,0,0.5,1`.

    Raises:
        DeviceError: It is written otherwise, or does not lie in the picture.
    """
    parts = re.fullmatch(r"\s*" + r"\s*,\s*".join([r"([0-9]*\.?[0-9]+)"] * 4) + r"\s*", text)
    if parts is not None:
        left, top, width, height = map(float, parts.groups())
        is_inside = left + width <= 1.0 + 1e-9 and top + height <= 1.0 + 1e-9
        if is_inside and width > 0.0 and height > 0.0:
            return Region(left=left, top=top, width=width, height=height)
    raise DeviceError(
        "a region is left,top,width,height in shares of the picture such as 0,0,0.5,1; "
        f"got {text!r}"
    )


class RegionSource:
    """A source that shows one region of another source's frames."""

    def __init__(self, source: FrameSource, region: Region) -> None:
        self._source = source
        self._region = region
        self.is_live = source.is_live
        self.frame_count = source.frame_count
        self.description = f"a part of {source.description}"

    def now_ms(self) -> int:
        """Return the source time now."""
        return self._source.now_ms()

    def __iter__(self) -> Iterator[Frame]:
        return self

    def __next__(self) -> Frame:
        return self._cut(next(self._source))

    def close(self) -> None:
        """Stop the source; the iterator ends."""
        self._source.close()

    def _cut(self, frame: Frame) -> Frame:
        return replace(frame, bgr=self._region.of(frame.bgr))


class LiveRegion(RegionSource):
    """A region of a camera."""

    def __init__(self, source: LiveSource, region: Region) -> None:
        super().__init__(source, region)
        self._live = source

    @property
    def is_closed(self) -> bool:
        """Whether no frame follows any more."""
        return self._live.is_closed

    def newest(self, timeout_s: float | None = None) -> Frame | None:
        """Wait for a frame that was not taken yet; None at the time-out or the end."""
        frame = self._live.newest(timeout_s)
        return None if frame is None else self._cut(frame)


def part_of(source: FrameSource, region: Region) -> FrameSource:
    """Return the source that shows only the region."""
    if isinstance(source, LiveSource):
        return LiveRegion(source, region)
    return RegionSource(source, region)


def _span(start: float, length: float, pixels: int) -> tuple[int, int]:
    """Return the first pixel and the one after the last of a share of a side."""
    first = min(round(start * pixels), max(0, pixels - LEAST_PX))
    return first, max(first + min(LEAST_PX, pixels), min(pixels, round((start + length) * pixels)))
