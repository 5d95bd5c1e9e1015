"""The page's scripts and styles, compressed: they are most of what a first visit loads.

Streamlit sends its own as they are, and ours anew with each visit. Each file is compressed once, when it is first asked
for, and kept: a name never stands for other bytes, for it holds their hash. Of its fonts only the icons are needed, and
few of these: `ICONS`.
"""

import gzip
import hashlib
import re
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
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
LINKED = threading.Event()
"""Set where the page's document itself brings our style and script, `own`: no run of a view need send them."""
_LINKS = re.compile(rb"""(?:from|import)\s*["'`]\./([\w.-]+\.js)["'`]""")
_BROTLI = 8
"""Its level: a tenth smaller than gzip's best in about the same time; the highest would take twenty times as long."""
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
            coding = coding_of(scope)
            headers = {
                "cache-control": _FOREVER,
                "content-encoding": coding,
                "content-type": KINDS[Path(name).suffix],
                "vary": "accept-encoding",
            }
            body = await to_thread.run_sync(_compressed, name, coding)
            await Response(body, headers={key: value for key, value in headers.items() if value})(scope, receive, send)


def coding_of(scope: Scope) -> str:
    """Return how an answer is compressed for whoever asks: "br", "gzip", or "", as it is."""
    accepted = {one.partition(";")[0].strip() for one in Headers(scope=scope).get("accept-encoding", "").split(",")}
    return next((coding for coding in ("br", "gzip") if coding in accepted), "")


def compressed(body: bytes, coding: str) -> bytes:
    """Return a body in that coding."""
    if coding == "br":
        return bytes(pa.Codec("brotli", compression_level=_BROTLI).compress(body, asbytes=True))
    return gzip.compress(body, 9, mtime=0) if coding else body


@cache
def own(kind: str) -> tuple[str, bytes]:
    """Return the address and the bytes of all our styles, "css", or of all our scripts, "js"."""
    files = sorted(Path(__file__).parent.glob(f"s*/*.{kind}"), key=lambda path: (path.stem != "frame", path.stem))
    whole = "\n".join(path.read_text(encoding="utf-8") for path in files).encode()
    return f"/page/{hashlib.sha256(whole).hexdigest()[:12]}.{kind}", whole


@cache
def chunks_of(elements: tuple[str, ...]) -> list[str]:
    """Return the scripts, below `STATIC`, without which Streamlit cannot draw these elements."""
    found: dict[str, None] = {}
    waiting = [path.name for element in elements for path in sorted((STATIC / "js").glob(f"{element}.*.js"))]
    while waiting:
        if (name := waiting.pop()) not in found:
            found[name] = None
            waiting += [one.decode() for one in _LINKS.findall((STATIC / "js" / name).read_bytes())]
    return [f"js/{name}" for name in found]


def _asset(scope: Scope) -> str | None:
    """Return which asset is asked for: one of ours, or one of Streamlit's by somebody who takes it compressed."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return None
    path = scope["path"]
    if path in (own("css")[0], own("js")[0]):
        return str(path)
    name = path.removeprefix(PREFIX)
    return name if path.startswith(PREFIX) and coding_of(scope) and name in _known() else None


@lru_cache(1)
def _known() -> frozenset[str]:
    """Return the names there are; no other ever reaches the disk."""
    return frozenset(
        path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.suffix in KINDS and path.is_file()
    )


@lru_cache(512)
def _compressed(name: str, coding: str) -> bytes:
    ours = own(Path(name).suffix[1:])
    return compressed(ours[1] if name == ours[0] else FONTS.sub(b"", (STATIC / name).read_bytes()), coding)
