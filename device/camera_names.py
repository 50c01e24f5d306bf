"""Which cameras there are, and finding one again by its name after it was plugged in elsewhere."""

from dataclasses import dataclass
from pathlib import Path

from .errors import DeviceError

NAME_SCHEME = "camera:"
"""`camera:C920` is the one camera whose name or by-id path has `C920` in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCamera:
    """A local camera as the kernel names it."""

    path: str
    """Such as `/dev/video0`; changes with the order of plugging in."""
    name: str
    by_id: str = ""
    """Path below /dev/v4l/by-id that stays the same; empty where udev made none."""

    @property
    def address(self) -> str:
        """Return the path to write down: the one that stays, where there is one."""
        return self.by_id or self.path


def list_cameras(root: Path = Path("/")) -> tuple[FoundCamera, ...]:
    """Return the local cameras by the number of their device.

    A camera has several device nodes; those that deliver no pictures (metadata) are left out.

    Args:
        root: Where /dev and /sys are; for tests.
    """
    nodes = sorted((root / "sys/class/video4linux").glob("video*"), key=_number)
    by_id = _by_id(root / "dev/v4l/by-id")
    return tuple(
        FoundCamera(
            path=f"/dev/{node.name}",
            name=_text(node / "name") or node.name,
            by_id=by_id.get(node.name, ""),
        )
        for node in nodes
        if _text(node / "index") in ("", "0")
    )


def camera_path(address: str, root: Path = Path("/")) -> str:
    """Return the device path of `camera:NAME`.

    Raises:
        DeviceError: No camera, or more than one, has that in its name.
    """
    wanted = address.removeprefix(NAME_SCHEME).casefold()
    cameras = list_cameras(root)
    fitting = [it for it in cameras if wanted in f"{it.name}\n{it.by_id}".casefold()]
    if len(fitting) == 1:
        return fitting[0].path
    names = ", ".join(repr(camera.name) for camera in fitting or cameras) or "none"
    problem = "more than one camera has" if fitting else "no camera has"
    raise DeviceError(f"{problem} {wanted!r} in its name; there are: {names}")


def _number(node: Path) -> int:
    digits = node.name.removeprefix("video")
    return int(digits) if digits.isdigit() else 0


def _by_id(folder: Path) -> dict[str, str]:
    """Return the by-id path of each device node by the node's name."""
    if not folder.is_dir():
        return {}
    return {link.resolve().name: f"/dev/v4l/by-id/{link.name}" for link in sorted(folder.iterdir())}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
