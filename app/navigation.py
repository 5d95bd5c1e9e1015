"""The views of the page, the way from each to the others, and what a tab of the browser is called."""

from html import escape
from typing import NamedTuple

import streamlit as st

from app.texts import say, upright
from rag_platform.config.sections.access import Role

LONGEST_TITLE = 60
"""Characters of what a tab shows, before the page's own name."""


class View(NamedTuple):
    """A view: its file, its icon, whose it is, and its width."""

    file: str
    icon: str
    role: Role
    width: str


_TALK, _WORK, _BESIDE = "76rem", "54rem", "96rem"
"""One width for what is asked and found, one for what is looked after, one for a text beside its original."""
VIEWS: dict[str, View] = {
    "ask": View("chat", "forum", "reader", _TALK),
    "search": View("search", "search", "reader", _TALK),
    "grids": View("grids", "table_chart", "reader", _BESIDE),
    "collections": View("collections", "folder_open", "reader", _WORK),
    "quality": View("quality", "verified", "editor", _WORK),
    "operate": View("operate", "monitoring", "admin", _WORK),
    "admin": View("admin", "admin_panel_settings", "admin", _WORK),
    "document": View("document", "description", "reader", _BESIDE),
    "watches": View("watches", "notifications", "reader", _WORK),
    "assistants": View("assistants", "smart_toy", "reader", _WORK),
}
ELSEWHERE = ("document", "watches", "assistants")
"""Views that are opened from others."""


def page_of(name: str) -> st.Page:
    """Return a view for the navigation; some are opened from elsewhere."""
    return st.Page(
        f"views/{VIEWS[name].file}.py",
        title=say(f"frame-{name}"),
        icon=f":material/{VIEWS[name].icon}:",
        url_path=name if name != "ask" else None,
        default=name == "ask",
        visibility="hidden" if name in ELSEWHERE else "visible",
    )


def set_title(of: str) -> None:
    """Name the tab of the browser after what it shows."""
    own = upright(of)
    own = own if len(own) <= LONGEST_TITLE else f"{own[: LONGEST_TITLE - 1]}…"
    st.set_page_config(page_title=f"{own} · {say('frame-title')}")


def bar_html(open_to: list[str], current: str) -> str:
    """Render the ways to the other views for phones, where they stand at the lower edge."""
    links = "".join(
        f'<a class="inner" href="{"./" if name == "ask" else name}" target="_self"'
        f"{' aria-current=page' if name == current else ''}>"
        f'<i aria-hidden="true">{VIEWS[name].icon}</i><span>{escape(say(f"frame-{name}"))}</span></a>'
        for name in open_to
        if name not in ELSEWHERE
    )
    return f'<nav class="bar-below" aria-label="{escape(say("frame-views"), quote=True)}">{links}</nav>'
