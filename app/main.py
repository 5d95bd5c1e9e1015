"""The page: ask, search, read what was cited, and look after it all. Run it with `streamlit run app/main.py`."""

import sys
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # Streamlit puts app/ on the path, not the checkout
    sys.path.insert(0, str(ROOT))

from app import frame  # noqa: E402 - after the path
from app.assets import LINKED, own  # noqa: E402
from app.illustrating.formulas import katex_name  # noqa: E402
from app.navigation import VIEWS, bar_html, page_of, set_title  # noqa: E402
from app.texts import say, spoken  # noqa: E402
from app.undo import show_leaving  # noqa: E402

st.set_page_config(page_title=say("frame-title"), page_icon=str(ROOT / "app" / "icon.svg"), layout="wide")
st.session_state.pop("dialog", None)  # this run closes it, unless it opens it
if not LINKED.is_set():  # `streamlit run` serves this file alone
    st.html(f"<style>{own('css')[1].decode()}</style>")
    st.html(f"<script>{own('js')[1].decode()}</script>", unsafe_allow_javascript=True)
of_run = f'document.documentElement.lang = "{spoken()}"; window.katexName = "{katex_name()}"'
st.html(f"<script>{of_run}</script>", unsafe_allow_javascript=True)
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
