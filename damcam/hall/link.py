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
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import (
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
from .reader import Reader
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
MOST_STILLS_BYTES: Final = 1024**3
"""Of the pictures; when there are more the oldest go."""


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
        """Make the streams of the event, and of its pictures, unless they exist.

        Args:
            replicas: On how many servers every message is kept.
            same_id_s: For how long the id of a message is known.
            mirror: The JetStream domain of the servers whose stream this one repeats; empty: none.

        Raises:
            LinkError: It cannot be made.
        """
        told = StreamConfig(name=self.subjects.stream, max_bytes=MOST_BYTES)
        seen = StreamConfig(name=self.subjects.stills, max_bytes=MOST_STILLS_BYTES)
        for config in (told, seen):
            config.retention, config.storage = RetentionPolicy.LIMITS, StorageType.FILE
            config.num_replicas, config.allow_direct = replicas, True
            if mirror:
                api = ExternalStream(api=f"$JS.{mirror}.API")
                config.mirror = StreamSource(name=str(config.name), external=api)
            else:
                config.max_msg_size, config.duplicate_window = MOST_MESSAGE, same_id_s
        if not mirror:
            told.subjects, seen.subjects = [*self.subjects.stored], [self.subjects.all_stills]
            told.deny_delete = told.deny_purge = True
            seen.max_msgs_per_subject = 1
        for config in (told, seen):
            await self._ensure(config)

    async def _ensure(self, config: StreamConfig) -> None:
        try:
            await self._js.stream_info(str(config.name))
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

    async def still(self, subject: str) -> bytes:
        """Return the picture of a subject; empty where there is none.

        Raises:
            LinkError: The stream does not answer.
        """
        try:
            found = await self._js.get_msg(self.subjects.stills, subject=subject, direct=True)
        except NotFoundError:
            return b""
        except (NatsError, OSError, TimeoutError) as error:
            raise LinkError(f"the pictures cannot be read: {error}") from error
        return found.data or b""

    async def say(self, subject: str, body: bytes) -> None:
        """Send what need not be kept."""
        if self.is_up:
            await _asked(self._client.publish(subject, body))

    async def hear(self, subject: str, heard: Callable[[str, bytes], None]) -> None:
        """Call `heard` with the subject and body of everything that is said there."""

        async def pass_on(message: Msg) -> None:
            heard(message.subject, message.data)

        await _asked(self._client.subscribe(subject, cb=pass_on))

    def follow(self, after: int = 0) -> AsyncIterator[Stored]:
        """Yield every message behind a place of the stream, in order and once, without end."""
        return self._reader(self.subjects.stream).follow(after)

    def follow_stills(self) -> AsyncIterator[Stored]:
        """Yield the pictures that there are and those to come, without their bodies."""
        return self._reader(self.subjects.stills, heads_only=True).follow(0)

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

    def _reader(self, stream: str, *, heads_only: bool = False) -> Reader:
        name = f"{self._address.name}-{id(self):x}-{stream}"
        return Reader(
            self._client, self._js, lambda: self._comebacks, stream, name, heads_only=heads_only
        )

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
