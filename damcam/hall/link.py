"""The line to NATS: the only place that knows its client. Errors become `LinkError`.

A message is stored once whatever happens to the line: its id is known for two minutes, and it
names the message that must stand before it on its subject. Reading goes on from a place in the
stream that the reader remembers, so that a server that dies costs time and nothing else.
"""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DeliverPolicy,
    ExternalStream,
    RawStreamMsg,
    RetentionPolicy,
    StorageType,
    StreamConfig,
    StreamSource,
)
from nats.js.errors import APIError, NotFoundError

from .config import HallConfig
from .errors import HallConfigError, LinkError, WrongLastError
from .names import Subjects
from .stored import Stored

LOGGER = logging.getLogger(__name__)
WRONG_LAST: Final = 10071
"""NATS: somebody else has told something on this subject meanwhile."""

SAME_ID_S: Final = 120.0
MOST_BYTES: Final = 2 * 1024**3
"""Of the stream; nine rounds of 128 boards are a fifth of it."""

MOST_MESSAGE: Final = 65_536
ANSWER_S: Final = 5.0
AGAIN_S: Final = 0.25
QUIET_S: Final = 0.5
LOOK_S: Final = 2.0
"""After so long without a message a reader asks whether its place still exists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkAddress:
    """Where NATS is and who we are there."""

    servers: tuple[str, ...]
    seed_file: Path | None = None
    """The secret half of an nkey, readable by its owner only."""
    ca_file: Path | None = None
    """Whom to trust for tls:// addresses; None for those whom the machine trusts."""
    name: str = "damcam"

    def __post_init__(self) -> None:
        for server in self.servers:
            parts = urlsplit(server)
            if parts.scheme not in ("nats", "tls") or not parts.hostname:
                raise HallConfigError("NATS is at an address such as nats://127.0.0.1:4222")
            if parts.username or parts.password:
                raise HallConfigError(
                    "an address holds no password; give the key in a file instead"
                )
        if self.seed_file is not None and not self.seed_file.is_file():
            raise HallConfigError(f"there is no key {self.seed_file}")


def link_address(config: HallConfig) -> LinkAddress:
    """Return where `hall.toml` says that NATS is.

    Raises:
        HallConfigError: An address or a key cannot be used.
    """
    return LinkAddress(
        servers=config.servers, seed_file=config.seed, ca_file=config.ca, name=config.name
    )


