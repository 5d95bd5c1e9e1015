"""The way to watch an answer or a search, and back."""

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from app import frame
from app.changes.since import answer_since_html
from app.texts import say
from rag_platform.core.errors import SettingsError
from rag_platform.core.hits import Filters
from rag_platform.journal.receipts import Receipt
from rag_platform.operations.watching.looking import look_first, options_of
from rag_platform.operations.watching.since import answer_since
from rag_platform.operations.watching.watching import watch_answer
from rag_platform.people.identity import Person


def may_watch(person: Person) -> bool:
    """Return whether somebody can come back to what they watch: a visitor is nobody once the tab is closed."""
    return not person.id.startswith("visitor:")


def offer_answer(receipt: Receipt, message: int, person: Person) -> None:
    """Let somebody watch an answer of theirs, in a message of that id."""
    if may_watch(person) and receipt.queries:
        st.button(
            say("watches-watch"),
            icon=":material/notifications:",
            type="tertiary",
            key=f"watch-{message}",
            help=say("watches-watch-help"),
            on_click=_watch_answer,
            args=(receipt, person),
        )


def offer_since(receipt: Receipt, message: int) -> None:
    """Let somebody ask whether an answer, in a message of that id, is still what the documents say."""
    if st.button(
        say("watches-since"),
        icon=":material/update:",
        type="tertiary",
        key=f"since-{message}",
        help=say("watches-since-help"),
    ):
        frame.dialog(say("watches-since-title"), "medium")(_show_since)(receipt)


def _show_since(receipt: Receipt) -> None:
    found = answer_since(frame.workspace().versions, receipt, frame.person().principals)
    st.html(answer_since_html(found))


def offer_search(question: str, filters: Filters, person: Person, **options: str) -> None:
    """Let somebody watch what a search finds."""
    if may_watch(person):
        st.button(
            say("watches-watch-search"),
            icon=":material/notifications:",
            type="tertiary",
            key="watch-search",
            help=say("watches-watch-search-help"),
            on_click=_watch_search,
            args=(question, options_of(filters, **options), person),
        )


def _watch_answer(receipt: Receipt, person: Person) -> None:
    _begin(lambda: watch_answer(frame.workspace(), person.id, receipt, principals=person.principals))


def _watch_search(question: str, options: dict[str, str], person: Person) -> None:
    def begin() -> None:
        now, workspace = datetime.now(UTC), frame.workspace()
        watch_id = workspace.watches.begin(
            person.id, question, now, kind="search", options=options, principals=person.principals
        )
        look_first(workspace, watch_id)

    _begin(begin)


def _begin(begin: Callable[[], object]) -> None:
    try:
        begin()
    except SettingsError:  # there are as many as one may have
        st.toast(say("watches-too-many"), icon=":material/notifications_off:")
    else:
        st.toast(say("watches-begun"), icon=":material/notifications_active:")
