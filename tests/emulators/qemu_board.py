"""The controller's MicroPython script on an emulated BBC micro:bit, behind a pseudo-terminal.

QEMU runs the interpreter that Debian packages, unmodified; the script is appended to it as a
flashing program does. What goes to the board is paced as on a line, because the board holds no
more than 64 bytes. The lamps' pin cannot be seen: what they show is read in memory.
"""

import json
import os
import select
import shutil
import socket
import subprocess
import tempfile
import threading
import tty
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "device" / "firmware" / "microbit" / "damcam_controller.py"
INTERPRETER = Path("/usr/share/firmware-microbit-micropython/firmware.hex")

SCRIPT_PLACE = 0x3E000
"""Where in flash memory the interpreter looks for a script."""

MEMORY = (0x20000000, 0x4000)
BUTTON_LINES = {"L": 17, "R": 26}
"""The inputs of the chip that the buttons A and B pull down."""

PIECE_BYTES = 16
PIECE_S = 4 * PIECE_BYTES * 10 / 115200
"""A quarter of the line's pace: on a busy machine the emulated chip is as slow as that."""
LAMPS = 100


def is_available() -> bool:
    """Return whether the emulator and the interpreter are installed."""
    return shutil.which("qemu-system-arm") is not None and INTERPRETER.exists()


def build(folder: Path) -> Path:
    """Return the interpreter with the script appended, as a file in Intel's hexadecimal form."""
    script = SCRIPT.read_bytes()
    data = b"MP" + len(script).to_bytes(2, "little") + script
    high, low = divmod(SCRIPT_PLACE, 0x10000)
    records = [_record(0, 4, high.to_bytes(2, "big"))]
    records += [_record(low + at, 0, data[at : at + 16]) for at in range(0, len(data), 16)]
    lines = INTERPRETER.read_text(encoding="ascii").split()
    end = next(at for at, line in enumerate(lines) if line[7:9] in ("05", "01"))
    path = folder / "microbit.hex"
    path.write_text("\n".join([*lines[:end], *records, *lines[end:]]) + "\n", encoding="ascii")
    return path


def _record(address: int, kind: int, data: bytes) -> str:
    body = bytes((len(data), *address.to_bytes(2, "big"), kind)) + data
    return f":{(body + bytes((-sum(body) & 0xFF,))).hex().upper()}"


class MicrobitBoard:
    """The running board; `path` is the port to open."""

    def __init__(self, firmware: Path, *, is_fast: bool = False) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._serial, serial = socket.socketpair()
        self._qmp, qmp = socket.socketpair()
        self._qtest, qtest = socket.socketpair()
        self._lamps_at: int | None = None
        self._process = subprocess.Popen(
            [
                *("qemu-system-arm", "-M", "microbit", "-display", "none", "-nodefaults"),
                *("-device", f"loader,file={firmware}"),
                *("-icount", "shift=6" if is_fast else "shift=6,align=on"),
                *("-chardev", f"socket,id=serial,fd={serial.fileno()}"),
                *("-chardev", f"socket,id=qmp,fd={qmp.fileno()}"),
                *("-chardev", f"socket,id=qtest,fd={qtest.fileno()}"),
                *("-serial", "chardev:serial", "-mon", "chardev=qmp,mode=control"),
                *("-qtest", "chardev:qtest", "-qtest-log", "/dev/null"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(serial.fileno(), qmp.fileno(), qtest.fileno()),
        )
        for end in (serial, qmp, qtest):
            end.close()
        self._qmp_file = self._qmp.makefile("rw", encoding="utf-8")
        self._qtest_file = self._qtest.makefile("rw", encoding="ascii")
        self._closing = threading.Event()
        self._line = threading.Thread(target=self._carry, daemon=True)
        self._line.start()

    def __enter__(self) -> Self:
        json.loads(self._qmp_file.readline())
        self._ask_qemu("qmp_capabilities")
        return self

    def __exit__(self, *exception: object) -> None:
        self._closing.set()
        self._line.join()
        self._process.kill()
        self._process.wait()
        for end in (self._qmp_file, self._qtest_file, self._qmp, self._qtest, self._serial):
            end.close()
        for descriptor in (self._master, self._slave):
            os.close(descriptor)

    def send(self, data: bytes) -> None:
        """Send bytes as the host."""
        os.write(self._slave, data)

    def hear(self, timeout_s: float = 5.0) -> bytes:
        """Return what the board sent, empty when it is quiet for so long."""
        ready, _, _ = select.select([self._slave], [], [], timeout_s)
        return os.read(self._slave, 4096) if ready else b""

    def press(self, side: str) -> None:
        """Press and hold the button of a side, `L` or `R`."""
        self._set_input(BUTTON_LINES[side], 0)

    def release(self, side: str) -> None:
        """Let a button go."""
        self._set_input(BUTTON_LINES[side], 1)

    def shows(self, lit: dict[int, tuple[int, int, int]]) -> bool:
        """Return whether the lamps show just this now.

        They are found in memory by the first colors that they are said to show.
        """
        wire = bytearray(3 * LAMPS)
        for lamp, (red, green, blue) in lit.items():
            wire[3 * lamp : 3 * lamp + 3] = bytes((green, red, blue))
        memory = self._memory()
        if self._lamps_at is None and lit and wire in memory:
            self._lamps_at = memory.index(wire)
        at = self._lamps_at
        return at is not None and memory[at : at + len(wire)] == wire

    def _carry(self) -> None:
        """Carry bytes between the pseudo-terminal and the board, to the board at a line's pace."""
        os.set_blocking(self._master, False)
        while not self._closing.is_set():
            ready, _, _ = select.select([self._master, self._serial.fileno()], [], [], 0.05)
            if self._serial.fileno() in ready:
                data = self._serial.recv(4096)
                if not data:
                    return
                os.write(self._master, data)
            if self._master in ready:
                self._serial.sendall(os.read(self._master, PIECE_BYTES))
                self._closing.wait(PIECE_S)

    def _set_input(self, line: int, level: int) -> None:
        command = f"set_irq_in /machine/nrf51 unnamed-gpio-in {line} {level}\n"
        self._qtest_file.write(command)
        self._qtest_file.flush()
        answer = self._qtest_file.readline()
        assert answer.startswith("OK"), answer

    def _memory(self) -> bytes:
        start, size = MEMORY
        with tempfile.NamedTemporaryFile() as file:
            self._ask_qemu("memsave", val=start, size=size, filename=file.name)
            return file.read()

    def _ask_qemu(self, command: str, **arguments: object) -> None:
        self._qmp_file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self._qmp_file.flush()
        answer: dict[str, Any] = {}
        while "return" not in answer:
            answer = json.loads(self._qmp_file.readline())
            assert "error" not in answer, answer
