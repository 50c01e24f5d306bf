"""What a recording is told: one TOML file and the command line make one frozen `Settings`."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_type_hints

from device import (
    DeviceError,
    TimeControl,
    parse_region,
    parse_time_control,
    read_toml_text,
)
from rules import Color, InvalidFenError, Position, Variant, board_size, draw_profiles, parse_fen

from .delay import MAX_DELAY_S
from .variants import RECORDED_VARIANTS, VARIANT_OF_SIZE

SIZES: Final = ("auto", "8", "10", "12")
Side = Literal["auto", "bottom", "right", "top", "left"]
MAX_EXTRA_S: Final = 3600
FAR_PX: Final = 1e6
"""No picture is so large."""

SELF_ENDING_PROFILES: Final = ("lidraughts", "ludoteka")
"""Where a server ends the game when a flag falls; at FMJD and WCDF an arbiter looks first."""


class SettingsError(ValueError):
    """A setting is unknown or has a value that cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that a user can say about a recording; the defaults need no file."""

    source: str = ""
    """Film, folder, camera or stream; empty: the command names it."""
    out: str = ""
    """Folder for the game; empty: the command names it."""
    region: str = ""
    """`left,top,width,height` in shares of the picture: the part in which the board lies."""
    lock_camera: bool = False
    """Whether exposure, white balance and focus stay as they are once they have settled."""
    variant: str = "auto"
    start: str = "auto"
    """A FEN, or `auto`: the start position, else what stands on the board."""
    first: str = "auto"
    profile: str = "auto"
    size: str = "auto"
    white_side: Side = "auto"
    mirrored: bool = False
    corners: tuple[tuple[float, float], ...] = ()
    """Where a person says that the board lies: four points in pixels, in order around it."""
    clock: str = "software:"
    leds: str = "screen:"
    time_control: str = ""
    """Empty: no times are kept unless the clock is a device."""
    pause: bool = False
    """Whether an irregularity stops the clock until it is resolved."""
    extra_time_s: int = 0
    """Time that the opponent of an irregularity is given, in seconds."""
    flag_fall: str = "auto"
    """`ends` the game, is `told` to the arbiter, or as the profile says (`auto`)."""
    serve: str = ""
    """HOST:PORT of the live page; empty: no page."""
    delay_s: int = 0
    """How much later the page and the feed show everything."""
    operator_token: str = ""
    """File with the token of the operator's page; empty: nobody may operate."""
    hall: str = ""
    """The `hall.toml` of the hall that the recording belongs to; empty: it stands alone."""
    tree: str = ""
    """Folder that holds the feed as files; empty: none."""
    upload: str = ""
    """Where those files are carried to; empty: nowhere."""
    engine: str = ""
    """The command of a Hub engine that evaluates what is published; empty: none."""
    realtime: bool = False
    tags: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        _check("variant", self.variant, ("auto", *(variant.value for variant in RECORDED_VARIANTS)))
        _check("first", self.first, ("auto", "white", "black"))
        _check("profile", self.profile, ("auto", *draw_profiles()))
        _check("flag_fall", self.flag_fall, ("auto", "ends", "told"))
        if not 0 <= self.extra_time_s <= MAX_EXTRA_S:
            raise SettingsError(f"extra_time_s must be 0-{MAX_EXTRA_S}, got {self.extra_time_s}")
        _check("size", self.size, SIZES)
        if self.variant != "auto":
            _check("size", self.size, ("auto", str(board_size(Variant(self.variant)))))
        _check("white_side", self.white_side, get_args(Side))
        if not 0 <= self.delay_s <= MAX_DELAY_S:
            raise SettingsError(f"delay_s must be 0-{MAX_DELAY_S}, got {self.delay_s}")
        self._check_texts()
        self._check_place()
        self._check_start()
        for name, value in self.tags:
            if not (name.isascii() and name.isalpha()):
                raise SettingsError(f"a PDN tag name has letters only, got {name!r}")
            if not isinstance(value, str):
                raise SettingsError(f"tag {name} must be text, got {value!r}")

    def _check_texts(self) -> None:
        """Refuse what no file can hold, such as an argument that is not UTF-8."""
        texts = [getattr(self, field.name) for field in fields(self)]
        for text in (*texts, *(part for pair in self.tags for part in pair)):
            if isinstance(text, str) and not is_writable(text):
                raise SettingsError(f"{text!r} cannot be written as UTF-8")

    def _check_place(self) -> None:
        """Refuse a region or corners in which no board can lie."""
        if self.corners:
            if len(self.corners) != 4 or not all(map(_is_point, self.corners)):
                raise SettingsError(f"corners are four points [x, y], got {list(self.corners)}")
            if self.board_size is None:
                raise SettingsError("corners need the size of the board, such as size = 10")
        if self.region:
            try:
                parse_region(self.region)
            except DeviceError as error:
                raise SettingsError(str(error)) from error

    def _check_start(self) -> None:
        """Refuse a start that is no position of any game that can be meant."""
        if self.start == "auto":
            return
        if self.variant != "auto":
            self.start_position(Variant(self.variant))
            return
        errors = []
        for size, variant in VARIANT_OF_SIZE.items():
            if self.size in ("auto", str(size)):
                try:
                    self.start_position(variant)
                except SettingsError as error:
                    errors.append(error)
                else:
                    return
        raise errors[0]

    @property
    def board_size(self) -> int | None:
        """Return the size that was named or follows from the game, None where neither was."""
        if self.size != "auto":
            return int(self.size)
        return None if self.variant == "auto" else board_size(Variant(self.variant))

    @property
    def flag_ends(self) -> bool:
        """Return whether the game is over by itself when a flag falls."""
        if self.flag_fall == "auto":
            return self.profile in SELF_ENDING_PROFILES
        return self.flag_fall == "ends"

    @property
    def control(self) -> TimeControl:
        """Return the time control; where none was named, the usual one of FMJD.

        Raises:
            SettingsError: It is not understood.
        """
        try:
            return parse_time_control(self.time_control or "fmjd")
        except ValueError as error:
            raise SettingsError(str(error)) from error

    def start_position(self, variant: Variant) -> Position | None:
        """Return the position to wait for; None where the board itself may tell.

        Raises:
            SettingsError: The FEN is none of this game.
        """
        if self.start != "auto":
            try:
                return parse_fen(self.start, variant)
            except InvalidFenError as error:
                raise SettingsError(f"start: {error}") from error
        if self.first != "auto":
            return Position.start(variant).with_side_to_move(Color(self.first))
        return None

    def as_texts(self) -> tuple[tuple[str, str], ...]:
        """Return (name, value) of every setting as text, for the header of the journal."""
        names = (field.name for field in fields(self) if field.name != "tags")
        return tuple((name, str(getattr(self, name))) for name in names)


