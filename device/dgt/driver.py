"""The driver of a DGT board with a clock behind it."""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from rules import Piece, Square

from ..clock.time_control import TimeControl
from ..errors import DeviceLostError
from ..events import DeviceEvent, DeviceFound, DeviceLost
from ..intake import Intake
from ..sensed import SensedBoard
from .clock_lock import ClockLock, Verdict
from .clock_messages import (
    BwTime,
    ClockAck,
    ClockCommand,
    NoTimes,
    encode_beep,
    encode_clock_version,
    encode_display,
    encode_end,
    encode_set_and_run,
    encode_text,
)
from .clock_model import ClockModel
from .messages import (
    RETURN_SERIAL,
    SEND_CLOCK,
    SEND_UPDATE_NICE,
    SEND_VERSION,
    BadMessage,
    BoardDump,
    Decoder,
    FieldUpdate,
    Message,
    SerialNumber,
    Swallowed,
    Version,
)
from .position import PositionSource

OPENING_MS = 500
"""Boards are deaf for so long after the port was opened."""

COMMAND_GAP_MS = 100
HANDSHAKE_MS = 2000
KEEP_ALIVE_MS = 1000
"""Asked right after clock data, when old boards are quiet; a little later where none comes."""
LATE_KEEP_ALIVE_MS = 1500

PARTIAL_MS = 500
"""At 9600 baud the longest useful message takes 270 ms."""

MUTE_MS = 5000
TEXT_GAP_MS = 1000
"""Clocks that get texts faster show wrong times in between."""

CLOCK_READY = 0x81
"""A clock tells so when it was started: it has lost its times."""

