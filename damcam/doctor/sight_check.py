"""The doctor's look through the camera: is the board seen well, and does the computer keep up?"""

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Final, Protocol

from device import DeviceError, Frame, FrameSource
from vision import Image, Reading

from ..devices import open_frames
from ..recording.vitals import ENOUGH_PER_S
from ..setup import sight_advice
from .finding import Finding, Patient

LOOKS: Final = 20
"""Frames that are read: the first ones find the board, the others tell the speed."""

LATE_MS: Final = 1000
"""A move is told so much later at least than it could be."""

HEADROOM: Final = 2.0
"""Outputs, other programs and heat take their part of the processor."""


class BoardTracker(Protocol):
    """What finds the board in a frame: `vision.BoardReader`."""

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        """Return what the frame shows, None where it shows no board."""


def sight_findings(
    patient: Patient,
    tracker: Callable[[], BoardTracker],
    *,
    monotonic_s: Callable[[], float] = time.monotonic,
) -> Iterator[Finding]:
    """Tell how well the board can be seen and how fast it is read.

    Args:
        patient: names the camera.
        tracker: makes what finds the board.
        monotonic_s: a clock that only goes on.
    """
    try:
        source = open_frames(patient.settings)
    except DeviceError:
        return
    try:
        yield from _looked(source, tracker(), monotonic_s)
    except DeviceError:
        return
    finally:
        source.close()


def _looked(
    source: FrameSource, tracker: BoardTracker, monotonic_s: Callable[[], float]
) -> Iterator[Finding]:
    times_ms: list[float] = []
    ages_ms: list[int] = []
    last: tuple[Frame, Reading] | None = None
    for _ in range(LOOKS):
        frame = next(source, None)
        if frame is None:
            break
        start_s = monotonic_s()
        reading = tracker.track(frame.bgr, frame.at_ms)
        times_ms.append(1000.0 * (monotonic_s() - start_s))
        ages_ms.append(source.now_ms() - frame.at_ms)
        if reading is not None:
            last = (frame, reading)
    if last is None:
        yield Finding(
            name="board",
            status="warning",
            text="no board is in the picture",
            advice="have the whole board in the picture; damcam setup shows what the camera sees",
        )
        return
    frame, reading = last
    yield _board(reading)
    for one in sight_advice(frame.bgr, reading):
        yield Finding(name=one.name, status=one.status, text=one.text, advice=one.advice)
    yield speed_finding(times_ms[1:] or times_ms)
    if source.is_live:
        yield latency_finding(ages_ms[1:] or ages_ms)


def _board(reading: Reading) -> Finding:
    pose = reading.pose
    text = f"{pose.size}x{pose.size}, White at the {pose.white_side}"
    if pose.placed_correctly is False:
        advice = "turn the board by a quarter; if it lies right, the picture is mirrored"
        return Finding(name="board", status="error", text=f"{text}, misplaced", advice=advice)
    if not pose.white_side_certain:
        advice = "say where White sits with --white-side"
        return Finding(name="board", status="warning", text=f"{text} (probably)", advice=advice)
    return Finding(name="board", status="ok", text=text)


def speed_finding(times_ms: list[float]) -> Finding:
    """Tell how long a frame takes and how much of the processor is left."""
    middle = median(times_ms)
    per_s = 1000.0 / max(middle, 0.001)
    is_enough = per_s >= HEADROOM * ENOUGH_PER_S
    advice = "close other programs, or film in a lower resolution"
    return Finding(
        name="speed",
        status="ok" if is_enough else "warning",
        text=f"a picture is read in {middle:.0f} ms: {per_s:.1f} a second",
        advice="" if is_enough else advice,
        details={"read_ms": round(middle, 1), "slowest_ms": round(max(times_ms), 1)},
    )


def latency_finding(ages_ms: list[int]) -> Finding:
    """Tell how old a picture of a camera is when it has been read.

    Counted from its arrival here; what a network camera keeps before, only `--lamps` can see.
    """
    middle = round(median(ages_ms))
    is_soon = middle <= LATE_MS
    return Finding(
        name="latency",
        status="ok" if is_soon else "warning",
        text=f"a picture is {middle} ms old when it has been read",
        advice="" if is_soon else "film in a lower resolution, or give --region the board only",
        details={"age_ms": middle, "oldest_ms": max(ages_ms)},
    )
