"""What stands in the page until its scripts have run: its title and the outline of an answer, in the page's colours.

Streamlit's document is empty until a megabyte of scripts is loaded and has asked the server. They replace this.
"""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from functools import cache, lru_cache
from html import escape
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from streamlit import config

from app.assets import ICONS, LINKED, chunks_of, coding_of, compressed, own
from app.navigation import VIEWS
from app.texts import say

_ROOT, _TITLE, _FIRST = b'<div id="root"></div>', b"<title>Streamlit</title>", b'<meta charset="UTF-8" />'
_HEAD = b"</head>"
_BASE = """<script>
window.__streamlit = {{
  BACKEND_BASE_URL: new URL(location.pathname.replace(/({views})\\/?$/, ""), location.origin).href,
}}
</script><style>
@font-face {{ font-family: "Material Symbols Rounded"; font-display: block;
  src: url({icons}) format("woff2"); }}
</style><script defer src="{script}"></script><link rel="preload" as="style" href="{style}">"""
"""Tells where the server is, else a view that is opened by its address looks for it below that address first; where the
icons are, in place of Streamlit's; and brings our script and style, once for all visits."""
_DRAWN = {
    "": ("Html", "Button", "PageLink", "TextInput", "ChatInput"),
    "search": ("Html", "Button", "TextInput"),
}
"""By view: Streamlit's elements that are seen first. The scripts of others come when they are drawn, one wave later."""
_ELSEWHERE = ("PageLink", "ChatInput", "ButtonGroup", "Selectbox")
"""Elements that other views begin with: elsewhere.js has their scripts come before somebody goes there."""
_FONT = re.compile(rb"<link[^>]*SourceSans[^>]*/>")
"""A font that is loaded before anything is shown, and is not ours."""
_OUTLINE = """<div id="root"><style>
#first {{ position: fixed; inset: 0; padding: 4.5rem 1rem; background: {light_back}; color: {light_text}; }}
#first > * {{ max-width: 50rem; margin: 0 auto 1.2rem; }}
#first h1 {{ font: 600 clamp(1.9rem, 5vw, 2.8rem) Georgia, serif; text-align: center; padding: 9vh 0 1rem; }}
#first i {{ display: block; height: 1.1rem; border-radius: .6rem; background: currentColor; opacity: .07; }}
#first i:first-of-type {{ height: 3rem; }}
@media (prefers-color-scheme: dark) {{ #first {{ background: {dark_back}; color: {dark_text}; }} }}
</style><div id="first" aria-busy="true"><h1>{title}</h1><i></i><i></i><i></i></div></div>"""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


class FirstPaint:
    """Puts the outline into the document of the page; everything else passes as it is."""

    def __init__(self, app: Application) -> None:
        """Stand before `app`, the page."""
        self._app = app
        LINKED.set()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Let a request through, and paint what it opens."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self._app({**scope, "headers": plain}, receive, _painting(scope["path"], coding_of(scope), send))


def _painting(path: str, coding: str, send: Send) -> Send:
    """Return where an answer is sent: a document is kept until it is whole."""
    begun: list[Message] = []
    parts: list[bytes] = []

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start" and _is_document(message):
            begun.append(message)
        elif not begun:
            await send(message)
        else:
            parts.append(message.get("body", b""))
            if not message.get("more_body"):
                body = _packed(b"".join(parts), path, coding)
                headers = MutableHeaders(scope=begun[0])
                headers["content-length"] = str(len(body))
                headers.add_vary_header("accept-encoding")
                if coding:
                    headers["content-encoding"] = coding
                await send(begun[0])
                await send({"type": "http.response.body", "body": body})

    return sending


def _is_document(start: Message) -> bool:
    return start["status"] == 200 and Headers(raw=start["headers"]).get("content-type", "").startswith("text/html")


@lru_cache(64)
def _packed(document: bytes, path: str, coding: str) -> bytes:
    return compressed(painted(document, path), coding)


def painted(document: bytes, path: str = "/") -> bytes:
    """Return the document with the outline; one that is not Streamlit's is returned as it is."""
    title, view = escape(say("frame-title")), path.strip("/")
    told = _BASE.format(views="|".join(VIEWS), icons=ICONS, script=own("js")[0], style=own("css")[0])
    first = chunks_of(_DRAWN.get(view, ("Html", "Button")))
    loads = "".join(_link("modulepreload", name) for name in first if name.encode() not in document)
    later = "".join(
        _link("prefetch", name) for name in chunks_of(_ELSEWHERE) if name not in first and name.encode() not in document
    )
    dressed = (
        _outline(title) + f'<link rel="stylesheet" href="{own("css")[0]}">'.encode()
    )  # after Streamlit's own styles
    shown = (
        document.replace(_ROOT, dressed)
        .replace(_TITLE, f"<title>{title}</title>".encode())
        .replace(_FIRST, _FIRST + told.encode())
        .replace(_HEAD, f'{loads}<template id="elsewhere">{later}</template>'.encode() + _HEAD)
    )
    return _FONT.sub(b"", shown)


def _link(what: str, name: str) -> str:
    return f'<link rel="{what}" crossorigin href="/static/{name}">'


@cache
def _outline(title: str) -> bytes:
    colours = {
        f"{theme}_{part}": config.get_option(f"theme.{theme}.{option}") or fallback
        for theme, fallback in (("light", "#fff"), ("dark", "#111"))
        for part, option in (("back", "backgroundColor"), ("text", "textColor"))
    }
    return _OUTLINE.format(title=title, **colours).encode()
