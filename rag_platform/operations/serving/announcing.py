"""uvicorn's server, which says when it accepts connections, and drops none that it has accepted."""

import asyncio
import socket
from collections.abc import Callable

from uvicorn import Config, Server

_FIRST_REQUEST = 1.0
"""Seconds that a connection may take to send its first request, once the server is stopping."""


class AnnouncingServer(Server):
    """A server that calls a function once it accepts connections."""

    def __init__(self, config: Config, serves: Callable[[], None]) -> None:
        super().__init__(config)
        self._serves = serves

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections, and say so."""
        await super().startup(sockets)
        if self.started:
            self._serves()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more; read the first requests of connections that were just accepted, and close the others."""
        for server in self.servers:
            server.close()
        deadline = asyncio.get_running_loop().time() + _FIRST_REQUEST
        while self._expects_requests() and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.02)
        await super().shutdown(sockets)

    def _expects_requests(self) -> bool:
        return any(getattr(one, "awaited", None) == "head" for one in self.server_state.connections)

    def stop(self) -> None:
        """Accept no more, finish what was begun, and end as a server that was not interrupted."""
        self.should_exit = True
