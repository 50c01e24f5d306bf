import gc
import os
import socket
from collections import deque
from pathlib import Path

import pytest

from device import DeviceLostError, FoundPort, Port, PortIdentity, PortSettings
from device.emulated import VirtualPort
from device.port import explain
from device.port_names import find_again, identify
from tests.emulators.waiting import wait_until

FAST = PortSettings(first_wait_s=0.01, last_wait_s=0.02)


class Echo:
    """An emulated device that answers everything in capitals."""

    def receive(self, data: bytes) -> bytes:
        return data.upper()

    def tick(self) -> bytes:
        return b""


class Recorder:
    """A link that sends what it is given and notes what happens."""

    def wait_for(self, call: str, times: int = 1) -> None:
        wait_until(lambda: self.calls.count(call) >= times)

    def __init__(self) -> None:
        self.to_send: deque[bytes] = deque()
        self.data = b""
        self.calls: list[str] = []
        self.gives_up = False

    def opened(self, now_ms: int) -> None:
        self.calls.append("opened")

    def received(self, data: bytes, now_ms: int) -> None:
        self.data += data

    def poll(self, now_ms: int) -> bytes:
        if self.gives_up:
            self.gives_up = False
            raise DeviceLostError("mute")
        return self.to_send.popleft() if self.to_send else b""

    def lost(self, now_ms: int) -> None:
        self.calls.append("lost")


def test_bytes_go_both_ways() -> None:
    link = Recorder()
    with VirtualPort(Echo()) as virtual:
        port = Port(virtual.path, link, settings=FAST).start()
        link.to_send.append(b"hello")
        port.wake()
        wait_until(lambda: link.data == b"HELLO")
        health = port.health()
        port.close()
    assert (health.bytes_read, health.bytes_written, health.opened) == (5, 5, 1)
    assert health.is_open
    assert link.calls == ["opened", "lost"]


@pytest.mark.parametrize("address", ["loop://", "spy://{pty}", "socket://{socket}"])
def test_ports_are_named_by_url(address: str) -> None:
    link = Recorder()
    listener = socket.create_server(("127.0.0.1", 0))
    with listener, VirtualPort(Echo()) as virtual:
        host, number = listener.getsockname()[:2]
        name = address.format(pty=virtual.path, socket=f"{host}:{number}")
        port = Port(name, link, settings=FAST).start()
        link.to_send.append(b"AB")
        if name.startswith("socket"):
            peer, _ = listener.accept()
            with peer:
                peer.sendall(peer.recv(10))
                wait_until(lambda: link.data == b"AB")
        wait_until(lambda: link.data == b"AB")
        port.close()


def test_a_socket_that_is_closed_is_opened_again() -> None:
    link = Recorder()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        host, number = listener.getsockname()[:2]
        port = Port(f"socket://{host}:{number}", link, settings=FAST).start()
        for turn in range(1, 4):
            peer, _ = listener.accept()
            link.wait_for("opened", turn)
            peer.sendall(b"x")
            wait_until(lambda: link.data.endswith(b"x"))
            link.data = b""
            peer.close()
        link.wait_for("lost", 3)
        port.close()


def test_unplugging_is_told_and_the_port_is_opened_again_a_hundred_times(tmp_path: Path) -> None:
    link = Recorder()
    virtual = VirtualPort(Echo(), link=tmp_path / "clock")
    port = Port(virtual.path, link, settings=FAST).start()
    for turn in range(1, 101):
        virtual.plug()
        link.to_send.append(b"still there?")
        port.wake()
        wait_until(lambda: b"THERE?" in link.data)
        virtual.unplug()
        link.wait_for("lost", turn)
        link.data = b""
    assert port.health().fault is not None
    port.close()
    assert link.calls == ["opened", "lost"] * 100


def test_a_usb_device_is_found_under_its_new_name(tmp_path: Path) -> None:
    ours = PortIdentity(vendor=1, product=2, serial_number="A1")
    other = PortIdentity(vendor=1, product=2, serial_number="B2")
    names = {"ttyUSB0": ours, "ttyUSB1": other}

    def ports() -> list[FoundPort]:
        return [FoundPort(path=str(tmp_path / name), identity=who) for name, who in names.items()]

    link = Recorder()
    first = VirtualPort(Echo(), link=tmp_path / "ttyUSB0").plug()
    port = Port(first.path, link, settings=FAST, list_ports=ports).start()
    wait_until(lambda: "opened" in link.calls)
    first.unplug()
    wait_until(lambda: "lost" in link.calls)
    names.clear()
    names.update({"ttyUSB1": other, "ttyUSB2": ours})
    with VirtualPort(Echo(), link=tmp_path / "ttyUSB2") as again:
        wait_until(lambda: link.calls.count("opened") == 2)
        assert port.health().path == again.path
        port.close()