def load_settings(path: Path | None, overrides: Mapping[str, object]) -> Settings:
    """Return the settings of a TOML file, overruled by what the command line said.

    Args:
        path: The file; None for none. Keys are the names of the options, tags in `[tags]`.
        overrides: Settings by name; tags are added to those of the file.

    Raises:
        OSError: The file cannot be read.
        SettingsError: A key is unknown or a value cannot be used.
    """
    values = {} if path is None else _read_toml(path)
    tags = dict(values.pop("tags", {})) | dict(overrides.get("tags", {}))  # type: ignore[call-overload]
    values |= {name: value for name, value in overrides.items() if name != "tags"}
    return Settings(**values, tags=tuple(tags.items()))


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        data = read_toml_text(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path} is not TOML: {error}") from error
    return checked_values(data, str(path))


def checked_values(data: Mapping[str, object], where: str) -> dict[str, Any]:
    """Return settings by name, each in its type, from what a file or a page says.

    Args:
        data: Values by the names of the settings, `-` or `_` between the words.
        where: Who said it, for the error.

    Raises:
        SettingsError: A name is unknown or a value has another type.
    """
    hints = get_type_hints(Settings)
    values = {}
    for written, value in data.items():
        name = written.replace("-", "_")
        if name not in hints:
            near = difflib.get_close_matches(name, hints, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise SettingsError(f"{where}: unknown setting {written!r}{hint}")
        kind = {"tags": dict, "white_side": str, "corners": list}.get(name, hints[name])
        if type(value) is int and name == "size":
            value = str(value)
        if type(value) is not kind:
            raise SettingsError(f"{where}: {written} must be {kind.__name__}, got {value!r}")
        values[name] = tuple(map(_as_point, value)) if isinstance(value, list) else value
    return values


def is_writable(text: str) -> bool:
    """Tell whether a text can be written as UTF-8; halves of surrogates cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_point(value: object) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _is_point(point: tuple[object, ...]) -> bool:
    return len(point) == 2 and all(
        isinstance(value, int | float) and abs(value) < FAR_PX for value in point
    )


def _check(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise SettingsError(f"{name} must be one of {', '.join(allowed)}; got {value!r}")
