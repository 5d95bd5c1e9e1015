"""Thumbs up or down, and the reason."""

import streamlit as st

from app import frame
from app.texts import say
from rag_platform.journal.answer_judgements import REASONS
from rag_platform.journal.receipts import Receipt


def thumbs(receipt: Receipt, message: int) -> None:
    """Let the user say whether an answer, in a message of that id, was good; who finds it bad is asked why."""
    feedback, person = frame.workspace().feedback, frame.person()
    key = f"feedback-{message}"
    given = feedback.of(receipt.id, person.id)

    def store() -> None:
        if (chosen := st.session_state[key]) is None:
            feedback.withdraw(receipt.id, person.id)
        else:
            feedback.give(receipt.id, good=bool(chosen), principal=person.id)
            st.session_state["judging"] = None if chosen else receipt.id

    with st.container(key=f"judge-{message}", width="content", gap=None):
        st.html(f'<span class="unseen">{say("ask-judge")}</span>')
        st.feedback("thumbs", key=key, default=None if given is None else int(given.good), on_change=store)


def ask_why() -> None:
    """Ask for the reason of a bad judgement that was just given."""
    if waiting := st.session_state.pop("judging", None):
        receipt = frame.workspace().journal.receipt(waiting)
        if receipt:
            frame.dialog(say("ask-bad-abstained-title" if receipt.abstained else "ask-bad-title"))(_form)(receipt)


def _form(receipt: Receipt) -> None:
    reasons = [reason for reason in REASONS if (reason == "unanswered") == receipt.abstained or reason == "other"]
    reason = st.pills(say("ask-reason"), reasons, format_func=lambda one: say(f"ask-reason-{one}"), key="reason")
    comment = st.text_area(say("ask-comment"), max_chars=2000, key="comment")
    st.html(f'<div class="quiet">{say("ask-judge-note")}</div>')
    if st.button(say("ask-send"), type="primary"):
        feedback, person = frame.workspace().feedback, frame.person()
        feedback.give(receipt.id, good=False, reason=reason, comment=comment, principal=person.id)
        st.session_state["notice"] = say("ask-thanks")
        st.rerun()