DGT_XL = 1
DGT_3000 = 2
"""The main version of clocks that can show text."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class DgtSettings:
    """What is known about a board and how its clock stands."""

    white_is_left: bool = True
    ends_after_set: bool = True
    """Some clocks show the times that were set only after an END command."""
    adopts: bool = False
    expected: Mapping[Square, Piece] | None = None
    """What is known to stand on the board; it tells how the board lies."""


class DgtBoard:
    """A link for `Port` that speaks to a DGT board and its clock."""

    def __init__(
        self,
        settings: DgtSettings,
        control: TimeControl,
        *,
        emit: Callable[[DeviceEvent], None],
        now_ms: Callable[[], int],
    ) -> None:
        """Prepare the driver.

        Args:
            settings: the board and its clock.
            control: the time control until another is set.
            emit: told presses, flags and the clock's coming and going, from the port's thread.
            now_ms: source time.
        """
        self._settings = settings
        self._emit = emit
        self._source_ms = now_ms
        self._lock = threading.RLock()
        self._intake = Intake(Decoder(), partial_ms=PARTIAL_MS)
        self._clock = ClockModel(
            control, white_is_left=settings.white_is_left, adopts=settings.adopts, emit=emit
        )
        self._clock_lock = ClockLock()
        self._commands: deque[bytes] = deque()
        self._texts: deque[tuple[str, int]] = deque()
        self._shown: tuple[str, int] = ("", 0)
        self._wants_end = False
        self._version: Version | None = None
        self._clock_version: int | None = None
        self._is_found = False
        self._had_clock_data = False
        self._free_ms = self._heard_ms = self._text_ms = 0
        self._handshake_ms = self._kept_alive_ms = 0
        self.identity: str | None = None
        self._position = PositionSource(settings.expected)
        self.damaged = 0

    def sensed(self) -> SensedBoard | None:
        """Return what stands on a 10x10 board, None where no men were seen or it is away."""
        with self._lock:
            return self._position.sensed

    @property
    def is_found(self) -> bool:
        """Whether the clock answers."""
        return self._is_found

    @contextmanager
    def clock(self) -> Iterator[ClockModel]:
        """Lend the clock while the port's thread keeps off it."""
        with self._lock:
            yield self._clock

    def announce(self, text: str, *, beep_ms: int = 0) -> None:
        """Show a text, the newest wins; an empty one brings the times back."""
        with self._lock:
            self._texts.clear()
            self._texts.append((text, beep_ms))

    def opened(self, now_ms: int) -> None:
        """Begin anew with the handshake."""
        with self._lock:
            self._intake.reset()
            self._clock_lock.release()
            self._commands.clear()
            self._version = self._clock_version = None
            self._free_ms = now_ms + OPENING_MS
            self._heard_ms = now_ms + OPENING_MS
            self._handshake_ms = now_ms - HANDSHAKE_MS
            self._kept_alive_ms = now_ms
            self._position.lost()

    def received(self, data: bytes, now_ms: int) -> None:
        """Take bytes of the board."""
        with self._lock:
            for message in self._intake.feed(data, now_ms):
                self._understand(message, now_ms)

    def poll(self, now_ms: int) -> bytes:
        """Return the next command, empty for none.

        Raises:
            DeviceLostError: the board is mute and the port should be opened anew.
        """
        with self._lock:
            self._clock.advance(self._source_ms())
            if now_ms - self._heard_ms > MUTE_MS:
                raise DeviceLostError("the board does not answer")
            if now_ms < self._free_ms:
                return b""
            if self._version is None and now_ms - self._handshake_ms >= HANDSHAKE_MS:
                self._handshake_ms = now_ms
                self._commands.extend((SEND_UPDATE_NICE, SEND_VERSION))
            if self._commands:
                self._free_ms = now_ms + COMMAND_GAP_MS
                return self._commands.popleft()
            return self._clock_command(now_ms) or self._upkeep(now_ms)

    def lost(self, now_ms: int) -> None:
        """Tell that the clock is gone; its times are thought to go on."""
        with self._lock:
            self._position.lost()
            self._set_found(False)

    def _clock_command(self, now_ms: int) -> bytes:
        lock = self._clock_lock
        unheard = lock.waiting
        if lock.gives_up(now_ms):
            _log.warning("the clock does not acknowledge commands")
            self._set_found(False)
            if unheard is ClockCommand.SET_AND_RUN:
                self._clock.wants_set = True
            elif unheard is ClockCommand.VERSION:
                self._clock_version = DGT_XL
        command = lock.waiting if lock.repeats(now_ms) else None
        if command is None and lock.waiting is None and self._version is not None:
            command = self._next_command(now_ms)
        if command is None:
            return b""
        lock.sent(command, now_ms)
        return self._encode(command)

    def _next_command(self, now_ms: int) -> ClockCommand | None:
        """Return what to tell the clock next."""
        if self._clock_version is None:
            return ClockCommand.VERSION
        if self._clock.wants_set:
            self._clock.wants_set = False
            return ClockCommand.SET_AND_RUN
        if self._wants_end:
            self._wants_end = False
            return ClockCommand.END
        if self._texts and now_ms - self._text_ms >= TEXT_GAP_MS:
            self._text_ms = now_ms
            self._shown = self._texts.popleft()
            text, beep_ms = self._shown
            if not text:
                return ClockCommand.BEEP if beep_ms else ClockCommand.END
            can_show = self._clock_version >= DGT_3000
            return ClockCommand.TEXT if can_show else ClockCommand.DISPLAY
        return None

    def _encode(self, command: ClockCommand) -> bytes:
        text, beep_ms = self._shown
        match command:
            case ClockCommand.SET_AND_RUN:
                return encode_set_and_run(*self._clock.to_set(self._source_ms()))
            case ClockCommand.TEXT:
                return encode_text(text, beep=beep_ms * 16 // 1000)
            case ClockCommand.DISPLAY:
                return encode_display(text, beep=beep_ms > 0)
            case ClockCommand.BEEP:
                return encode_beep(beep_ms)
            case ClockCommand.VERSION:
                return encode_clock_version()
            case ClockCommand.END:
                return encode_end()

    def _upkeep(self, now_ms: int) -> bytes:
        """Return a question that keeps the connection alive, or asks for the position."""
        since_ms = now_ms - self._kept_alive_ms
        if since_ms >= (KEEP_ALIVE_MS if self._had_clock_data else LATE_KEEP_ALIVE_MS):
            self._kept_alive_ms = now_ms
            self._had_clock_data = False
            self._free_ms = now_ms + COMMAND_GAP_MS
            return RETURN_SERIAL
        question = self._position.question(now_ms)
        if question:
            self._free_ms = now_ms + COMMAND_GAP_MS
        return question

    def _understand(self, message: Message, now_ms: int) -> None:
        match message:
            case BadMessage():
                self.damaged += 1
                _log.debug("%s", message)
                return
            case BwTime():
                self._had_clock_data = True
                self._set_found(True)
                is_settling = self._clock_lock.waiting is ClockCommand.SET_AND_RUN
                self._clock.reported(message, self._source_ms(), is_settling=is_settling)
            case ClockAck():
                self._had_clock_data = True
                self._acknowledged(message)
            case NoTimes(is_clock_missing=True):
                self._set_found(False)
            case NoTimes():
                self._had_clock_data = True
            case Version():
                self._version = message
                self._commands.append(SEND_CLOCK)
                self._position.opened(now_ms)
            case SerialNumber():
                self.identity = f"DGT board {message.text}"
            case FieldUpdate():
                self._position.changed(now_ms)
            case BoardDump():
                self._position.took(message, now_ms)
            case Swallowed():
                _log.debug("%s", message)
        self._heard_ms = now_ms

    def _acknowledged(self, ack: ClockAck) -> None:
        if ack.is_spontaneous:
            _log.info("the clock tells %s", ack)
            self._clock.wants_set |= ack.command == CLOCK_READY
            return
        command = self._clock_lock.waiting
        verdict = self._clock_lock.acknowledged(ack)
        if verdict is Verdict.REFUSED:
            _log.warning(
                "the clock refuses command %d: switch a DGT XL to mode 23, a DGT 3000 to 25",
                ack.command,
            )
        if verdict is not Verdict.DONE:
            return
        self._set_found(True)
        if command is ClockCommand.VERSION:
            self._clock_version = ack.first >> 4
        elif command is ClockCommand.SET_AND_RUN:
            self._clock.was_set(self._source_ms())
            self._wants_end = self._settings.ends_after_set

    def _set_found(self, is_found: bool) -> None:
        if is_found == self._is_found:
            return
        self._is_found = is_found
        event = DeviceFound if is_found else DeviceLost
        if not is_found:
            self._clock.was_lost()
        self._emit(event(at_ms=self._source_ms(), device="clock"))
