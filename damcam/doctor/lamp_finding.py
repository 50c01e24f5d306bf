"""The doctor's look at the lamps: lights and camera opened, every lamp tried, the map learned."""

import json
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Protocol

from device import (
    DeviceError,
    DeviceSetup,
    Frame,
    LedMap,
    open_lights,
    open_source,
)
from vision import BoardPose, Image, Reading

from ..variants import VARIANT_OF_SIZE
from .finding import Finding, Patient
from .lamp_check import LampCheck, Lamps, LampSight, MappedLamps, learn_map

LOOKS: Final = 50
"""Frames in which the board is looked for."""

LATE_MS: Final = 500
"""Players wonder what they did when light comes later."""


class Film(Protocol):
    """Frames with the time by which they are dated."""

    def now_ms(self) -> int:
        """Return the source time now."""

    def __next__(self) -> Frame: ...


class BoardTracker(Protocol):
    """What finds the board in a frame: `vision.BoardReader`."""

    def track(self, bgr: Image, at_ms: int) -> Reading | None:
        """Return what the frame shows, None where it shows no board."""


def examine_lamps(
    patient: Patient, tracker: Callable[[], BoardTracker], *, learn: Path | None = None
) -> Finding:
    """Light one square after the other while the camera watches.

    Args:
        patient: names camera and lights.
        tracker: makes what finds the board.
        learn: where the map of the lamps is written as it was seen.

    Raises:
        DeviceError: The address of the lights is not understood, or there is no such camera.
        OSError: The map cannot be written.
    """
    if patient.settings.leds.startswith("screen:"):
        text, advice = (
            "the screen has no lamps",
            "name them: --leds adalight:PORT, --leds damcam:PORT",
        )
        return Finding(name="lamps", status="error", text=text, advice=advice)
    film = open_source(patient.source)
    try:
        if not film.is_live:
            raise DeviceError(f"lamps are looked at by a camera, {patient.source!r} is a film")
        setup = DeviceSetup(emit=lambda event: None, now_ms=film.now_ms)
        lights = open_lights(patient.settings.leds, setup)
        try:
            return watch_lamps(film, lights, tracker(), learn=learn)
        finally:
            lights.close()
    finally:
        film.close()


def watch_lamps(
    film: Film, lights: Lamps, tracker: BoardTracker, *, learn: Path | None = None
) -> Finding:
    """Try the lamps of lights that are open, before a camera that films.

    Raises:
        OSError: The map cannot be written.
    """
    pose = _find_board(film, tracker)
    if pose is None:
        return Finding(
            name="lamps",
            status="error",
            text="the camera sees no board",
            advice="have the whole board in the picture, with its men or without",
        )
    variant = VARIANT_OF_SIZE[pose.size]
    if learn is not None and isinstance(lights, MappedLamps):
        learned = learn_map(film, lights, pose)
        write_map(learn, learned)
        lights.use_map(learned)
    return lamp_finding(tuple(LampCheck(film, lights, pose, variant).run()))


def _find_board(film: Film, tracker: BoardTracker) -> BoardPose | None:
    for _ in range(LOOKS):
        try:
            frame = next(film)
        except StopIteration:
            return None
        reading = tracker.track(frame.bgr, frame.at_ms)
        if reading is not None:
            return reading.pose
    return None


def lamp_finding(sights: Sequence[LampSight]) -> Finding:
    """Return what the camera saw in one finding."""
    dark = [sight.square for sight in sights if sight.cell is None]
    elsewhere = {sight.square: sight.seen for sight in sights if sight.cell and not sight.is_right}
    latencies = [sight.latency_ms for sight in sights if sight.latency_ms is not None]
    median_ms = round(statistics.median(latencies)) if latencies else None
    right = sum(sight.is_right for sight in sights)
    advice = ""
    if len(dark) == len(sights):
        advice = "check supply, data line and map; darken the room if the lamps are weak"
    elif elsewhere:
        advice = "the map is wrong: --learn FILE writes the right one, for ?map=FILE"
    elif dark:
        advice = f"no light under {', '.join(map(str, dark))}: a lamp is broken or hidden"
    elif median_ms is not None and median_ms > LATE_MS:
        advice = "light comes late: is the camera slow, or another program busy?"
    return Finding(
        name="lamps",
        status="error" if len(dark) == len(sights) else "warning" if advice else "ok",
        text=f"{right} of {len(sights)} squares lit where they should, after {median_ms} ms",
        advice=advice,
        details={
            "dark": dark,
            "elsewhere": elsewhere,
            "latency_ms": median_ms,
            "latency_max_ms": max(latencies, default=None),
        },
    )


def write_map(path: Path, led_map: LedMap) -> None:
    """Write a map of the lamps in the form of `?map=FILE`.

    Raises:
        OSError: It cannot be written.
    """
    data = {
        "variant": led_map.variant.value,
        "count": led_map.count,
        "squares": {str(square): list(leds) for square, leds in led_map.squares.items()},
    }
    path.write_text(json.dumps(data) + "\n", encoding="utf-8")
