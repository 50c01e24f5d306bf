"""Reads a stream from a place on, in order and once, whatever happens to servers and the line."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Final

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from .errors import LinkError
from .stored import Stored

LOGGER = logging.getLogger(__name__)
AGAIN_S: Final = 0.25
QUIET_S: Final = 0.5
LOOK_S: Final = 2.0
"""After so long without a message a reader asks whether its place still exists."""


class Reader:
    """One reading of one stream."""

    def __init__(
        self,
        client: Client,
        jetstream: JetStreamContext,
        comebacks: Callable[[], int],
        stream: str,
        name: str,
        *,
        heads_only: bool = False,
    ) -> None:
        """Take the line.

        Args:
            client: The connection.
            jetstream: The same, for what is stored.
            comebacks: Returns how often the connection came back.
            stream: What is read.
            name: What consumers are called, with a number behind it.
            heads_only: Leave the bodies where they are.
        """
        self._client = client
        self._js = jetstream
        self._comebacks = comebacks
        self._stream = stream
        self._name = name
        self._heads_only = heads_only

    async def follow(self, after: int) -> AsyncIterator[Stored]:
        """Yield every message behind a place of the stream, in order and once, without end."""
        place, consumers = after, 0
        while True:
            consumers += 1
            try:
                place = await self._place_that_exists(place)
                name = f"{self._name}-{consumers}"
                subscription = await self._consumer(name, place + 1)
            except (LinkError, NatsError, OSError, TimeoutError) as error:
                LOGGER.debug("the stream cannot be followed yet: %s", error)
                await asyncio.sleep(AGAIN_S)
                continue
            async for stored in self._delivered(subscription, name, place):
                place = stored.seq
                yield stored

    async def _place_that_exists(self, place: int) -> int:
        """Return the place, or the beginning of a stream that was made anew."""
        state = (await self._js.stream_info(self._stream)).state
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
            headers_only=self._heads_only,
        )
        try:
            await self._js.add_consumer(self._stream, config)
        except (NatsError, OSError, TimeoutError):
            await subscription.unsubscribe()
            raise
        return subscription

    async def _delivered(
        self, subscription: Subscription, name: str, place: int
    ) -> AsyncIterator[Stored]:
        """Yield what one consumer delivers until it is gone or something is missing."""
        told, comebacks, quiet_s = 0, self._comebacks(), 0.0
        try:
            while comebacks == self._comebacks() and not self._client.is_closed:
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
        if not self._client.is_connected:
            return True
        try:
            found = await self._js.consumer_info(self._stream, name)
        except (NatsError, OSError, TimeoutError):
            return False
        delivered = found.delivered.stream_seq if found.delivered else 0
        return int(delivered or 0) <= place


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