class Link:
    """A connection that comes back by itself; use it in an `async with` statement."""

    def __init__(
        self, address: LinkAddress, subjects: Subjects, *, patience_s: float | None = None
    ) -> None:
        """Take who we are.

        Args:
            address: Where NATS is.
            subjects: How the event is called there.
            patience_s: How long the first connection may take; None: for ever.
        """
        self.subjects: Final = subjects
        self._patience_s = patience_s
        self._address = address
        self._client = Client()
        self._stream: JetStreamContext | None = None
        self._comebacks = 0

    @property
    def is_up(self) -> bool:
        """Whether a server answers."""
        return bool(self._client.is_connected)

    async def __aenter__(self) -> Self:
        """Connect.

        Raises:
            LinkError: The server does not know us, the key is none, or nobody answers in time.
        """
        address = self._address
        options: dict[str, Any] = {"reconnect_time_wait": AGAIN_S}
        if address.seed_file is not None:
            options["nkeys_seed"] = str(address.seed_file)
        if any(server.startswith("tls:") for server in address.servers):
            options["tls"] = ssl.create_default_context(
                cafile=str(address.ca_file) if address.ca_file else None
            )
        try:
            async with asyncio.timeout(self._patience_s):
                await self._client.connect(
                    servers=list(address.servers),
                    name=address.name,
                    max_reconnect_attempts=-1,
                    ping_interval=5,
                    inbox_prefix=f"_INBOX_{address.name}",
                    error_cb=_note,
                    reconnected_cb=self._came_back,
                    **options,
                )
        except TimeoutError as error:
            raise LinkError(f"nobody answers at {', '.join(address.servers)}") from error
        except (NatsError, ValueError) as error:
            raise LinkError(f"NATS does not take us: {error}") from error
        self._stream = self._client.jetstream(timeout=ANSWER_S)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave."""
        await self._client.close()

    async def ensure_stream(
        self, *, replicas: int = 1, same_id_s: float = SAME_ID_S, mirror: str = ""
    ) -> None:
        """Make the stream of the event unless it exists.

        Args:
            replicas: On how many servers every message is kept.
            same_id_s: For how long the id of a message is known.
            mirror: The JetStream domain of the servers whose stream this one repeats; empty: none.

        Raises:
            LinkError: It cannot be made.
        """
        config = StreamConfig(
            name=self.subjects.stream,
            retention=RetentionPolicy.LIMITS,
            storage=StorageType.FILE,
            num_replicas=replicas,
            max_bytes=MOST_BYTES,
            allow_direct=True,
        )
        if mirror:
            external = ExternalStream(api=f"$JS.{mirror}.API")
            config.mirror = StreamSource(name=self.subjects.stream, external=external)
        else:
            config.subjects = list(self.subjects.stored)
            config.max_msg_size = MOST_MESSAGE
            config.duplicate_window = same_id_s
            config.deny_delete = config.deny_purge = True
        try:
            await self._js.stream_info(self.subjects.stream)
        except NotFoundError:
            await _asked(self._js.add_stream(config))
        except (NatsError, OSError, TimeoutError) as error:
            raise LinkError(f"the stream cannot be looked at: {error}") from error

    async def tell(
        self, subject: str, body: bytes, *, message_id: str, after: int | None = None
    ) -> int:
        """Store a message; return its place in the stream.

        Args:
            subject: Where it belongs.
            body: What it says.
            message_id: By which a second copy is known.
            after: The place of the message that is last on the subject, 0 for none.

        Raises:
            WrongLastError: Another message is the last one.
            LinkError: It is not sure whether the message was stored.
        """
        headers = {"Nats-Msg-Id": message_id}
        if after is not None:
            headers["Nats-Expected-Last-Subject-Sequence"] = str(after)
        stored = await _asked(self._js.publish(subject, body, timeout=ANSWER_S, headers=headers))
        return int(stored.seq)

    async def last(self, subject: str) -> tuple[int, bytes]:
        """Return the place and the body of the last message of a subject; (0, b"") for none.

        Raises:
            LinkError: The stream does not answer.
        """
        return await self._one(subject, None)

    async def next(self, subject: str, after: int) -> Stored | None:
        """Return the first message of a subject behind a place in the stream.

        Raises:
            LinkError: The stream does not answer.
        """
        try:
            found = await self._js.get_msg(
                self.subjects.stream, seq=after + 1, subject=subject, next=True, direct=True
            )
        except NotFoundError:
            return None
        except (NatsError, OSError, TimeoutError) as error:
            raise LinkError(f"the stream cannot be read: {error}") from error
        return _stored(found)

    async def say(self, subject: str, body: bytes) -> None:
        """Send what need not be kept."""
        if self.is_up:
            await _asked(self._client.publish(subject, body))

    async def hear(self, subject: str, heard: Callable[[str, bytes], None]) -> None:
        """Call `heard` with the subject and body of everything that is said there."""

        async def pass_on(message: Msg) -> None:
            heard(message.subject, message.data)

        await _asked(self._client.subscribe(subject, cb=pass_on))

    async def follow(self, after: int = 0) -> AsyncIterator[Stored]:
        """Yield every message behind a place of the stream, in order and once, without end."""
        place, consumers = after, 0
        while True:
            consumers += 1
            try:
                place = await self._place_that_exists(place)
                name = f"{self._address.name}-{id(self):x}-{consumers}"
                subscription = await self._consumer(name, place + 1)
            except (LinkError, NatsError, OSError, TimeoutError) as error:
                LOGGER.debug("the stream cannot be followed yet: %s", error)
                await asyncio.sleep(AGAIN_S)
                continue
            async for stored in self._delivered(subscription, name, place):
                place = stored.seq
                yield stored

    @property
    def _js(self) -> JetStreamContext:
        if self._stream is None:
            raise LinkError("the link is not open")
        return self._stream

    async def _one(self, subject: str, seq: int | None) -> tuple[int, bytes]:
        try:
            found = await self._js.get_msg(
                self.subjects.stream, seq=seq, subject=subject, direct=True
            )
        except NotFoundError:
            return 0, b""
        except (NatsError, OSError, TimeoutError) as error:
            raise LinkError(f"the stream cannot be read: {error}") from error
        return int(found.seq or 0), found.data or b""

    async def _place_that_exists(self, place: int) -> int:
        """Return the place, or the beginning of a stream that was made anew."""
        state = (await self._js.stream_info(self.subjects.stream)).state
        return place if place <= state.last_seq else 0

    async def _consumer(self, name: str, first: int) -> Subscription:
        inbox = self._client.new_inbox()
        subscription = await self._client.subscribe(inbox)
        config = ConsumerConfig(
            name=name,
            deliver_subject=inbox,
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=first,
            ack_policy=AckPolicy.NONE,
            max_deliver=1,
            inactive_threshold=60.0,
            mem_storage=True,
            num_replicas=1,
        )
        try:
            await self._js.add_consumer(self.subjects.stream, config)
        except (NatsError, OSError, TimeoutError):
            await subscription.unsubscribe()
            raise
        return subscription

    async def _delivered(
        self, subscription: Subscription, name: str, place: int
    ) -> AsyncIterator[Stored]:
        """Yield what one consumer delivers until it is gone or something is missing."""
        told, comebacks, quiet_s = 0, self._comebacks, 0.0
        try:
            while comebacks == self._comebacks and not self._client.is_closed:
                message = await _next_message(subscription)
                quiet_s = quiet_s + QUIET_S if message is None else 0.0
                if quiet_s >= LOOK_S and not await self._is_at(name, place):
                    return
                if message is None:
                    continue
                told += 1
                if message.metadata.sequence.consumer != told:
                    return
                stored = _delivered_as(message)
                place = stored.seq
                yield stored
        except NatsError as error:
            LOGGER.debug("the stream is followed anew: %s", error)
        finally:
            await _left(subscription)

    async def _is_at(self, name: str, place: int) -> bool:
        """Tell whether a consumer lives and has delivered no more than was heard."""
        if not self.is_up:
            return True
        try:
            found = await self._js.consumer_info(self.subjects.stream, name)
        except (NatsError, OSError, TimeoutError):
            return False
        delivered = found.delivered.stream_seq if found.delivered else 0
        return int(delivered or 0) <= place

    async def _came_back(self) -> None:
        self._comebacks += 1


async def _asked(answer: Awaitable[Any]) -> Any:  # noqa: ANN401
    """Return an answer of NATS; its errors as ours."""
    try:
        return await answer
    except APIError as error:
        kind = WrongLastError if error.err_code == WRONG_LAST else LinkError
        raise kind(f"NATS refuses: {error.description}") from error
    except (NatsError, OSError, TimeoutError) as error:
        raise LinkError(f"NATS does not answer: {error or type(error).__name__}") from error


async def _next_message(subscription: Subscription) -> Msg | None:
    """Return what is delivered next, None if nothing comes for a while."""
    try:
        return await subscription.next_msg(timeout=QUIET_S)
    except TimeoutError:
        return None


def _delivered_as(message: Msg) -> Stored:
    return Stored(
        seq=message.metadata.sequence.stream,
        subject=message.subject,
        body=message.data,
        at_utc_s=message.metadata.timestamp.timestamp(),
    )


async def _left(subscription: Subscription) -> None:
    try:
        await subscription.unsubscribe()
    except NatsError as error:
        LOGGER.debug("a subscription had ended already: %s", error)


async def _note(error: Exception) -> None:
    LOGGER.debug("the line to NATS: %s", error)


def _stored(found: RawStreamMsg) -> Stored:
    at_utc_s = found.time.timestamp() if found.time is not None else 0.0
    return Stored(
        seq=int(found.seq or 0),
        subject=found.subject or "",
        body=found.data or b"",
        at_utc_s=at_utc_s,
    )
