"""ETags: a client that has an answer already is told so by 304, and is sent nothing (RFC 9110)."""

import hashlib

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

REVALIDATED = "private, no-cache"
"""Whoever keeps an answer asks each time whether they may still see it, and whether it is the same."""

_OF_SECRETS = "/"
"""Gives the token of a session, once: no cache may store it."""


class ConditionalRequests:
    """A layer around the application that gives whole JSON answers to GET an ETag."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        started: list[Message] = []
        wanted = Headers(scope=scope).get("if-none-match", "")

        async def send_tagged(message: Message) -> None:
            if message["type"] == "http.response.start" and scope["path"] != _OF_SECRETS and _may_be_tagged(message):
                started.append(message)
                return
            if started:
                start = started.pop()
                if not message.get("more_body"):
                    message = _tag(start, message, wanted)
                await send(start)
            await send(message)

        await self.app(scope, receive, send_tagged)


def _may_be_tagged(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    return start["status"] == 200 and headers.get("content-type", "").startswith("application/json")


def _tag(start: Message, message: Message, wanted: str) -> Message:
    """Name the answer in its headers; return its body, or none for whoever has it."""
    body, headers = message.get("body", b""), MutableHeaders(raw=start["headers"])
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers["etag"], headers["cache-control"] = tag, REVALIDATED
    given = [one.strip().removeprefix("W/") for one in wanted.split(",")]
    if tag in given or "*" in given:
        start["status"] = 304
        del headers["content-length"]
        body = b""
    start["headers"] = headers.raw
    return {**message, "body": body}
