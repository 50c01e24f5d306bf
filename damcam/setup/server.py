"""The server of the set-up: uvicorn in a thread, for as long as the set-up lasts."""

import threading
import time
from typing import Final

import uvicorn

from ..serve import Address
from ..serve.address import listening_socket
from .site import SetupSite

GOODBYE_S: Final = 1


class SetupServer:
    """Serves the set-up between `start` and `close`."""

    def __init__(self, address: Address, site: SetupSite) -> None:
        """Take the address.

        Raises:
            OSError: Somebody else has the port, or the host is not ours.
        """
        self._socket = listening_socket(address)
        self.address: Final = Address(host=address.host, port=self._socket.getsockname()[1])
        site.serve = self.address.text
        config = uvicorn.Config(
            site.app(time.monotonic),
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=GOODBYE_S,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="setup server", daemon=True)

    def start(self) -> None:
        """Start to serve; requests that come before are answered then."""
        self._thread.start()

    def close(self) -> None:
        """Finish the answers that are under way and let the address go."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join()
        self._socket.close()

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])
