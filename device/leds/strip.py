"""The driver of a strip of lamps: sends the whole picture whenever it changes, and every second.

Rules that real firmware asks for: WLED shows the first packet after its own effect as dark, so
that one is sent twice; it goes back to its effect after 2.5 s of silence; an AVR loses bytes
while it clocks out its lamps, so a pause follows every packet; and a restart shows only as a
greeting among boot texts.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..errors import DeviceLostError
from ..events import DeviceEvent, DeviceFound, DeviceLost
from ..intake import Intake
from .led_map import LedMap, limit_current
from .pattern import STEP_MS, LightPattern, colors_at
from .strip_packets import (
    PROBE_AWA,
    PROBE_WLED,
    READ_BACK_WLED,
    Identity,
    ReadBack,
    Restarted,
    StripDecoder,
    StripMessage,
    encode_adalight,
    encode_awa,
)

REFRESH_MS = 1000
"""WLED's default time-out is 2500 ms."""

GAP_MS = 5
"""100 lamps take an AVR 3 ms, during which it is deaf."""

PROBE_EVERY_MS = 1000
PROBE_FOR_MS = 4000
"""Opening a port restarts many boards; they are deaf for up to 3 s."""

HEARTBEAT_MS = 5000
MISSED_HEARTBEATS = 3
"""A firmware that answered before and is mute for so many probes is lost."""

