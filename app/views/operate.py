"""Operate: what runs and what is wrong, sources, reviews, what is asked, what lies on the disk, what it costs."""

import streamlit as st

from app import frame
from app.operate.access_log import show_access
from app.operate.activity import show_activity
from app.operate.audit import show_audit
from app.operate.costs import show_costs
from app.operate.questions import show_questions
from app.operate.review import show_review
from app.operate.sources import show_sources
from app.operate.storage import show_storage
from app.rendering import plain_label
from app.texts import say, say_html

PARTS = {
    "now": show_activity,
    "sources": show_sources,
    "review": show_review,
    "asked": show_questions,
    "holding": show_storage,
    "costs": show_costs,
    "decided": show_access,
    "audit": show_audit,
}

person = frame.require("admin")
wanted = st.query_params.get("part")
if notice := st.session_state.pop("notice", None):
    st.toast(plain_label(notice), icon=":material/check:")
st.html(f'<h2 class="title">{say_html("operate-title")}</h2>')
part = st.segmented_control(
    say("operate-part"),
    list(PARTS),
    default=wanted if wanted in PARTS else "now",
    required=True,
    format_func=lambda name: say(f"operate-{name}"),
    key="operate-part",
    label_visibility="collapsed",
)
st.query_params["part"] = part
with frame.friendly():
    PARTS[part](person)