def test_identity_is_found_through_a_link_and_kept_only_while_the_path_is_gone(
    tmp_path: Path,
) -> None:
    (tmp_path / "real").touch()
    (tmp_path / "by-id").symlink_to(tmp_path / "real")
    who = PortIdentity(vendor=None, product=None, serial_number="7")
    ports = [FoundPort(path=str(tmp_path / "real"), identity=who)]
    assert identify(str(tmp_path / "by-id"), ports) == who
    assert find_again(str(tmp_path / "by-id"), who, ports) == str(tmp_path / "by-id")
    assert find_again("/gone", who, ports) == str(tmp_path / "real")
    assert find_again("/gone", None, ports) == "/gone"


def test_a_mute_device_has_its_port_opened_again() -> None:
    link = Recorder()
    with VirtualPort(Echo()) as virtual:
        port = Port(virtual.path, link, settings=FAST).start()
        link.wait_for("opened")
        link.gives_up = True
        wait_until(lambda: link.calls[:3] == ["opened", "lost", "opened"])
        port.close()


def test_a_port_in_use_is_explained() -> None:
    link, second_link = Recorder(), Recorder()
    with VirtualPort(Echo()) as virtual:
        port = Port(virtual.path, link, settings=FAST).start()
        link.wait_for("opened")
        second = Port(virtual.path, second_link, settings=FAST).start()
        wait_until(lambda: "in use" in str(second.health().fault))
        port.close()
        wait_until(lambda: second_link.calls == ["opened"])
        second.close()


def test_shared_ports_are_closed_by_the_last_user() -> None:
    link = Recorder()
    with VirtualPort(Echo()) as virtual:
        port = Port(virtual.path, link, settings=FAST, users=2).start()
        link.wait_for("opened")
        port.close()
        link.to_send.append(b"open")
        wait_until(lambda: link.data == b"OPEN")
        port.close()
        assert link.calls == ["opened", "lost"]
        port.close()


def test_last_words_are_sent_before_the_port_is_closed() -> None:
    class Talkative(Recorder):
        def poll(self, now_ms: int) -> bytes:
            return self.to_send.popleft() if port.is_closing and self.to_send else b""

    heard = b""

    class Listener(Echo):
        def receive(self, data: bytes) -> bytes:
            nonlocal heard
            heard += data
            return b""

    link = Talkative()
    link.to_send.extend((b"good", b"bye"))
    with VirtualPort(Listener()) as virtual:
        port = Port(virtual.path, link, settings=FAST)
        port.start()
        link.wait_for("opened")
        port.close()
        wait_until(lambda: heard == b"goodbye")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (FileNotFoundError(2, "x"), "not there"),
        (PermissionError(13, "x"), "dialout"),
        (BlockingIOError(11, "x"), "in use"),
        (OSError(25, "x"), "no serial port"),
        (TypeError(), "TypeError"),
        (ValueError("two\nlines"), "two"),
    ],
)
def test_faults_are_explained_in_one_sentence(error: Exception, reason: str) -> None:
    sentence = explain("/dev/ttyX", error)
    assert reason in sentence
    assert "\n" not in sentence


def test_a_missing_port_costs_nothing_but_is_tried_again(tmp_path: Path) -> None:
    link = Recorder()
    path = tmp_path / "later"
    port = Port(str(path), link, settings=FAST).start()
    wait_until(lambda: "not there" in str(port.health().fault))
    with VirtualPort(Echo(), link=path):
        link.wait_for("opened")
        port.close()


def test_descriptors_do_not_leak(tmp_path: Path) -> None:
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    for turn in range(5):
        link = Recorder()
        with VirtualPort(Echo(), link=tmp_path / str(turn)) as virtual:
            port = Port(virtual.path, link, settings=FAST).start()
            link.wait_for("opened")
            port.close()
    assert len(os.listdir("/proc/self/fd")) == before
