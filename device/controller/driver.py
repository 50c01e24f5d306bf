"""The driver of a controller: greets it, sets its clock, lights its lamps, tells its events."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rules import Square, Variant, board_size, square_count

from ..clock.time_control import TimeControl
from ..errors import DeviceLostError
from ..events import DeviceEvent, DeviceFound, DeviceLost
from ..intake import Intake
from ..leds.pattern import LightPattern, Rgb, colors_at
from .clock_part import ClockPart
from .conversation import Conversation, Line
from .lamps import Lamps
from .messages import (
    Answered,
    BadLine,
    Booted,
    ButtonPressed,
    Decoder,
    FlagReported,
    LeverMoved,
    Message,
    Refused,
    Side,
    TimesTold,
)

GREETING_EVERY_MS = 300
"""A board that restarts when the port is opened is deaf for up to 3 s."""

HEARTBEAT_MS = 1000
MUTE_MS = 10_000
"""A device mute for so long has its port opened anew."""

PARTIAL_MS = 300
"""A line that stops in the middle is forgotten after this time."""

TEXT_LENGTH = 32

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerSettings:
    """What is known about a controller and how it stands at the board."""

    variant: Variant = Variant.INTERNATIONAL
    white: Side = Side.LEFT
    brightness: float = 0.5
    has_clock: bool = True
    has_lamps: bool = True
    adopts: bool = False
    """Whether times that the device has already are taken over."""


class Controller:
    """A link for `Port` that speaks the controller protocol; clock and lamps in one."""

    def __init__(
        self,
        settings: ControllerSettings,
        control: TimeControl,
        *,
        emit: Callable[[DeviceEvent], None],
        now_ms: Callable[[], int],
        first_number: int = 1,
    ) -> None:
        """Prepare the driver.

        Args:
            settings: the device and how it stands.
            control: the time control until another is set.
            emit: told presses, flags and the device's coming and going, from the port's thread.
            now_ms: source time.
            first_number: of the first line; another one each time the program is started.
        """
        self._settings = settings
        self._emit = emit
        self._source_ms = now_ms
        self._lock = threading.RLock()
        self._intake = Intake(Decoder(), partial_ms=PARTIAL_MS)
        self._conversation = Conversation(first_number=first_number)
        self._clock = ClockPart(
            control, white=settings.white, adopts=settings.adopts, emit=emit, now_ms=now_ms
        )
        self._lamps = Lamps()
        self._pattern = LightPattern()
        self._shown_ms: int | None = None
        self._announced: list[Line] = []
        self._is_online = False
        self._greeted_ms = self._heard_ms = self._asked_ms = 0
        self.identity: str | None = None
        self.damaged = 0

    @property
    def is_online(self) -> bool:
        """Whether the device answers."""
        return self._is_online

    @contextmanager
    def clock(self) -> Iterator[ClockPart]:
        """Lend the clock while the port's thread keeps off it."""
        with self._lock:
            yield self._clock

    def announce(self, text: str, *, beep_ms: int = 0) -> None:
        """Show a text, the newest wins; an empty one brings the times back."""
        shown = text.encode("ascii", errors="replace").decode("ascii")[:TEXT_LENGTH]
        printable = "".join(letter if letter.isprintable() else " " for letter in shown)
        with self._lock:
            self._announced = [Line(text=f"T {printable}".rstrip())]
            if beep_ms > 0:
                self._announced.append(Line(text=f"B {beep_ms}"))

    def show(self, pattern: LightPattern) -> None:
        """Take a pattern; the port's thread sends it."""
        with self._lock:
            if pattern != self._pattern:
                self._pattern = pattern
                self._shown_ms = None

    def opened(self, now_ms: int) -> None:
        """Begin anew with a greeting."""
        with self._lock:
            self._intake.reset()
            self._heard_ms = now_ms
            self._greeted_ms = now_ms - GREETING_EVERY_MS

    def received(self, data: bytes, now_ms: int) -> None:
        """Take lines of the device."""
        with self._lock:
            for message in self._intake.feed(data, now_ms):
                self._understand(message, now_ms)

    def poll(self, now_ms: int) -> bytes:
        """Return the next line to send, empty for none.

        Raises:
            DeviceLostError: the device is mute and the port should be opened anew.
        """
        with self._lock:
            if self._conversation.waiting is not None:
                packet = self._conversation.repeat(now_ms)
                if not self._conversation.is_mute:
                    return packet
                self._go_offline()
            if now_ms - self._heard_ms > MUTE_MS:
                raise DeviceLostError("the controller does not answer")
            line = self._next_line(now_ms)
            if line is None:
                return b""
            self._asked_ms = now_ms
            return self._conversation.ask(line, now_ms)

    def lost(self, now_ms: int) -> None:
        """Tell that the device is gone; its clock is thought to go on."""
        with self._lock:
            self._go_offline()

    def _next_line(self, now_ms: int) -> Line | None:
        if not self._is_online:
            if now_ms - self._greeted_ms < GREETING_EVERY_MS:
                return None
            self._greeted_ms = now_ms
            return Line(text="?")
        if self._settings.has_clock and (line := self._clock.next_line()) is not None:
            return line
        if self._settings.has_lamps:
            text = self._lamps.next_line(self._colors(now_ms))
            if text is not None:
                return Line(text=text)
        if self._announced:
            return self._announced.pop(0)
        return Line(text="?") if now_ms - self._asked_ms >= HEARTBEAT_MS else None

    def _colors(self, now_ms: int) -> dict[Square, Rgb]:
        if self._shown_ms is None:
            self._shown_ms = now_ms
        variant, brightness = self._settings.variant, self._settings.brightness
        colors = colors_at(
            self._pattern,
            now_ms - self._shown_ms,
            square_count=square_count(variant),
            row_squares=board_size(variant) // 2,
        )
        return {
            square: Rgb(*(int(level * brightness) for level in rgb))
            for square, rgb in colors.items()
        }

    def _understand(self, message: Message, now_ms: int) -> None:
        match message:
            case Answered():
                self._answered(message)
            case Refused():
                line = self._conversation.answered(message.number)
                _log.warning("the controller refused %s: %s", line, message.code)
                self._clock.answered()
            case LeverMoved() if self._settings.has_clock:
                self._clock.lever(message, now_ms)
            case FlagReported() if self._settings.has_clock:
                self._clock.flag(message)
            case TimesTold() if self._settings.has_clock:
                self._clock.times_told(message, now_ms)
                self._take_for_answer("C GET")
            case Booted():
                self._clock.restarted()
                self._go_offline()
            case ButtonPressed():
                _log.info("button %d of the controller", message.button)
            case BadLine():
                self.damaged += 1
                _log.debug("%s", message)
                return
        self._heard_ms = now_ms

    def _take_for_answer(self, text: str) -> None:
        """Take what came for the answer to a question, also where no OK follows."""
        line = self._conversation.waiting
        if line is not None and line.text == text:
            self._conversation.abandon()
            self._clock.answered()

    def _answered(self, message: Answered) -> None:
        line = self._conversation.answered(message.number)
        if line is None:
            return
        if line.text.startswith("L "):
            self._lamps.done(line.text)
        elif line.text.startswith("C "):
            self._clock.answered()
        elif line.text == "?":
            self.identity = " ".join(message.words) or self.identity
            self._go_online()

    def _go_online(self) -> None:
        if self._is_online:
            return
        self._is_online = True
        self._lamps.forget()
        self._clock.came_online()
        self._tell(DeviceFound)

    def _go_offline(self) -> None:
        unsure = self._conversation.abandon()
        if unsure is not None:
            self._clock.unanswered(unsure)
        if self._is_online:
            self._is_online = False
            self._tell(DeviceLost)

    def _tell(self, event: type[DeviceFound] | type[DeviceLost]) -> None:
        at_ms = self._source_ms()
        if self._settings.has_clock:
            self._emit(event(at_ms=at_ms, device="clock"))
        if self._settings.has_lamps:
            self._emit(event(at_ms=at_ms, device="lights"))
