"""The state of a set-up: the settings so far, changed one answer at a time."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from device import FoundCamera, list_cameras

from ..settings import Settings, SettingsError, checked_values, load_settings
from .camera_desk import CameraDesk
from .device_desk import DeviceDesk
from .settings_file import write_settings

ASKED: Final = frozenset(
    {
        *("source", "region", "lock_camera", "variant", "size", "white_side", "mirrored"),
        *("corners", "clock", "leds", "time_control", "tags"),
    }
)
"""What the page may change; where files go and who may look is said where the program starts."""

DEFAULT_OUT: Final = "games"


class Wizard:
    """Holds the settings; each change is checked and looked at through the camera at once."""

    def __init__(
        self,
        path: Path,
        cameras: CameraDesk,
        devices: DeviceDesk,
        *,
        out: str = "",
        found_cameras: Callable[[], tuple[FoundCamera, ...]] = list_cameras,
    ) -> None:
        """Take over what the file says already.

        Args:
            path: The settings file that will be written.
            cameras: Looks through the camera.
            devices: Finds and shows devices.
            out: The folder for the games; empty: the file's, else `games`.
            found_cameras: Which local cameras there are.

        Raises:
            OSError: The file cannot be read.
            SettingsError: It holds something that cannot be used.
        """
        self.path = path
        self.cameras = cameras
        self.devices = devices
        self._found_cameras = found_cameras
        self._lock = threading.Lock()
        known = load_settings(path if path.exists() else None, {})
        self._settings = replace(self._with_camera(known), out=out or known.out or DEFAULT_OUT)
        self.cameras.use(self._settings)

    @property
    def settings(self) -> Settings:
        """Return the settings so far."""
        return self._settings

    def found_cameras(self) -> tuple[FoundCamera, ...]:
        """Return the local cameras."""
        return self._found_cameras()

    def change(self, values: Mapping[str, object]) -> Settings:
        """Change some settings by name; tags that are empty are dropped.

        Raises:
            SettingsError: A setting is none of those that are asked, or cannot be used.
        """
        foreign = sorted(values.keys() - ASKED)
        if foreign:
            raise SettingsError(f"{foreign[0]!r} is not asked here")
        wanted = checked_values(values, "the set-up")
        tags = wanted.pop("tags", None)
        with self._lock:
            if tags is not None:
                merged = dict(self._settings.tags) | tags
                wanted["tags"] = tuple((name, it) for name, it in merged.items() if it != "")
            if wanted.get("source", self._settings.source) != self._settings.source:
                wanted.setdefault("corners", ())
            settings = replace(self._settings, **wanted)
            settings.control.text  # noqa: B018 - refused now rather than by the recording
            self._settings = settings
        self.cameras.use(settings)
        return settings

    def finish(self, serve: str) -> Settings:
        """Write the settings; the game is shown at HOST:PORT `serve`.

        Raises:
            OSError: The file cannot be written.
            SettingsError: There is no source yet.
        """
        if not self._settings.source:
            raise SettingsError("choose a camera first")
        self._settings = replace(self._settings, serve=serve)
        write_settings(self.path, self._settings)
        return self._settings

    def _with_camera(self, settings: Settings) -> Settings:
        """Take the first camera where none is known yet."""
        cameras = self._found_cameras()
        if settings.source or not cameras:
            return settings
        return replace(settings, source=cameras[0].address, lock_camera=True)
