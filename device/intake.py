"""What every driver does with bytes: decode them, and forget what stops in the middle."""

from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

MessageT = TypeVar("MessageT", covariant=True)


class StreamDecoder(Protocol[MessageT]):
    """Turns bytes into messages; keeps a message that is not complete."""

    def feed(self, data: bytes) -> Iterable[MessageT]:
        """Take bytes and return the messages that are complete."""

    def reset(self) -> None:
        """Forget a message that was begun."""


class Intake(Generic[MessageT]):
    """A decoder with a time-out between the bytes of one message."""

    def __init__(self, decoder: StreamDecoder[MessageT], *, partial_ms: int) -> None:
        """Take a decoder; a message is forgotten where `partial_ms` pass in the middle of it."""
        self._decoder = decoder
        self._partial_ms = partial_ms
        self._received_ms = 0

    def reset(self) -> None:
        """Begin anew, as when the port was opened."""
        self._decoder.reset()

    def feed(self, data: bytes, now_ms: int) -> Iterable[MessageT]:
        """Take bytes that arrived now and return the messages that are complete."""
        if now_ms - self._received_ms > self._partial_ms:
            self._decoder.reset()
        self._received_ms = now_ms
        return self._decoder.feed(data)
