"""The page's scripts and styles, compressed: they are most of what a first visit loads.

Streamlit sends them as they are. Each file is compressed once, when it is first asked for, and kept: a name never
stands for other bytes, for it holds their hash. Of its fonts only the icons are needed, and few of these: `ICONS`.
"""

import gzip
import hashlib
import re
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
FONTS = re.compile(rb"@font-face\{font-family:(Source Sans|Material Symbols Rounded);[^}]*\}")
"""Fonts of Streamlit's style sheet that are half of what a first visit would load."""
_SYMBOLS = Path(__file__).parent / "icons" / "symbols.woff2"
"""The icons that the page and Streamlit name; scripts/icon_font.py cuts it."""
ICONS = f"/icons/{hashlib.sha256(_SYMBOLS.read_bytes()).hexdigest()[:12]}.woff2"
_FOREVER = f"public, max-age={365 * 24 * 3600}, immutable"

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
        if scope["type"] == "http" and scope["path"] == ICONS:
            headers = {"cache-control": _FOREVER, "content-type": "font/woff2"}
            await Response(_SYMBOLS.read_bytes(), headers=headers)(scope, receive, send)
        elif (name := _asset(scope)) is None:
            await self._app(scope, receive, send)
        else:
            headers = {
                "cache-control": _FOREVER,
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
    return gzip.compress(FONTS.sub(b"", (STATIC / name).read_bytes()), 9, mtime=0)
