"""Quality: is the newest version good enough, which is live, and which questions tell. The part is in the address."""

import streamlit as st

from app import frame
from app.parts import show_parts, tell_notice
from app.quality.feedback_dashboard import show_judged
from app.quality.feedback_questions import show_proposed
from app.quality.overview import show_overview
from app.quality.question_editor import show_editor
from app.quality.question_list import show_questions
from app.quality.report_page import show_comparison, show_report
from app.quality.version_list import show_versions
from app.rendering import plain_label
from app.texts import say

PARTS = {
    "overview": show_overview,
    "versions": show_versions,
    "questions": show_questions,
    "proposed": show_proposed,
    "feedback": show_judged,
}
OPENED = {"edit": show_editor, "compare": show_comparison}
"""What a part leads to; each shows the way back."""

person = frame.require("editor")
wanted = st.query_params.get("part", "overview")
tell_notice()
if moved := st.session_state.pop("moved-to", None):
    st.toast(plain_label(say("quality-is-live", version=moved)), icon=":material/publish:")
if wanted == "report":
    show_report(st.query_params.get("version", ""), person)
elif wanted in OPENED:
    OPENED[wanted](person)
else:
    waiting = len(frame.workspace().proposals.list(person.principals))
    show_parts("quality", PARTS, person, {"proposed": say("quality-proposed-count", count=waiting)})
