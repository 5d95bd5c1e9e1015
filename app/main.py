"""The page: ask, search, read what was cited, and look after it all. Run it with `streamlit run app/main.py`."""

import sys
from functools import cache
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # Streamlit puts app/ on the path, not the checkout
    sys.path.insert(0, str(ROOT))

from app import frame  # noqa: E402 - after the path
from app.illustrating.formulas import katex_name  # noqa: E402
from app.navigation import VIEWS, bar_html, page_of, set_title  # noqa: E402
from app.texts import say, spoken  # noqa: E402
from app.undo import show_leaving  # noqa: E402


@cache
def dress() -> tuple[str, str]:
    """Return our styles and scripts, which are constant."""
    style = "\n".join(path.read_text() for path in sorted((ROOT / "app" / "style").glob("*.css"), key=_frame_first))
    scripts = (path.read_text() for path in sorted((ROOT / "app" / "scripts").glob("*.js")))
    named = f'<script>window.katexName = "{katex_name()}"</script>'
    return f"<style>{style}</style>", named + "".join(f"<script>{script}</script>" for script in scripts)


def _frame_first(path: Path) -> tuple[bool, str]:
    return path.stem != "frame", path.stem


st.set_page_config(page_title=say("frame-title"), page_icon=str(ROOT / "app" / "icon.svg"), layout="wide")
st.session_state.pop("dialog", None)  # this run closes it, unless it opens it
style, scripts = dress()
st.html(style)
st.html(f'<script>document.documentElement.lang = "{spoken()}"</script>{scripts}', unsafe_allow_javascript=True)
visitor = frame.visitor_or_none()
open_to = [name for name, view in VIEWS.items() if visitor is None or visitor.may(view.role)]
page = st.navigation([page_of(name) for name in open_to], position="top" if visitor else "hidden")
name = page.url_path or "ask"
set_title(page.title)
st.html(f"<style>:root {{ --page: {VIEWS[name].width}; }}</style>{bar_html(open_to, name) if visitor else ''}")
with frame.friendly():
    frame.require_person()
    frame.show_account()
    frame.show_eyes()
    page.run()
    if visitor:
        show_leaving(visitor.id)
