"""What waits for somebody's eyes: documents that are held, with why and a passage, and those that were flagged."""

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from app import frame
from app.rendering import Html, age
from app.texts import say, say_html
from rag_platform.core.errors import RagError
from rag_platform.people.identity import Person
from rag_platform.pipeline.review import Reviewed, accept, flagged_documents, held_documents, reject

_MOST = 50
"""Documents of each list that are shown."""


def show_review(person: Person) -> None:
    """Show what is held, each with what can be done about it, then what was flagged."""
    held = held_documents(frame.workspace(), person.principals)
    st.html(f'<h3 class="part">{say_html("operate-held")}</h3><p class="quiet">{say_html("operate-held-mean")}</p>')
    for one in held[:_MOST]:
        _show_held(one, person)
    _note_rest(len(held), "operate-none-held")
    waiting = {one.doc_id for one in held}
    found = flagged_documents(frame.workspace(), person.principals)
    flagged = [one for one in found if one.doc_id not in waiting]
    st.html(
        f'<h3 class="part">{say_html("operate-flagged")}</h3><p class="quiet">{say_html("operate-flagged-mean")}</p>'
    )
    for one in flagged[:_MOST]:
        with st.container(border=True, key=f"flagged-{one.doc_id}", gap="small"):
            st.html(_document_html(one))
    _note_rest(len(flagged), "operate-none-flagged")


def _show_held(one: Reviewed, person: Person) -> None:
    with st.container(border=True, key=f"held-{one.doc_id}", gap="small"):
        st.html(_document_html(one))
        with st.container(horizontal=True):
            for name, decide, icon in (("accept", accept, "check"), ("reject", reject, "block")):
                st.button(
                    say(f"operate-{name}"),
                    key=f"{name}-{one.doc_id}",
                    icon=f":material/{icon}:",
                    help=say(f"operate-{name}-help"),
                    on_click=_decide,
                    args=(decide, one.doc_id, person, say(f"operate-{name}ed", title=one.title or one.uri)),
                )


def _decide(decide: Callable[..., int], doc_id: str, person: Person, done: str) -> None:
    try:
        decide(frame.workspace(), [doc_id], who=person.id)
        st.session_state["notice"] = done
    except RagError as error:
        st.session_state["notice"] = str(error)


def _document_html(one: Reviewed) -> Html:
    since = [say("operate-held-since", when=age(one.since, datetime.now(UTC)))] if one.since else []
    facts = " · ".join(filter(None, [one.source, one.uri, *since]))
    return _DOCUMENT.format(one.title or one.uri or one.doc_id, facts, one.why, one.passage)


def _note_rest(count: int, none: str) -> None:
    if not count or count > _MOST:
        text = say_html("operate-more", count=count - _MOST) if count else say_html(none)
        st.html(f'<p class="quiet">{text}</p>')


_DOCUMENT = Html(
    '<div class="source"><h3>{}</h3><div class="facts">{}</div><ul class="evidence"><li>{}</li></ul>'
    '<blockquote dir="auto">{}</blockquote></div>'
)
