"""The page: ask, search, and read what was cited. Run it with `streamlit run app/main.py`."""

import sys
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # Streamlit puts app/ on the path, not the checkout
    sys.path.insert(0, str(ROOT))

from app import frame  # noqa: E402 - after the path
from app.texts import say  # noqa: E402

WIDTHS = {
    "": "76rem",
    "search": "74rem",
    "document": "96rem",
    "collections": "50rem",
    "quality": "50rem",
    "operate": "54rem",
}
"""Of each view, by its address: text is best read in lines that are not long."""
SCRIPTS = ("links", "search")
"""Our own, and constant."""

st.set_page_config(page_title=say("frame-title"), page_icon=str(ROOT / "app" / "icon.svg"), layout="wide")
st.html(ROOT / "app" / "theme.css")
scripts = "".join(f"<script>{(ROOT / 'app' / f'{name}.js').read_text()}</script>" for name in SCRIPTS)
st.html(scripts, unsafe_allow_javascript=True)
looking = frame.looking()
views = [
    st.Page("views/chat.py", title=say("frame-ask"), icon=":material/forum:", default=True),
    st.Page("views/search.py", title=say("frame-search"), icon=":material/search:", url_path="search"),
    st.Page(
        "views/collections.py",
        title=say("frame-collections"),
        icon=":material/folder_open:",
        url_path="collections",
    ),
    *(
        [st.Page("views/quality.py", title=say("frame-quality"), icon=":material/verified:", url_path="quality")]
        if looking and looking.may("editor")
        else []
    ),
    *(
        [st.Page("views/operate.py", title=say("frame-operate"), icon=":material/monitoring:", url_path="operate")]
        if looking and looking.may("admin")
        else []
    ),
    st.Page(
        "views/document.py",
        title=say("frame-document"),
        icon=":material/description:",
        url_path="document",
        visibility="hidden",
    ),
]
page = st.navigation(views, position="top" if looking else "hidden")
st.html(f"<style>:root {{ --page: {WIDTHS[page.url_path]}; }}</style>")
with frame.friendly():
    frame.let_in()
    frame.show_account()
    page.run()
