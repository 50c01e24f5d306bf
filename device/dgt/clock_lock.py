"""One clock command at a time, by the rules that users of these clocks paid for.

A command waits for its acknowledgement; it is repeated after 2 s, at most three times, and given
up after 6 s. A refused one is repeated once. Nothing here reads a port or a clock.
"""

from enum import Enum

from .clock_messages import ClockAck, ClockCommand

ACK_MS = 2000
TRIES = 3
GIVE_UP_MS = 6000


class Verdict(Enum):
    """What an acknowledgement means for the command that waits."""

    DONE = "done"
    REFUSED = "refused"
    REPEAT = "repeat"
    FOREIGN = "foreign"


class ClockLock:
    """Remembers which command waits."""

    def __init__(self) -> None:
        self.waiting: ClockCommand | None = None
        self._first_ms = self._sent_ms = 0
        self._tries = 0
        self._must_repeat = False
        self._was_refused = False

    def sent(self, command: ClockCommand, now_ms: int) -> None:
        """Note that a command was sent, for the first time or again."""
        if self.waiting is not command:
            self.waiting = command
            self._first_ms = now_ms
            self._tries = 0
            self._was_refused = False
        self._tries += 1
        self._sent_ms = now_ms
        self._must_repeat = False

    def repeats(self, now_ms: int) -> bool:
        """Tell whether the command that waits should be sent again now."""
        if self.waiting is None:
            return False
        is_overdue = now_ms - self._sent_ms >= ACK_MS and self._tries < TRIES
        return self._must_repeat or is_overdue

    def gives_up(self, now_ms: int) -> bool:
        """Release the lock of a command that was never acknowledged; tell whether it was."""
        if self.waiting is None or now_ms - self._first_ms < GIVE_UP_MS:
            return False
        self.release()
        return True

    def release(self) -> None:
        """Wait for nothing."""
        self.waiting = None
        self._must_repeat = False

    def acknowledged(self, ack: ClockAck) -> Verdict:
        """Take an acknowledgement."""
        if self.waiting is None or ack.command != self.waiting:
            return Verdict.FOREIGN
        if ack.is_ok:
            self.release()
            return Verdict.DONE
        if self._was_refused:
            self.release()
            return Verdict.REFUSED
        self._was_refused = self._must_repeat = True
        return Verdict.REPEAT
