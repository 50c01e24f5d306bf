"""`accounts.toml`: who may work in the hall, and at which boards; tokens only as digests.

[[account]]
name = "Anna"
role = "operator"         # or arbiter, or admin
boards = "1-8,12"         # of an operator; without it all
token_sha256 = "6f1e..."
"""

import os
import secrets
from pathlib import Path
from typing import Any, Final

from ..serve import ROLES, Account, Role, token_digest
from .config import read_toml
from .errors import HallConfigError
from .hall_events import MOST_BOARDS

MOST_ACCOUNTS: Final = 500
DIGEST_BYTES: Final = 32


def load_accounts(path: Path) -> tuple[Account, ...]:
    """Return the accounts of a file.

    Raises:
        HallConfigError: An account is not written as it must be.
        OSError: The file cannot be read.
    """
    rows = read_toml(path).get("account", [])
    if not isinstance(rows, list) or not 0 < len(rows) <= MOST_ACCOUNTS:
        raise HallConfigError(f"{path}: there must be 1-{MOST_ACCOUNTS} [[account]]")
    return tuple(_account(row, path) for row in rows)


def add_account(path: Path, name: str, role: Role, boards: str) -> str:
    """Add an account to a file, which is made if missing; return its token, kept nowhere.

    Raises:
        HallConfigError: The boards are none, or somebody has this name already.
        OSError: The file cannot be written.
    """
    _boards(boards, path)
    if any(sign in name for sign in '"\\\n') or not 0 < len(name) <= 60:
        raise HallConfigError(f"a name has 1-60 letters and no quotes, got {name!r}")
    if path.exists() and any(one.name == name for one in load_accounts(path)):
        raise HallConfigError(f"{path} has an account of {name} already")
    token = secrets.token_urlsafe(24)
    lines = ["[[account]]", f'name = "{name}"', f'role = "{role}"']
    lines += [f'boards = "{boards}"'] if boards else []
    lines += [f'token_sha256 = "{token_digest(token).hex()}"', ""]
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return token


def _account(row: Any, path: Path) -> Account:  # noqa: ANN401
    try:
        role: Role = row["role"]
        digest = bytes.fromhex(row["token_sha256"])
        if role not in ROLES or len(digest) != DIGEST_BYTES:
            raise ValueError(f"a role is one of {', '.join(ROLES)}, a digest has 64 hex digits")
        name, boards = str(row["name"]), _boards(str(row.get("boards", "")), path)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, HallConfigError):
            raise
        raise HallConfigError(f"{path}: an account cannot be used: {error}") from error
    return Account(digest=digest, role=role, name=name, boards=boards)


def _boards(text: str, path: Path) -> frozenset[int]:
    """Return the boards of a text such as `1-8,12`."""
    boards: set[int] = set()
    for part in text.replace(" ", "").split(",") if text else []:
        first, _, last = part.partition("-")
        ends = (first, last or first)
        if not all(
            end.isascii() and end.isdigit() and 1 <= int(end) <= MOST_BOARDS for end in ends
        ):
            raise HallConfigError(
                f"{path}: boards are written 1-8,12 up to {MOST_BOARDS}, got {text!r}"
            )
        boards.update(range(int(ends[0]), int(ends[1]) + 1))
    return frozenset(boards)
