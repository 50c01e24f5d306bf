"""Pictures of irregularities: on the page with their irregularity, told when they come late."""

import http.client
from pathlib import Path

import cv2
import numpy as np

from damcam.game.record import GameRecord
from damcam.journal.events import Entry
from damcam.outputs import Stills
from damcam.serve import Address, PageServer
from device import Frame
from rules import Position, Variant, to_fen
from tests.damcam.fakes import flag_of, reading_of
from tests.damcam.pages import EVENTS, TAGS, feed, get, get_bytes, read_seqs


def test_still_is_shown_only_with_its_irregularity(tmp_path: Path) -> None:
    flag = flag_of(to_fen(Position.start(Variant.INTERNATIONAL)), text="none")
    stills = Stills(tmp_path / "stills")
    record = GameRecord()
    reading = reading_of(Position.start(Variant.INTERNATIONAL).grid())
    frame = Frame(bgr=np.full((41, 41, 3), 200, dtype=np.uint8), at_ms=0, index=0)
    stills.watch(frame, reading, record)
    stills.show(Entry(seq=3, event=flag), record)
    stills.show(Entry(seq=2, event=EVENTS[0]), record)
    assert [path.name for path in (tmp_path / "stills").iterdir()] == ["3.jpg"]
    picture = cv2.imread(str(tmp_path / "stills" / "3.jpg"))
    assert picture is not None
    assert picture.shape == (480, 480, 3)
    address = Address(host="127.0.0.1", port=0)
    server = PageServer(address, TAGS, stills=tmp_path / "stills")
    server.start()
    record = feed(server, EVENTS[:2])
    assert get_bytes(server, "/stills/3.jpg")[0] == 404
    feed(server, [flag], record)
    assert 'src="/stills/3.jpg"' in get(server, "/")[2]
    assert get_bytes(server, "/stills/3.jpg") == (200, (tmp_path / "stills" / "3.jpg").read_bytes())
    assert get_bytes(server, "/stills/4.jpg")[0] == 404
    server.close()


def test_a_picture_that_comes_later_is_told(tmp_path: Path) -> None:
    address = Address(host="127.0.0.1", port=0)
    server = PageServer(address, TAGS, stills=tmp_path)
    server.start()
    flag = flag_of(to_fen(Position.start(Variant.INTERNATIONAL)), text="none")
    feed(server, [*EVENTS[:2], flag])
    connection = http.client.HTTPConnection("127.0.0.1", server.address.port, timeout=20)
    connection.request("GET", "/api/events")
    stream = connection.getresponse()
    assert read_seqs(stream, 3) == [1, 2, 3]
    assert "/stills/3.jpg" not in get(server, "/")[2]
    (tmp_path / "3.jpg").write_bytes(b"...")
    while not (line := stream.readline().decode()).startswith("event:"):
        pass
    assert line == "event: picture\n"
    assert 'src="/stills/3.jpg"' in get(server, "/")[2]
    connection.close()
    server.close()
