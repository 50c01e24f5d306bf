"""HTTP/1.1 by httptools, with the bound on the head of a request that httptools lacks."""

from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .limits import MOST_BODY

MOST_HEAD: Final = 65_536 + MOST_BODY
"""A shorter head is answered with what is wrong with it; a body may come in the same piece."""


class BoundedProtocol(HttpToolsProtocol):
    """Hangs up on a client whose request has a head without end."""

    _head_bytes = 0
    _is_in_body = False

    def data_received(self, data: bytes) -> None:
        """Take bytes in, unless the head of a request has grown too long."""
        if not self._is_in_body:
            self._head_bytes += len(data)
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
        self._head_bytes, self._is_in_body = 0, False
        super().on_message_complete()
