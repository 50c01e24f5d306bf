"""`hall.toml`: where the NATS of an event is, and who this machine is there.

event = "nk2027"
servers = ["nats://10.0.0.5:4222"]
name = "table-1"          # who we are; the node of our cameras
seed = "table-1.seed"     # the secret half of our key, a file beside this one
ca = "ca.pem"             # for tls:// addresses with an authority of one's own
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from device import read_toml_text

from .errors import HallConfigError
from .names import HallNameError, Subjects, checked_name

KEYS: Final = ("event", "servers", "name", "seed", "ca")


@dataclass(frozen=True, slots=True, kw_only=True)
class HallConfig:
    """What `hall.toml` says."""

    event: str
    servers: tuple[str, ...]
    name: str
    seed: Path | None = None
    ca: Path | None = None

    @property
    def subjects(self) -> Subjects:
        """Return the names of the event."""
        return Subjects(event=self.event)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file; paths in it are beside it.

        Raises:
            HallConfigError: A key is unknown, missing or cannot be used.
            OSError: The file cannot be read.
        """
        data = read_toml(path)
        unknown = sorted(data.keys() - set(KEYS))
        if unknown:
            raise HallConfigError(f"{path}: unknown key {unknown[0]!r}; known: {', '.join(KEYS)}")
        servers = data.get("servers")
        if not isinstance(servers, list) or not all(isinstance(one, str) for one in servers):
            raise HallConfigError(f'{path}: servers must be a list, ["nats://127.0.0.1:4222"]')
        texts = {key: data.get(key, "") for key in KEYS if key != "servers"}
        if not all(isinstance(text, str) for text in texts.values()) or not servers:
            raise HallConfigError(f"{path}: one server is a must, every other key is a text")
        try:
            checked_name(texts["event"], "an event")
            checked_name(texts["name"], "a node or hub")
        except HallNameError as error:
            raise HallConfigError(f"{path}: {error}") from error
        seed, ca = (path.parent / texts[key] if texts[key] else None for key in ("seed", "ca"))
        return cls(
            event=texts["event"], servers=tuple(servers), name=texts["name"], seed=seed, ca=ca
        )


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file says.

    Raises:
        HallConfigError: It is no TOML.
        OSError: It cannot be read.
    """
    try:
        return read_toml_text(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise HallConfigError(f"{path} is not TOML: {error}") from error
