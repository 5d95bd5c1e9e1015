"""Questions that one could ask, as buttons: chosen before, or looked for in the background, so that nobody waits."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import streamlit as st

from app import frame
from app.chat.pending import ask_again
from app.rendering import plain_label
from app.texts import say
from rag_platform.journal.receipts import Receipt
from rag_platform.people.identity import Person
from rag_platform.workspace import Workspace

POLL_SECONDS = 0.4
"""Between two checks whether they were found."""
_WORKER = ThreadPoolExecutor(1, thread_name_prefix="suggestions")
"""One for all visitors: it must not take the machine from those who wait for an answer."""


def show_examples(person: Person, live: str) -> None:
    """Offer questions to begin with."""
    found = frame.workspace().suggestions.kept_examples(person.principals)
    found = found or _found(_examples(live, person.principals, frame.reading_of(person)))
    with st.container(key="examples"):
        if found:
            st.html(f'<div class="quiet">{say("ask-examples")}</div>')
        _buttons(found, "example", ":material/north_east:")


def show_starters(questions: Sequence[str]) -> None:
    """Offer an assistant's questions to begin with."""
    with st.container(key="examples"):
        _buttons(questions, "starter", ":material/north_east:")


def show_next(last: Receipt, person: Person, live: str) -> None:
    """Offer what could be asked after an answer."""
    found = _found(_next(last.id, live, person.principals, frame.reading_of(person)))
    with st.container(key="next"):
        if found:
            st.html(f'<div class="quiet">{say("ask-next")}</div>')
        _buttons(found, "next", ":material/reply:")


def _buttons(questions: Sequence[str], key: str, icon: str) -> None:
    for number, question in enumerate(questions):
        st.button(
            plain_label(question),
            key=f"{key}-{number}",
            on_click=ask_again,
            args=(question,),
            type="tertiary",
            icon=icon,
        )


@st.cache_resource(max_entries=500, show_spinner=False)
def _examples(version: str, principals: tuple[str, ...], reading: int) -> Future[list[str]]:
    """Look for examples of a version, which is all that they depend on beside who reads, and what they may read."""
    del version, reading
    return _WORKER.submit(frame.workspace().suggestions.examples, principals)


@st.cache_resource(max_entries=2000, show_spinner=False)
def _next(receipt_id: str, version: str, principals: tuple[str, ...], reading: int) -> Future[list[str]]:
    del version, reading
    return _WORKER.submit(_suggest_next, frame.workspace(), receipt_id, principals)


def _suggest_next(workspace: Workspace, receipt_id: str, principals: tuple[str, ...]) -> list[str]:
    receipt = workspace.journal.receipt(receipt_id)
    return workspace.suggestions.after(receipt, principals) if receipt else []


def _found(search: Future[list[str]]) -> list[str]:
    """Return what was found; while the search runs, nothing, and the view runs again when that ends."""
    if not search.done():
        _wait(search)
        return []
    return [] if search.exception() else search.result()


@st.fragment(run_every=POLL_SECONDS)
def _wait(search: Future[list[str]]) -> None:
    if search.done():
        frame.refresh()
