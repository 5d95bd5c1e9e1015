"""The page's scripts and styles, compressed: they are most of what a first visit loads.

Streamlit sends them as they are. Each file is compressed once, when it is first asked for, and kept: a name never
stands for other bytes, for it holds their hash.
"""

import gzip
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit
from anyio import to_thread
from starlette.datastructures import Headers
from starlette.responses import Response

STATIC = Path(streamlit.__file__).parent / "static" / "static"
PREFIX = "/static/"
KINDS = {".js": "text/javascript", ".css": "text/css"}
_YEAR = 365 * 24 * 3600

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Scope]]
Send = Callable[[Scope], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class CompressedAssets:
    """Answers for scripts and styles whoever takes them compressed; everything else passes as it is."""

    def __init__(self, app: Application) -> None:
        """Stand before `app`, the page."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it through."""
        name = _asset(scope)
        if name is None:
            await self._app(scope, receive, send)
            return
        headers = {
            "cache-control": f"public, max-age={_YEAR}, immutable",
            "content-encoding": "gzip",
            "content-type": KINDS[Path(name).suffix],
            "vary": "accept-encoding",
        }
        await Response(await to_thread.run_sync(_compressed, name), headers=headers)(scope, receive, send)


def _asset(scope: Scope) -> str | None:
    """Return which asset is asked for, by somebody who takes it compressed."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return None
    name = scope["path"].removeprefix(PREFIX)
    takes = "gzip" in Headers(scope=scope).get("accept-encoding", "")
    return name if takes and scope["path"].startswith(PREFIX) and name in _known() else None


@lru_cache(1)
def _known() -> frozenset[str]:
    """Return the names there are; no other ever reaches the disk."""
    return frozenset(
        path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.suffix in KINDS and path.is_file()
    )


@lru_cache(256)
def _compressed(name: str) -> bytes:
    return gzip.compress((STATIC / name).read_bytes(), 9, mtime=0)
