"""Before the page: whose requests come further, and the link that signs in whoever runs the workspace.

The page reads the cookie that is set here from the websocket's handshake; see `frame.person`.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from app.texts import say
from rag_platform.people.admin_links import PARAMETER, AdminLinks
from rag_platform.people.locality import is_loopback

COOKIE = "rag_session"
_HEADERS = {
    "content-security-policy": "frame-ancestors 'self'",
    "permissions-policy": "microphone=(self), camera=(), geolocation=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class Entrance:
    """Refuses requests under a foreign name or from a foreign page; opens links; says what browsers may do."""

    def __init__(
        self, app: Application, links: Callable[[], AdminLinks | None], hosts: tuple[str, ...] | None, hours: float
    ) -> None:
        """Stand before `app`.

        Args:
            app: the page.
            links: those of the workspace; None where people sign in elsewhere.
            hosts: the names under which it may be asked for; none: this machine's own; None: any.
            hours: how long a session lasts that a link opens.
        """
        self._app, self._links, self._hosts, self._hours = app, links, hosts, hours

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        answer = self._refused(scope) or self._opened(scope)
        if answer is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await answer(scope, receive, _with_headers(send))

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_ours(host):  # another's name that was made to lead here (DNS rebinding)
            return PlainTextResponse(say("frame-foreign-host", host=host), 421)
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if changes and origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return PlainTextResponse(say("frame-foreign-page", origin=origin), 403)
        return None

    def _is_ours(self, host: str) -> bool:
        if self._hosts is None:
            return True
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return is_loopback(name) if not self._hosts else name in self._hosts

    def _opened(self, scope: Scope) -> Response | None:
        """Open a link: set the cookie, and lead to the address without the token."""
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/":
            return None
        token = parse_qs(scope["query_string"].decode("latin-1")).get(PARAMETER)
        links = self._links() if token else None
        if not token or links is None:
            return None
        session = links.redeem(token[0], self._hours)
        if session is None:
            return PlainTextResponse(say("frame-link-used"), 403, {"cache-control": "no-store"})
        answer = RedirectResponse("/", 303, {"cache-control": "no-store"})
        answer.set_cookie(
            COOKIE,
            session.secret,
            max_age=int(self._hours * 3600),
            httponly=True,
            samesite="strict",
            secure=scope["scheme"] == "https",
        )
        return answer


def _with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
