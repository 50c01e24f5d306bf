"""One question at a time: numbers lines, waits for the answer, repeats what was lost.

Nothing here reads a port or a clock.
"""

from dataclasses import dataclass

from .messages import MAX_NUMBER, encode_line

ANSWER_MS = 200
"""The protocol's time for an answer."""

TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Something to ask of the device."""

    text: str
    number: int | None = None
    """Set for a line that may have been carried out already; it is asked with that number."""


class Conversation:
    """Keeps the one line that waits for its answer."""

    def __init__(self, *, first_number: int) -> None:
        self._next_number = max(1, first_number % MAX_NUMBER)
        self._waiting: Line | None = None
        self._sent_ms = 0
        self._tries = 0

    @property
    def waiting(self) -> Line | None:
        """The line that waits for its answer."""
        return self._waiting

    @property
    def is_mute(self) -> bool:
        """Whether a line was repeated to no avail."""
        return self._waiting is not None and self._tries > TRIES

    def ask(self, line: Line, now_ms: int) -> bytes:
        """Return the bytes of a new question."""
        number = line.number
        if number is None:
            number = self._next_number
            self._next_number = number % MAX_NUMBER + 1
        self._waiting = Line(text=line.text, number=number)
        self._tries = 0
        return self._send(now_ms)

    def repeat(self, now_ms: int) -> bytes:
        """Return the question once more where its answer is overdue, else nothing."""
        if self._waiting is None or now_ms - self._sent_ms < ANSWER_MS:
            return b""
        return b"" if self._tries > TRIES else self._send(now_ms)

    def answered(self, number: int) -> Line | None:
        """Return the question that a number answers, None for a late or foreign answer."""
        line = self._waiting
        if line is None or line.number != number:
            return None
        self._waiting = None
        return line

    def abandon(self) -> Line | None:
        """Forget the question that waits, and return it."""
        line, self._waiting = self._waiting, None
        return line

    def _send(self, now_ms: int) -> bytes:
        self._tries += 1
        self._sent_ms = now_ms
        if self._waiting is None or self._tries > TRIES:
            return b""
        return encode_line(f"#{self._waiting.number} {self._waiting.text}")
