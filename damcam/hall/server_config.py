"""The configuration of nats-server for one event: an account, a key and rights for everybody.

Keys are nkeys: the server knows public halves only, and no secret ever travels. A node may tell
of its own cameras and of nothing else; a hub may read all and tell what operators ask for.
"""

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import nkeys

from .errors import HallConfigError
from .names import BY_HAND, HallNameError, Subjects, checked_name

SEED_BYTES: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """Somebody on NATS, by their public key."""

    name: str
    public: str
    publishes: tuple[str, ...]
    subscribes: tuple[str, ...]


def write_server_config(
    folder: Path, event: str, nodes: Sequence[str], hubs: Sequence[str], server: str
) -> Path:
    """Write `nats.conf`, and a key and a `hall.toml` for every node and hub.

    Args:
        folder: Where; it must not hold an event yet.
        event: The name of the event.
        nodes: The names of the capture nodes.
        hubs: The names of the hubs.
        server: The address that everybody is given.

    Raises:
        HallConfigError: A name cannot be used or comes twice.
        OSError: A file cannot be written.
    """
    try:
        subjects = Subjects(event=event)
        names = [checked_name(name, "a node or hub") for name in (*nodes, *hubs)]
    except HallNameError as error:
        raise HallConfigError(str(error)) from error
    if BY_HAND in nodes:
        raise HallConfigError(f"{BY_HAND!r} stands for boards without a camera; name the node else")
    if len(set(names)) != len(names) or not names:
        raise HallConfigError("every node and hub needs a name of its own")
    path = folder / "nats.conf"
    if path.exists():
        raise HallConfigError(f"{path} exists; give an empty folder")
    folder.mkdir(parents=True, exist_ok=True)
    users = [_node(name, _new_key(folder, name), subjects) for name in nodes]
    users += [_hub(name, _new_key(folder, name), subjects) for name in hubs]
    for user in users:
        lines = [f'event = "{event}"', f'servers = ["{server}"]', f'name = "{user.name}"']
        lines += [f'seed = "{user.name}.seed"', ""]
        (folder / f"hall-{user.name}.toml").write_text("\n".join(lines), encoding="utf-8")
    path.write_text(server_config(event, users), encoding="utf-8")
    return path


def server_config(event: str, users: Sequence[User]) -> str:
    """Return the text of a configuration to which addresses and a cluster may be added."""
    rows = "\n".join(_user_text(user) for user in users)
    return f"""# nats-server of the event {event}; start it with: nats-server -c nats.conf
# Whoever has a .seed file is who it says: keep each on its own machine only.
listen: "127.0.0.1:4222"
max_payload: 65536
max_connections: 1024

jetstream {{
  store_dir: "./jetstream"
  max_file_store: 4GB
}}

accounts {{
  damcam_{event.replace("-", "_")}: {{
    jetstream: enabled
    users: [
{rows}
    ]
  }}
}}
"""


def _user_text(user: User) -> str:
    publishes = ", ".join(f'"{subject}"' for subject in user.publishes)
    subscribes = ", ".join(f'"{subject}"' for subject in user.subscribes)
    return f"""      # {user.name}
      {{ nkey: {user.public}, permissions: {{
        publish: {{ allow: [{publishes}] }}
        subscribe: {{ allow: [{subscribes}] }}
      }} }}"""


def _node(name: str, public: str, subjects: Subjects) -> User:
    event, stream = f"damcam.{subjects.event}", subjects.stream
    return User(
        name=name,
        public=public,
        publishes=(
            f"{event}.game.{name}.>",
            f"{event}.still.{name}.>",
            subjects.alive(name),
            f"$JS.API.DIRECT.GET.{stream}",
            f"$JS.API.DIRECT.GET.{stream}.{event}.game.{name}.>",
        ),
        subscribes=(f"_INBOX_{name}.>", subjects.edits_of(name)),
    )


def _hub(name: str, public: str, subjects: Subjects) -> User:
    event, stream = f"damcam.{subjects.event}", subjects.stream
    reads = [
        f"$JS.API.{what}"
        for one in (stream, subjects.stills)
        for what in (
            f"STREAM.INFO.{one}",
            f"STREAM.CREATE.{one}",
            f"CONSUMER.CREATE.{one}.>",
            f"CONSUMER.INFO.{one}.>",
        )
    ]
    return User(
        name=name,
        public=public,
        publishes=(
            subjects.hall,
            f"{event}.edit.>",
            f"{event}.game.{BY_HAND}.>",
            f"$JS.API.DIRECT.GET.{stream}.{event}.game.{BY_HAND}.>",
            f"$JS.API.DIRECT.GET.{subjects.stills}.>",
            *reads,
        ),
        subscribes=(f"_INBOX_{name}.>", subjects.alive("*")),
    )


def _new_key(folder: Path, name: str) -> str:
    """Write a new secret half for its owner only; return the public half."""
    raw = bytearray(secrets.token_bytes(SEED_BYTES))
    seed = nkeys.encode_seed(bytes(raw), nkeys.PREFIX_BYTE_USER)
    pair = nkeys.from_seed(seed)
    public: str = pair.public_key.decode()
    path = folder / f"{name}.seed"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(bytes(seed) + b"\n")
    pair.wipe()
    return public
