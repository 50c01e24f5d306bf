"""The controller's two firmwares, built once for all tests, and boards that run them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.emulators import qemu_board, simavr_board
from tests.emulators.board_talk import Talk
from tests.emulators.qemu_board import MicrobitBoard
from tests.emulators.simavr_board import BuiltFirmware, SimavrBoard


@pytest.fixture(scope="session")
def avr_firmware(tmp_path_factory: pytest.TempPathFactory) -> BuiltFirmware:
    """The Arduino sketch, compiled."""
    if not simavr_board.is_available():
        pytest.skip("needs gcc-avr avr-libc arduino-core-avr libsimavr-dev libelf-dev")
    return simavr_board.build(tmp_path_factory.mktemp("avr"))


@pytest.fixture(scope="session")
def microbit_firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The MicroPython script, appended to its interpreter."""
    if not qemu_board.is_available():
        pytest.skip("needs qemu-system-arm firmware-microbit-micropython")
    return qemu_board.build(tmp_path_factory.mktemp("microbit"))


@pytest.fixture
def avr(avr_firmware: BuiltFirmware) -> Iterator[SimavrBoard]:
    """The sketch on an ATmega328P that runs as fast as it can."""
    with SimavrBoard(avr_firmware, is_fast=True) as board:
        yield board


@pytest.fixture(params=["avr", "microbit"])
def talk(request: pytest.FixtureRequest) -> Iterator[Talk]:
    """A conversation with either firmware on a board that runs as fast as it can."""
    firmware = request.getfixturevalue(f"{request.param}_firmware")
    kind = SimavrBoard if request.param == "avr" else MicrobitBoard
    with kind(firmware, is_fast=True) as board:
        yield Talk(board)


@pytest.fixture(params=["avr", "microbit"])
def live_board(request: pytest.FixtureRequest) -> Iterator[SimavrBoard | MicrobitBoard]:
    """Either firmware on a board that runs in real time."""
    firmware = request.getfixturevalue(f"{request.param}_firmware")
    kind = SimavrBoard if request.param == "avr" else MicrobitBoard
    with kind(firmware) as board:
        yield board
