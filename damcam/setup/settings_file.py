"""The settings as a TOML file: what a person wrote in it, comments too, stays."""

from dataclasses import fields
from pathlib import Path
from typing import Final

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.exceptions import TOMLKitError

from ..files import write_atomically
from ..settings import Settings, SettingsError

HEAD: Final = "Settings of damcam; `damcam record --config THIS-FILE` records with them."
COMMENTS: Final = {
    "source": "the camera: 0, /dev/v4l/by-id/..., camera:NAME, rtsp://..., http://...",
    "out": "folder for the games",
    "region": "part of the picture with the board: left,top,width,height in shares",
    "lock_camera": "keep exposure, white balance and focus once they have settled",
    "variant": "the game, or auto: by the size of the board",
    "white_side": "where White sits in the picture: bottom, right, top, left or auto",
    "mirrored": "whether the camera swaps left and right",
    "corners": "where you dragged the corners of the board; remove to have it found again",
    "clock": "software:, dgt:PORT or damcam:PORT",
    "leds": "screen:, adalight:PORT, awa:PORT or damcam:PORT",
    "time_control": "such as fmjd, fmjd-blitz or 4800+60; empty: no times are kept",
    "serve": "address of the live page; 0.0.0.0:8000 lets the whole network look",
}


def write_settings(path: Path, settings: Settings) -> None:
    """Write the settings into a file, or into what is there already.

    Raises:
        OSError: The file cannot be read or written.
        SettingsError: What is there is no TOML.
    """
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    write_atomically(path, settings_text(settings, before).encode())


def settings_text(settings: Settings, before: str = "") -> str:
    """Return TOML with every setting that is not the default, or that was there before.

    Raises:
        SettingsError: `before` is no TOML.
    """
    try:
        document = tomlkit.parse(before)
    except TOMLKitError as error:
        raise SettingsError(f"the settings are not TOML: {error}") from error
    if not before:
        document.add(tomlkit.comment(HEAD))
    defaults = Settings()
    tags = document.pop("tags", None)
    for name in (field.name for field in fields(Settings) if field.name != "tags"):
        value = getattr(settings, name)
        written = next((key for key in document if key.replace("-", "_") == name), None)
        if written is not None:
            document[written] = _toml(value)
        elif value != getattr(defaults, name):
            _add(document, name, value)
    if settings.tags:
        table = tomlkit.table() if tags is None else tags
        for name, value in settings.tags:
            table[name] = value
        document["tags"] = table
    return tomlkit.dumps(document)


def _add(document: TOMLDocument, name: str, value: object) -> None:
    item = tomlkit.item(_toml(value))
    if name in COMMENTS:
        item.comment(COMMENTS[name])
    document.add(name, item)


def _toml(value: object) -> object:
    return [list(point) for point in value] if isinstance(value, tuple) else value
