"""The places that files are uploaded to: SFTP (extra `sftp`) and S3-compatible (extra `s3`)."""

from collections.abc import Awaitable, Callable, Mapping
from posixpath import dirname, join
from typing import Final, Protocol
from urllib.parse import SplitResult

MEDIA_TYPES: Final = {"json": "application/json", "pdn": "text/plain; charset=utf-8"}
MAX_AGE: Final = "public, max-age=2"
"""Short enough for a live feed, long enough to spare the store."""

SFTP_WORDS: Final = frozenset({"key", "known_hosts"})
S3_WORDS: Final = frozenset({"endpoint", "region"})


class UploadError(ValueError):
    """An address names no place to upload to."""


class Place(Protocol):
    """Somewhere that files can be put."""

    async def put(self, name: str, data: bytes) -> None:
        """Replace a file as a whole; raises OSError where that fails."""

    async def close(self) -> None:
        """Let go of the connection."""


Opener = Callable[[], Awaitable[Place]]


def sftp_opener(parts: SplitResult, words: Mapping[str, str]) -> Opener:
    """Return what connects to a folder over SFTP.

    Raises:
        ImportError: asyncssh is not installed.
        UploadError: A word behind the `?` is not known.
    """
    import asyncssh

    _check(words, SFTP_WORDS)
    options = _sftp_options(parts, words)

    class Folder:
        """A folder of an SFTP server."""

        def __init__(
            self, connection: asyncssh.SSHClientConnection, client: asyncssh.SFTPClient
        ) -> None:
            self._connection = connection
            self._client = client
            self._made: set[str] = set()

        async def put(self, name: str, data: bytes) -> None:
            path = join(parts.path or ".", name)
            try:
                if dirname(path) not in self._made:
                    await self._client.makedirs(dirname(path), exist_ok=True)
                    self._made.add(dirname(path))
                async with self._client.open(f"{path}.new", "wb") as file:
                    await file.write(data)
                await self._client.posix_rename(f"{path}.new", path)
            except asyncssh.Error as error:
                raise OSError(str(error)) from error

        async def close(self) -> None:
            self._connection.close()
            await self._connection.wait_closed()

    async def open_folder() -> Place:
        try:
            connection = await asyncssh.connect(parts.hostname, parts.port or 22, **options)
            return Folder(connection, await connection.start_sftp_client())
        except asyncssh.Error as error:
            raise OSError(str(error)) from error

    return open_folder


def _sftp_options(parts: SplitResult, words: Mapping[str, str]) -> dict[str, object]:
    options: dict[str, object] = {}
    if "key" in words:
        options["client_keys"] = [words["key"]]
    if "known_hosts" in words:
        options["known_hosts"] = words["known_hosts"]
    if parts.username:
        options["username"] = parts.username
    return options


def s3_opener(parts: SplitResult, words: Mapping[str, str]) -> Opener:
    """Return what opens a bucket of an S3-compatible store.

    Raises:
        ImportError: obstore is not installed.
        UploadError: A word behind the `?` is not known.
    """
    import obstore
    from obstore.exceptions import BaseError
    from obstore.store import S3Store

    _check(words, S3_WORDS)
    is_plain = words.get("endpoint", "").startswith("http://")

    class Bucket:
        """A folder of a bucket."""

        def __init__(self, store: S3Store) -> None:
            self._store = store

        async def put(self, name: str, data: bytes) -> None:
            kind = MEDIA_TYPES.get(name.rpartition(".")[2], "application/octet-stream")
            try:
                await obstore.put_async(
                    self._store,
                    name,
                    data,
                    attributes={"Content-Type": kind, "Cache-Control": MAX_AGE},
                )
            except BaseError as error:
                raise OSError(_first_line(error)) from error

        async def close(self) -> None:
            """Do nothing: each file is a request of its own."""

    async def open_bucket() -> Place:
        try:
            store = S3Store(
                parts.hostname,
                prefix=parts.path.strip("/") or None,
                endpoint=words.get("endpoint"),
                region=words.get("region", "us-east-1"),
                client_options={"allow_http": is_plain},
                retry_config={"max_retries": 0},
            )
        except BaseError as error:
            raise OSError(_first_line(error)) from error
        return Bucket(store)

    return open_bucket


def _check(words: Mapping[str, str], known: frozenset[str]) -> None:
    unknown = sorted(words.keys() - known)
    if unknown:
        raise UploadError(f"behind the ? may be {', '.join(sorted(known))}; got {unknown[0]!r}")


def _first_line(error: Exception) -> str:
    """Return what went wrong without the dump of the request behind it."""
    return str(error).partition("\n")[0][:200]
