"""The versions of a question and of an answer: edited, written anew, and gone through."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from app import frame
from app.texts import say
from rag_platform.answering.generators.extractive import Extractive
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
                    label = say("ask-try-with", name=say("ask-quotes-alone") if name == Extractive.name else name)
                    st.button(label, key=f"anew-{message}-{name}", on_click=self.ask, args=(question, name, message))
        self._through(say("branches-answer"), message)

    def _edit(self, question: str, message: int) -> None:
        key = f"edited-{message}"
        with st.form(f"edit-form-{message}", border=False):
            st.text_area(say("branches-edit"), question, max_chars=LONGEST_QUESTION, key=key)
            st.form_submit_button(say("assistants-ask"), type="primary", on_click=self._ask_edited, args=(message, key))

    def _ask_edited(self, message: int, key: str) -> None:
        if question := st.session_state.get(key, "").strip():
            self.ask(question, None, message)

    def _through(self, label: str, message: int) -> None:
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

    def _show(self, beside: Sequence[int], key: str) -> None:
        place = st.session_state[key]
        if place is not None:
            frame.workspace().branches.show(self.chat, beside[place], self.person.id)