PARTIAL_MS = 300
"""A message that stops in the middle is forgotten after this time."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class StripSettings:
    """What is known about a strip and its supply."""

    led_map: LedMap
    baudrate: int = 115200
    brightness: float = 0.5
    limit_ma: float = 500.0
    """A USB port gives no more; raise it for a supply of its own."""
    is_awa: bool = False


class LedStrip:
    """A link for `Port` that speaks Adalight or AWA."""

    def __init__(
        self,
        settings: StripSettings,
        *,
        emit: Callable[[DeviceEvent], None],
        now_ms: Callable[[], int],
    ) -> None:
        """Prepare the driver.

        Args:
            settings: the strip.
            emit: told DeviceFound and DeviceLost, from the port's thread.
            now_ms: source time, for the events.
        """
        self._settings = settings
        self._emit = emit
        self._source_ms = now_ms
        self._lock = threading.Lock()
        self._intake = Intake(StripDecoder(), partial_ms=PARTIAL_MS)
        self._pattern = LightPattern()
        self._is_new = True
        self._shown_ms = 0
        self._encoded: tuple[int, bytes] | None = None
        self._sent: bytes | None = None
        self._sent_ms = 0
        self._repeats = 0
        self._free_ms = 0
        self._opened_ms = 0
        self._probed_ms = 0
        self._unanswered = 0
        self._is_found = False
        self._wants_read_back = False
        self.identity: str | None = None
        """What the firmware calls itself, None where it does not say."""
        self.read_back: ReadBack | None = None
        """The colors that WLED showed when it was last asked."""
        self.damaged = 0
        """Always 0: strips send nothing that could be told from noise."""

    @property
    def led_map(self) -> LedMap:
        """Which lamps are thought to lie under each square."""
        return self._settings.led_map

    def use_map(self, led_map: LedMap) -> None:
        """Take another map of the lamps from now on.

        Raises:
            ValueError: it is for another number of lamps.
        """
        if led_map.count != self.led_map.count:
            raise ValueError(f"the strip has {self.led_map.count} lamps, got {led_map.count!r}")
        with self._lock:
            self._settings = replace(self._settings, led_map=led_map)
            self._is_new = True

    @property
    def is_found(self) -> bool:
        """Whether the strip is there, as far as one can tell."""
        return self._is_found

    def show(self, pattern: LightPattern) -> None:
        """Take a pattern; the port's thread sends it."""
        with self._lock:
            if pattern != self._pattern:
                self._pattern = pattern
                self._is_new = True

    def ask_read_back(self) -> None:
        """Have WLED asked which colors it shows; `read_back` has the answer."""
        with self._lock:
            self.read_back = None
            self._wants_read_back = True

    def opened(self, now_ms: int) -> None:
        """Begin anew: probe, and send everything twice."""
        with self._lock:
            self._intake.reset()
            self._opened_ms = self._free_ms = now_ms
            self._probed_ms = now_ms - PROBE_EVERY_MS
            self._unanswered = 0
            self.identity = None
            self._send_anew()

    def received(self, data: bytes, now_ms: int) -> None:
        """Take what the firmware says."""
        with self._lock:
            messages = self._intake.feed(data, now_ms)
        for message in messages:
            self._understand(message)

    def poll(self, now_ms: int) -> bytes:
        """Return the next probe or picture, empty for none.

        Raises:
            DeviceLostError: the firmware answered before and is mute now.
        """
        with self._lock:
            if now_ms < self._free_ms:
                return b""
            packet = self._picture(now_ms) or self._question(now_ms)
            transfer_ms = len(packet) * 10_000 // self._settings.baudrate
            if packet:
                self._free_ms = now_ms + transfer_ms + GAP_MS
        if not self._is_found and now_ms - self._opened_ms > PROBE_FOR_MS:
            _log.info("the strip does not name itself: taken for a plain sketch")
            self._found()
        return packet

    def lost(self, now_ms: int) -> None:
        """Tell that the strip is gone."""
        if self._is_found:
            self._is_found = False
            self._emit(DeviceLost(at_ms=self._source_ms(), device="lights"))

    def _understand(self, message: StripMessage) -> None:
        match message:
            case Identity():
                self.identity = message.text
                self._unanswered = 0
                self._found()
            case Restarted():
                self._send_anew()
            case ReadBack():
                self.read_back = message

    def _found(self) -> None:
        if not self._is_found:
            self._is_found = True
            self._send_anew()
            self._emit(DeviceFound(at_ms=self._source_ms(), device="lights"))

    def _send_anew(self) -> None:
        self._sent = None
        self._repeats = 1

    def _picture(self, now_ms: int) -> bytes:
        """Return the packet of the colors now, empty where it was just sent."""
        if self._is_new:
            self._is_new = False
            self._shown_ms = now_ms
            self._encoded = None
        packet = self._encode((now_ms - self._shown_ms) // STEP_MS)
        is_due = packet != self._sent or now_ms - self._sent_ms >= REFRESH_MS
        if not is_due and self._repeats == 0:
            return b""
        if not is_due:
            self._repeats -= 1
        self._sent, self._sent_ms = packet, now_ms
        return packet

    def _encode(self, step: int) -> bytes:
        """Return the packet of a step of the rhythm; it is worked out once."""
        if self._encoded is not None and self._encoded[0] == step:
            return self._encoded[1]
        led_map = self._settings.led_map
        colors = colors_at(
            self._pattern,
            step * STEP_MS,
            square_count=led_map.square_count,
            row_squares=led_map.row_squares,
        )
        pixels = limit_current(
            led_map.pixels(colors),
            brightness=self._settings.brightness,
            limit_ma=self._settings.limit_ma,
        )
        packet = encode_awa(pixels) if self._settings.is_awa else encode_adalight(pixels)
        self._encoded = (step, packet)
        return packet

    def _question(self, now_ms: int) -> bytes:
        if self._wants_read_back and not self._settings.is_awa:
            self._wants_read_back = False
            return READ_BACK_WLED
        is_probing = self.identity is None and now_ms - self._opened_ms <= PROBE_FOR_MS
        every_ms = PROBE_EVERY_MS if is_probing else HEARTBEAT_MS
        if now_ms - self._probed_ms < every_ms or not (is_probing or self.identity):
            return b""
        if self.identity is not None:
            self._unanswered += 1
        if self._unanswered > MISSED_HEARTBEATS:
            raise DeviceLostError("the strip does not answer any more")
        self._probed_ms = now_ms
        return PROBE_AWA if self._settings.is_awa else PROBE_WLED
