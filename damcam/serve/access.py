"""Who may operate: tokens with roles, sessions that end by themselves, a check of every form.

A token is typed into a form once; it is never part of an address, a cookie or a log. Forms
carry a second secret that other sites cannot know.
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from starlette.requests import Request

SESSION_S: Final = 12 * 3600.0
"""A day in the hall; after that the token is asked for again."""

MOST_SESSIONS: Final = 32
MOST_FAILURES: Final = 5
FAILURES_S: Final = 60.0
"""So many wrong tokens from an address in so long, then it may not try until the time is over."""

MOST_CLIENTS: Final = 4096

LEAST_TOKEN: Final = 16
MOST_NAME: Final = 60


class TokenError(ValueError):
    """The file holds no token that can be used."""


def load_token(path: Path) -> str:
    """Return the token of a file; a file that is not there is made, readable by its owner only.

    Raises:
        TokenError: What the file holds is no text, or too short to be secret.
        OSError: The file cannot be read or made.
    """
    if not path.exists():
        token = secrets.token_urlsafe(24)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(f"{token}\n")
        return token
    token = _text_of(path).strip()
    if len(token) < LEAST_TOKEN:
        raise TokenError(f"{path}: a token has {LEAST_TOKEN} signs at least, got {len(token)}")
    return token


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise TokenError(f"{path} is not text: {error}") from error


Role = Literal["operator", "arbiter", "admin"]
"""An operator corrects games; an arbiter decides, too; an admin also says who plays where."""

ROLES: Final[tuple[Role, ...]] = ("operator", "arbiter", "admin")


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Somebody with a token; only the digest of the token is kept."""

    digest: bytes
    """SHA-256; tokens are long and random, so nothing slower is needed."""
    role: Role = "admin"
    name: str = ""
    """Empty: whoever enters gives a name."""
    boards: frozenset[int] = frozenset()
    """The boards that an operator may correct; empty: all."""

    def may(self, role: Role, board: int | None = None) -> bool:
        """Tell whether the account may do what takes this role, at this board."""
        is_theirs = board is None or self.role != "operator" or not self.boards
        has_role = ROLES.index(self.role) >= ROLES.index(role)
        return has_role and (is_theirs or board in self.boards)


def load_accounts(path: Path) -> tuple[Account, ...]:
    """Return who may enter by the tokens of a file; a file that is not there is made.

    A token alone on its line may do everything; `operator TOKEN` and `arbiter TOKEN` say what
    theirs may do, and a name may follow.

    Raises:
        TokenError: A token is too short to be secret, or a role is none.
        OSError: The file cannot be read or made.
    """
    load_token(path)
    accounts = []
    for line in _text_of(path).splitlines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        role, token, *name = words if len(words) > 1 else ("admin", words[0])
        known = next((one for one in ROLES if one == role), None)
        if known is None:
            raise TokenError(f"{path}: a role is one of {', '.join(ROLES)}; got {role!r}")
        if len(token) < LEAST_TOKEN:
            raise TokenError(f"{path}: a token has {LEAST_TOKEN} signs at least, got {len(token)}")
        accounts.append(Account(digest=token_digest(token), role=known, name=" ".join(name)))
    return tuple(accounts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """An operator who is at work; `csrf` is the secret of their forms."""

    name: str
    csrf: str
    ends_s: float
    account: Account


class Access:
    """The sessions of operators; only the event loop touches it."""

    def __init__(self, accounts: str | Iterable[Account], now_s: Callable[[], float]) -> None:
        """Begin with nobody at work.

        Args:
            accounts: Who may enter; a token alone is that of one who may do everything.
            now_s: A clock that only goes on.
        """
        if isinstance(accounts, str):
            accounts = [Account(digest=token_digest(accounts))]
        self._accounts = tuple(accounts)
        self._now_s = now_s
        self._logins: dict[str, Login] = {}
        self._failures: dict[str, list[float]] = {}
        """By client: nobody can lock others out."""

    def is_locked(self, client: str = "") -> bool:
        """Tell whether too many wrong tokens came lately from an address."""
        since = self._now_s() - FAILURES_S
        late = [at_s for at_s in self._failures.pop(client, []) if at_s > since]
        if late:
            self._failures[client] = late
        return len(late) >= MOST_FAILURES

    def enter(self, token: str, name: str, client: str = "") -> str | None:
        """Return the number of a new session, None if the token is wrong or it is locked."""
        account = self.account(token, client)
        if account is None:
            return None
        for old in [key for key, login in self._logins.items() if login.ends_s < self._now_s()]:
            del self._logins[old]
        while len(self._logins) >= MOST_SESSIONS:
            del self._logins[next(iter(self._logins))]
        session = secrets.token_urlsafe(24)
        shown = account.name or " ".join(name.split())[:MOST_NAME] or "operator"
        self._logins[session] = Login(
            name=shown,
            csrf=secrets.token_urlsafe(24),
            ends_s=self._now_s() + SESSION_S,
            account=account,
        )
        return session

    def account(self, token: str, client: str = "") -> Account | None:
        """Return whose token this is; a wrong one counts, and too many of them lock."""
        if self.is_locked(client):
            return None
        given = token_digest(token)
        known = [one for one in self._accounts if hmac.compare_digest(given, one.digest)]
        if not known:
            if len(self._failures) >= MOST_CLIENTS:
                del self._failures[next(iter(self._failures))]
            self._failures.setdefault(client, []).append(self._now_s())
            return None
        return known[0]

    def login(self, session: str | None) -> Login | None:
        """Return who has this session."""
        login = self._logins.get(session or "")
        return login if login is not None and login.ends_s >= self._now_s() else None

    def leave(self, session: str | None) -> None:
        """End a session."""
        self._logins.pop(session or "", None)


def client_of(request: Request) -> str:
    """Return the address that a request comes from."""
    return request.client.host if request.client is not None else ""


def is_own_form(login: Login, csrf: str) -> bool:
    """Tell whether a form carries the secret of its operator."""
    return hmac.compare_digest(token_digest(csrf), token_digest(login.csrf))


def token_digest(text: str) -> bytes:
    """Return what is kept of a token."""
    return hashlib.sha256(text.encode()).digest()
