"""HTTP connections that end: uvicorn's protocol, which waits for ever, with limits on what one client may hold.

A client that does not send its headers, sends its body by drops or never reads its answer is hung up on. Where there
are too many connections, from one address or in all, the one whose request has been awaited longest gives way.
"""

import asyncio
from ipaddress import ip_address, ip_network
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from rag_platform.config.sections.http import HttpSettings
from rag_platform.people.locality import Network, network_of

SLOWEST = 1000.0
"""Bytes of a body for each second, on the whole."""
_NO_ROOM = b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 5\r\nconnection: close\r\n\r\n"


class LimitedProtocol(H11Protocol):
    """One connection, within limits."""

    def __init__(self, *args: Any, limits: HttpSettings, **named: Any) -> None:
        super().__init__(*args, **named)
        self.limits = limits
        self.awaited: str | None = None
        """"head" or "body": what the client has yet to send."""
        self.since = 0.0
        """When that began, in the loop's time."""
        self._received = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Take a connection, if there is room."""
        super().connection_made(transport)
        if self._has_room():
            self._watch()
        else:
            transport.write(_NO_ROOM)
            transport.close()
            self._abort_unless_read()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the limits of a connection that ended."""
        self._cancel(self._deadline, self._unread, self.timeout_keep_alive_task)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes of a request."""
        if self.transport.is_closing():
            return
        self._received += len(data)
        super().data_received(data)
        self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Leave the connection to the protocol of websockets, which pings."""
        self._cancel(self._deadline, self._unread)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Await the next request, or the rest of a body that nobody wants any more."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """Wait for a client to read, within limits."""
        super().pause_writing()
        self._abort_unless_read()

    def resume_writing(self) -> None:
        """Go on with a client that has read."""
        super().resume_writing()
        self._cancel(self._unread)

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection without a further request, also when its last answer was not read."""
        super().timeout_keep_alive_handler()
        self._abort_unless_read()

    def _watch(self) -> None:
        """Note what is awaited now, and since when."""
        if self.transport.get_protocol() is not self:  # a websocket since
            return
        if self.transport.is_closing():
            self._abort_unless_read()
        awaited = self._awaited()
        if awaited != self.awaited:
            self.awaited, self.since, self._received = awaited, self.loop.time(), 0
            self._cancel(self._deadline)
            if awaited:
                self._deadline = self.loop.call_at(self._due(), self._give_up)

    def _awaited(self) -> str | None:
        if self.transport.is_closing():
            return None
        if self.conn.their_state is h11.SEND_BODY:
            return "rest" if self.cycle.response_complete else "body"
        return "head" if self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is None else None

    def _due(self) -> float:
        """Return until when what is awaited must have come, in the loop's time."""
        if self.awaited == "head":
            return self.since + self.limits.header_seconds
        return self.since + self.limits.stalled_seconds + (self._received / SLOWEST if self.awaited == "body" else 0)

    def _give_up(self) -> None:
        if self.awaited == "body" and self.flow.read_paused:  # it is we who are slow
            self.since, self._received = self.loop.time(), 0
        if self.loop.time() < self._due():
            self._deadline = self.loop.call_at(self._due(), self._give_up)
        else:
            self.transport.abort()

    def _abort_unless_read(self) -> None:
        """Hang up on a client that does not read what is still to be sent, for then no closing ends."""
        self._cancel(self._unread)
        self._unread = self.loop.call_later(self.limits.stalled_seconds, self.transport.abort)

    def _has_room(self) -> bool:
        """Return whether one more connection can be had; one that waits for its request may have to go for it."""
        open_now: list[Any] = [one for one in self.connections if not one.transport.is_closing()]
        here = [one for one in open_now if _network(one.client) == _network(self.client)]
        if len(here) > self.limits.connections_per_address and not _is_proxy(self.client, self.limits.proxies):
            return _drop_waiting(here, self)
        return len(open_now) <= self.limits.connections or _drop_waiting(open_now, self)

    @staticmethod
    def _cancel(*timers: asyncio.TimerHandle | None) -> None:
        for timer in timers:
            if timer is not None:
                timer.cancel()


def _drop_waiting(crowd: list[Any], newest: LimitedProtocol) -> bool:
    """Hang up on the one whose request has been awaited longest; False: all are being served."""
    waiting = [one for one in crowd if isinstance(one, LimitedProtocol) and one.awaited == "head" and one is not newest]
    if waiting:
        min(waiting, key=lambda one: one.since).transport.abort()
    return bool(waiting)


def _network(client: tuple[str, int] | None) -> Network | None:
    return network_of(client[0]) if client else None


def _is_proxy(client: tuple[str, int] | None, proxies: tuple[str, ...]) -> bool:
    network = _network(client)
    return (
        network is not None
        and client is not None
        and any(ip_address(client[0]) in ip_network(proxy) for proxy in proxies)
    )
