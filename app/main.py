"""The page: ask, search, read what was cited, and look after it all. Run it with `streamlit run app/main.py`."""

import sys
from functools import cache
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # Streamlit puts app/ on the path, not the checkout
    sys.path.insert(0, str(ROOT))

from app import frame  # noqa: E402 - after the path
from app.texts import say  # noqa: E402
from rag_platform.config.sections.access import Role  # noqa: E402

VIEWS: dict[str, tuple[str, str, Role, str]] = {
    "ask": ("chat", "forum", "reader", "76rem"),
    "search": ("search", "search", "reader", "74rem"),
    "collections": ("collections", "folder_open", "reader", "50rem"),
    "quality": ("quality", "verified", "editor", "50rem"),
    "operate": ("operate", "monitoring", "admin", "54rem"),
    "document": ("document", "description", "reader", "96rem"),
}
"""Of each view: its file, its icon, whose it is, and its width, for text is best read in lines that are not long."""


@cache
def dress() -> tuple[str, str]:
    """Return our styles and scripts, which are constant."""
    style = "\n".join(path.read_text() for path in sorted((ROOT / "app" / "style").glob("*.css"), key=_frame_first))
    scripts = (path.read_text() for path in sorted((ROOT / "app" / "scripts").glob("*.js")))
    return f"<style>{style}</style>", "".join(f"<script>{script}</script>" for script in scripts)


def _frame_first(path: Path) -> tuple[bool, str]:
    return path.stem != "frame", path.stem


def page_of(name: str) -> st.Page:
    """Return a view for the navigation; a document is opened from elsewhere."""
    file, icon, _, _ = VIEWS[name]
    return st.Page(
        f"views/{file}.py",
        title=say(f"frame-{name}"),
        icon=f":material/{icon}:",
        url_path=name if name != "ask" else None,
        default=name == "ask",
        visibility="hidden" if name == "document" else "visible",
    )


st.set_page_config(page_title=say("frame-title"), page_icon=str(ROOT / "app" / "icon.svg"), layout="wide")
st.session_state.pop("dialog", None)  # this run closes it, unless it opens it
style, scripts = dress()
st.html(style)
st.html(scripts, unsafe_allow_javascript=True)
visitor = frame.visitor_or_none()
open_to = [name for name, (_, _, needed, _) in VIEWS.items() if visitor is None or visitor.may(needed)]
page = st.navigation([page_of(name) for name in open_to], position="top" if visitor else "hidden")
st.html(f"<style>:root {{ --page: {VIEWS[page.url_path or 'ask'][3]}; }}</style>")
with frame.friendly():
    frame.require_person()
    frame.show_account()
    page.run()
