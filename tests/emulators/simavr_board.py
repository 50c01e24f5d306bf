"""The controller's real firmware on an emulated microcontroller, behind a pseudo-terminal."""

import os
import select
import shutil
import subprocess
import tty
from dataclasses import dataclass
from pathlib import Path
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
SKETCH = ROOT / "device" / "firmware" / "damcam_controller" / "damcam_controller.ino"
HERE = Path(__file__).resolve().parent
BUTTON_PINS = {"L": 2, "R": 3, "1": 4, "2": 5}
NEEDED_FILES = (
    Path("/usr/share/arduino/hardware/arduino/avr/cores/arduino/Arduino.h"),
    Path("/usr/include/simavr/sim_avr.h"),
    Path("/usr/include/libelf.h"),
)


def is_available() -> bool:
    """Return whether the compilers and the emulator are installed."""
    has_compilers = all(shutil.which(name) for name in ("avr-gcc", "avr-g++", "cc"))
    return has_compilers and all(path.exists() for path in NEEDED_FILES)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltFirmware:
    """The firmware and the program that runs it."""

    elf: Path
    board: Path


def build(folder: Path) -> BuiltFirmware:
    """Compile the sketch and the emulator's harness into a folder."""
    script = HERE / "build_avr.sh"
    subprocess.run(["sh", str(script), str(SKETCH), str(folder)], check=True)
    board = folder / "board"
    libraries = ("-lsimavr", "-lelf", "-lutil", "-lm", "-lpthread")
    source = str(HERE / "simavr_board.c")
    subprocess.run(["cc", "-O2", "-o", str(board), source, *libraries], check=True)
    return BuiltFirmware(elf=folder / "controller.elf", board=board)


@dataclass(frozen=True, slots=True, kw_only=True)
class LampFrame:
    """What the lamps' pin sent at a time of the emulated board."""

    at_ms: int
    wire: bytes

    def lit(self) -> dict[int, tuple[int, int, int]]:
        """Return red, green and blue of every lamp that is lit."""
        triples = (self.wire[at : at + 3] for at in range(0, len(self.wire), 3))
        colors = {lamp: (red, green, blue) for lamp, (green, red, blue) in enumerate(triples)}
        return {lamp: color for lamp, color in colors.items() if any(color)}


class SimavrBoard:
    """The running board; `path` is the port to open."""

    def __init__(self, firmware: BuiltFirmware, *, is_fast: bool = False) -> None:
        master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        buttons, self._buttons = os.pipe()
        self._frames, frames = os.pipe()
        self._text = b""
        self._process = subprocess.Popen(
            [
                str(firmware.board),
                str(firmware.elf),
                "fast" if is_fast else "real",
                str(buttons),
                str(frames),
            ],
            stdin=master,
            stdout=master,
            stderr=subprocess.DEVNULL,
            pass_fds=(buttons, frames),
        )
        for descriptor in (master, buttons, frames):
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.kill()
        self._process.wait()
        for descriptor in (self._slave, self._buttons, self._frames):
            os.close(descriptor)

    def send(self, data: bytes) -> None:
        """Send bytes as the host."""
        os.write(self._slave, data)

    def hear(self, timeout_s: float = 5.0) -> bytes:
        """Return what the firmware sent, empty when it is quiet for so long."""
        ready, _, _ = select.select([self._slave], [], [], timeout_s)
        return os.read(self._slave, 4096) if ready else b""

    def press(self, button: str) -> None:
        """Press and hold a button: `L` or `R` of the lever, `1` or `2` of the others."""
        os.write(self._buttons, b"d%d" % BUTTON_PINS[button])

    def release(self, button: str) -> None:
        """Let a button go."""
        os.write(self._buttons, b"u%d" % BUTTON_PINS[button])

    def shows(self, lit: dict[int, tuple[int, int, int]]) -> bool:
        """Return whether the lamps' pin sent just this since the last call."""
        return any(frame.lit() == lit for frame in self.frames())

    def frames(self, timeout_s: float = 0.0) -> list[LampFrame]:
        """Return what the lamps' pin sent since the last call."""
        while select.select([self._frames], [], [], timeout_s)[0]:
            data = os.read(self._frames, 65536)
            if not data:
                break
            self._text += data
            timeout_s = 0.0
        *lines, self._text = self._text.split(b"\n")
        parts = (line.split() for line in lines)
        return [LampFrame(at_ms=int(at), wire=bytes.fromhex(wire.decode())) for at, wire in parts]
