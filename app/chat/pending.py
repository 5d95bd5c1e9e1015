"""Questions on their way: those that a button asks, held until the next run of the view."""

from dataclasses import dataclass

import streamlit as st


@dataclass(frozen=True)
class PendingQuestion:
    """What is to be answered."""

    question: str
    generator: str | None = None
    """Who writes the answer; None: whoever is chosen."""
    instead: int | None = None
    """The message in whose place it stands: a question, or an answer that is written anew; None: it comes last."""


def ask_again(question: str, generator: str | None = None, instead: int | None = None) -> None:
    """Ask in the next run."""
    st.session_state["pending-question"] = PendingQuestion(question, generator, instead)


def take_pending(typed: str | None) -> PendingQuestion | None:
    """Return what is asked in this run: what was typed, else what a button asks."""
    waiting = st.session_state.pop("pending-question", None)
    return PendingQuestion(typed) if typed else waiting
