"""The page: ask, search, and read what was cited. Run it with `streamlit run app/main.py`."""

import sys
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # Streamlit puts app/ on the path, not the checkout
    sys.path.insert(0, str(ROOT))

from app import frame  # noqa: E402 - after the path

st.set_page_config(page_title="Ask your documents", page_icon=str(ROOT / "app" / "icon.svg"), layout="centered")
st.html(ROOT / "app" / "theme.css")
st.html(f"<script>{(ROOT / 'app' / 'marks.js').read_text()}</script>", unsafe_allow_javascript=True)
page = st.navigation(
    [
        st.Page("views/chat.py", title="Ask", icon=":material/forum:", default=True),
        st.Page("views/search.py", title="Search", icon=":material/search:", url_path="search"),
        st.Page("views/collections.py", title="Collections", icon=":material/folder_open:", url_path="collections"),
        st.Page(
            "views/document.py",
            title="Document",
            icon=":material/description:",
            url_path="document",
            visibility="hidden",
        ),
    ],
    position="top",
)
with frame.friendly():
    page.run()
