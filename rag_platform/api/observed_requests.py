"""Each request has an id, which its answer, its receipts, its traces and the log name, and is told to observers."""

import logging
import re
import time
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rag_platform.monitoring.tracing import request_id, span

HEADER = "x-request-id"
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}
"""Known ones; all others are told as one, as OpenTelemetry says, for whoever counts keeps each for ever."""
_PLAIN = re.compile(r"[A-Za-z0-9._-]{1,64}")
_LOG = logging.getLogger(__name__)


class ObservedRequests:
    """A layer around the application that names and tells of each request; nothing that was asked is in it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get(HEADER, "")
        name = given if _PLAIN.fullmatch(given) else uuid.uuid4().hex
        request_id.set(name)  # of this request's task alone; what answers a crash still asks for it
        status = 500

        async def send_named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = name
            await send(message)

        method = scope["method"] if scope["method"] in _METHODS else "_OTHER"
        about = {"http.request.method": method, "url.scheme": scope["scheme"], "rag.request.id": name}
        start = time.perf_counter()
        with span(method, about, "server", headers) as noted:
            try:
                await self.app(scope, receive, send_named)
            finally:
                route = getattr(scope.get("route"), "path", "none")
                noted |= {"http.route": route, "http.response.status_code": status}
                took = round((time.perf_counter() - start) * 1000, 1)
                _LOG.info("%s %s %s", method, route, status, extra={"status": status, "took_ms": took})
