"""A page that is served, and a client that reads it."""

import http.client
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from damcam.game.record import GameRecord
from damcam.journal.events import Entry, Event
from damcam.serve import Address, PageServer
from tests.damcam.fakes import random_moves, told

TAGS = {"White": "Ton <b>", "Black": "Harm", "Event": "Club & Co"}


@contextmanager
def serving(*, delay_s: float = 0.0) -> Iterator[PageServer]:
    server = PageServer(Address(host="127.0.0.1", port=0), TAGS, delay_s=delay_s)
    server.start()
    try:
        yield server
    finally:
        server.close()


def get(
    server: PageServer, path: str, headers: dict[str, str] | None = None
) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.address.port, timeout=10)
    connection.request("GET", path, headers=headers or {})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


def get_bytes(server: PageServer, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.address.port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def feed(
    server: PageServer, events: Sequence[Event], record: GameRecord | None = None
) -> GameRecord:
    record = record or GameRecord()
    for event in events:
        entry = Entry(seq=record.seq + 1, event=event)
        record = record.after(entry)
        server.show(entry, record)
    return record


def stream(
    server: PageServer, headers: dict[str, str] | None = None
) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", server.address.port, timeout=10)
    connection.request("GET", "/api/events", headers=headers or {})
    return connection, connection.getresponse()


def read_seqs(answer: http.client.HTTPResponse, count: int) -> list[int]:
    """Return the numbers of the next `count` events of a stream."""
    seqs: list[int] = []
    while len(seqs) < count:
        line = answer.readline().decode()
        assert line, "the stream ended early"
        if line.startswith("data: "):
            data = json.loads(line.removeprefix("data: "))
            seqs.append(data["seq"])
    return seqs


EVENTS: list[Event] = list(told(random_moves(12, seed=1)))
