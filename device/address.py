"""Device addresses as a user writes them: `adalight:/dev/ttyUSB0?count=100&map=club.json`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from .errors import DeviceError
from .port import PortSettings

PORT_OPTIONS = frozenset({"baud", "dtr", "rts"})


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceAddress:
    """What kind of device, on which port, with which options."""

    kind: str
    port: str
    options: Mapping[str, str] = field(default_factory=dict)

    def number(self, key: str, default: float, *, low: float, high: float) -> float:
        """Return an option that is a number.

        Raises:
            DeviceError: it is none, or out of range.
        """
        text = self.options.get(key)
        if text is None:
            return default
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise DeviceError(f"{key} must be {low:g} to {high:g}, got {text!r}")
        return value

    def flag(self, key: str) -> bool | None:
        """Return an option that is 0 or 1, None where it is not given."""
        text = self.options.get(key)
        if text not in (None, "0", "1"):
            raise DeviceError(f"{key} must be 0 or 1, got {text!r}")
        return None if text is None else text == "1"

    def choice(self, key: str, default: str, *, among: tuple[str, ...]) -> str:
        """Return an option that is one of a few words."""
        text = self.options.get(key, default)
        if text not in among:
            raise DeviceError(f"{key} must be {' or '.join(among)}, got {text!r}")
        return text

    def port_settings(self, *, baudrate: int) -> PortSettings:
        """Return how the port is opened."""
        return PortSettings(
            baudrate=int(self.number("baud", baudrate, low=300, high=4_000_000)),
            dtr=self.flag("dtr"),
            rts=self.flag("rts"),
        )


def parse_address(text: str, kinds: Mapping[str, frozenset[str]]) -> DeviceAddress:
    """Return the parts of a device address.

    Args:
        text: as the user wrote it.
        kinds: the kinds that are known and the options of each, without those of ports.

    Raises:
        DeviceError: the kind or an option is not known, or a port is missing.
    """
    kind, colon, rest = text.partition(":")
    if not colon or kind not in kinds:
        known = ", ".join(f"{name}:" for name in kinds)
        raise DeviceError(f"devices are {known}; got {text!r}")
    known_options = kinds[kind] | PORT_OPTIONS
    port, mark, query = rest.rpartition("?")
    if not mark:
        return DeviceAddress(kind=kind, port=rest)
    options = dict(parse_qsl(query, keep_blank_values=True))
    unknown = sorted(options.keys() - known_options)
    if unknown and "://" in port:
        return DeviceAddress(kind=kind, port=rest)
    if unknown:
        raise DeviceError(
            f"options of {kind}: are {', '.join(sorted(known_options))}; got {unknown[0]!r}"
        )
    return DeviceAddress(kind=kind, port=port, options=options)
