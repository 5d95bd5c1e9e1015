"""The versions of a question and of an answer: edited, written anew, and gone through."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from app import frame
from app.rendering import plain_html
from app.texts import say
from rag_platform.journal.receipts import Receipt
from rag_platform.operations.asking.chat_turns import messages_beside
from rag_platform.people.chats import Message
from rag_platform.people.identity import Person

LONGEST_QUESTION = 2000
"""Characters that can be edited: as many as of a question are read."""
Ask = Callable[[str, str | None, int | None], None]
"""Asks a question, by a generator or None, in the place of the message of that id."""


@dataclass(frozen=True)
class Versions:
    """What stands beside the messages of somebody's chat."""

    chat: str
    person: Person
    ask: Ask
    draw: Callable[[Message, Receipt], str]
    """Renders an answer as HTML."""

    def of_question(self, question: str, message: int) -> None:
        """Let a question be edited, which is asked beside it, and its versions be gone through."""
        with st.container(horizontal=True, vertical_alignment="center", key=f"versions-{message}"):
            with st.popover(say("branches-edit"), icon=":material/edit:", type="tertiary", key=f"edit-{message}"):
                self._edit(question, message)
            self._through(say("branches-question"), message)

    def of_answer(self, question: str, message: int, generators: Sequence[str], *, last: bool) -> None:
        """Let the versions of an answer be gone through, and the last one be written anew by whoever is chosen."""
        if last:
            with st.popover(say("ask-again"), icon=":material/refresh:", type="tertiary", key=f"anew-{message}"):
                for name in generators:
                    label = say("ask-try-with", name=frame.writer_name(name))
                    st.button(label, key=f"anew-{message}-{name}", on_click=self.ask, args=(question, name, message))
        beside = self._through(say("branches-answer"), message)
        if len(beside) > 1:
            place = beside.index(message)
            pair = beside[place - 1 : place + 1] if place else beside[:2]
            if st.button(say("branches-side"), icon=":material/compare:", type="tertiary", key=f"side-{message}"):
                frame.dialog(say("branches-side"), "large")(self._compare)(pair)

    def _edit(self, question: str, message: int) -> None:
        key = f"edited-{message}"
        with st.form(f"edit-form-{message}", border=False):
            st.text_area(say("branches-edit"), question, max_chars=LONGEST_QUESTION, key=key)
            st.form_submit_button(say("assistants-ask"), type="primary", on_click=self._ask_edited, args=(message, key))

    def _ask_edited(self, message: int, key: str) -> None:
        if question := st.session_state.get(key, "").strip():
            self.ask(question, None, message)

    def _through(self, label: str, message: int) -> Sequence[int]:
        beside = frame.workspace().branches.of(self.chat, self.person.id).beside(message)
        key = f"version-{message}"
        if len(beside) > 1:
            st.segmented_control(
                label,
                range(len(beside)),
                default=beside.index(message),
                format_func=lambda place: str(place + 1),
                label_visibility="collapsed",
                key=key,
                on_change=self._show,
                args=(beside, key),
            )
        return beside

    def _compare(self, pair: Sequence[int]) -> None:
        """Show two answers beside each other, as far as they may still be read, and ask which is better."""
        workspace, person = frame.workspace(), self.person
        shown = messages_beside(workspace, self.chat, person.id, person.principals, pair)
        receipts = [one.receipt.id for one in shown if one.receipt and not one.withheld]
        chosen = workspace.preferred.better(receipts[0], receipts[1], person.id) if len(receipts) == 2 else None
        for place, (column, one) in enumerate(zip(st.columns(2, gap="large"), shown, strict=False)):
            with column:
                if one.withheld or one.receipt is None:
                    st.html(f'<div class="withheld">{say("ask-withheld-now")}</div>')
                    continue
                writer = f'<div class="quiet">{plain_html(frame.writer_name(one.receipt.model))}</div>'
                st.html(f"{writer}{self.draw(one.message, one.receipt)}")
                if len(receipts) == 2:
                    kind: Literal["primary", "secondary"] = "primary" if chosen == one.receipt.id else "secondary"
                    label, key = say("branches-better"), f"better-{one.message.id}"
                    two = (receipts[place], receipts[1 - place])
                    if st.button(label, icon=":material/check:", type=kind, key=key, on_click=self._prefer, args=two):
                        st.rerun()

    def _prefer(self, better: str, worse: str) -> None:
        frame.workspace().preferred.prefer(better, worse, self.person.id)
        st.session_state["notice"] = say("ask-thanks")

    def _show(self, beside: Sequence[int], key: str) -> None:
        place = st.session_state[key]
        if place is not None:
            frame.workspace().branches.show(self.chat, beside[place], self.person.id)
