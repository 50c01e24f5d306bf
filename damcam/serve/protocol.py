"""HTTP/1.1 by httptools, with the bounds on a request that httptools and uvicorn lack."""

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD: Final = 65_536
"""A shorter head is answered with what is wrong with it."""

HEAD_END: Final = b"\r\n\r\n"
REQUEST_S: Final = 60.0
"""For a push of a megabyte over a slow line."""


class BoundedProtocol(HttpToolsProtocol):
    """Hangs up on a client whose request has a head without end, or does not come whole in time."""

    _head_bytes = 0
    _head_tail = b""
    _is_in_body = False
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect a request."""
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing more."""
        self._expect_nothing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes in, unless the head of a request has grown too long."""
        if self._patience is None:
            self._expect()
        if not self._is_in_body:
            end = (self._head_tail + data).find(HEAD_END)
            self._head_bytes += len(data) if end < 0 else end
            self._head_tail = data[1 - len(HEAD_END) :]
            if self._head_bytes > MOST_HEAD:
                self.transport.close()
                return
        super().data_received(data)

    def on_headers_complete(self) -> None:
        """Stop counting: what follows is the body."""
        self._is_in_body = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Count anew for the next request."""
        self._expect_nothing()
        self._head_bytes, self._head_tail, self._is_in_body = 0, b"", False
        super().on_message_complete()

    def _expect(self) -> None:
        self._patience = self.loop.call_later(REQUEST_S, self.transport.close)

    def _expect_nothing(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
