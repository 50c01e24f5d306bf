import threading
from dataclasses import dataclass, field

import pytest

from device import (
    DeviceError,
    DeviceFound,
    DeviceLost,
    LiveSource,
    SensedBoard,
    SensorSource,
    open_source,
)
from rules import Piece, Square
from tests.emulators.waiting import Inbox


@dataclass
class FakeBoard:
    says: SensedBoard | None = None
    is_closed: bool = False

    def sensed(self) -> SensedBoard | None:
        return self.says

    def close(self) -> None:
        self.is_closed = True


@dataclass
class Rig:
    """A source whose clock is set by hand."""

    now_ms: int = 0
    inbox: Inbox = field(default_factory=Inbox)
    board: FakeBoard = field(default_factory=FakeBoard)

    def __post_init__(self) -> None:
        self.source = SensorSource(
            "dgt:x", emit=self.inbox, monotonic_ns=lambda: self.now_ms * 1_000_000
        )

    def at(self, now_ms: int) -> int | None:
        """Return the time of the frame that comes at once, None where none does."""
        self.now_ms = now_ms
        frame = self.source.newest(0)
        return None if frame is None else frame.at_ms


QUIET = SensedBoard(pieces={Square(1): Piece.BLACK_MAN}, is_quiet=True)


def test_ten_pictures_a_second_come_of_a_board_that_is_there() -> None:
    rig = Rig()
    assert rig.at(0) is None
    rig.source.connect(rig.board, is_owner=True)
    rig.board.says = QUIET
    assert [rig.at(ms) for ms in (10, 20, 90, 100, 110, 200, 950, 960, 1100)] == (
        [10, None, None, 100, None, 200, 950, None, 1100]
    )


def test_a_board_that_goes_and_comes_is_told() -> None:
    rig = Rig()
    rig.source.connect(rig.board, is_owner=False)
    for now_ms in (0, 5000, 5001, 9000):
        assert rig.at(now_ms) is None
    assert [(type(event), event.at_ms) for event in rig.inbox] == [(DeviceLost, 5001)]
    rig.board.says = QUIET
    assert rig.at(9500) == 9500
    assert [type(event) for event in rig.inbox] == [DeviceLost, DeviceFound]


@pytest.mark.parametrize("is_owner", [True, False])
def test_closing_ends_the_frames_and_what_the_source_owns(is_owner: bool) -> None:
    rig = Rig()
    rig.source.connect(rig.board, is_owner=is_owner)
    waiter = threading.Timer(0.05, rig.source.close)
    waiter.start()
    assert list(rig.source) == []
    waiter.join()
    assert rig.source.is_closed
    assert rig.board.is_closed is is_owner


def test_a_board_is_opened_by_its_address() -> None:
    source = open_source("dgt:/dev/nowhere")
    assert isinstance(source, LiveSource)
    assert source.description == "board dgt:/dev/nowhere"
    source.close()
    for text in ("dgt:", "dgt:/dev/nowhere?speed=1"):
        with pytest.raises(DeviceError):
            open_source(text)
