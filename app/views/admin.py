"""Admin: people and what they may read, tokens, limits, models and servers, backups. The part is in the address."""

import streamlit as st

from app import frame
from app.admin.backups import show_backups
from app.admin.limits import show_limits
from app.admin.people import show_people
from app.admin.reading import show_reading
from app.admin.servers import show_servers
from app.admin.tokens import show_tokens
from app.rendering import plain_label
from app.texts import say, say_html

PARTS = {
    "people": show_people,
    "reading": show_reading,
    "tokens": show_tokens,
    "limits": show_limits,
    "servers": show_servers,
    "backups": show_backups,
}

person = frame.require("admin")
wanted = st.query_params.get("part")
if notice := st.session_state.pop("notice", None):
    st.toast(plain_label(notice), icon=":material/check:")
st.html(f'<h2 class="title">{say_html("admin-title")}</h2>')
part = st.segmented_control(
    say("admin-part"),
    list(PARTS),
    default=wanted if wanted in PARTS else "people",
    required=True,
    format_func=lambda name: say(f"admin-{name}"),
    key="admin-part",
    label_visibility="collapsed",
)
st.query_params["part"] = part
with frame.friendly():
    PARTS[part](person)
