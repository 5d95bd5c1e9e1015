"""Search: results while one types. The whole search is in the address, so that it can be sent to a colleague."""

from datetime import UTC, datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app import frame
from app.facets import facets_html, midnights
from app.reasons import why_html
from app.results import Results
from app.searching import PAGE, Asked
from app.texts import say, say_html
from rag_platform.people import Person
from rag_platform.records import SearchResult
from rag_platform.settings import Mode
from rag_platform.why import why

PAUSE = "150ms"
"""After the last key, before what stands in the box is searched for."""
CLOSER, QUICK = "rerank", "hybrid"


def typed() -> None:
    """Remember that the question was changed by a key, and begin its results at the first page."""
    st.session_state.typing = True
    st.query_params.pop("page", None)


def box() -> tuple[str, bool]:
    """Show the box; returns what stands in it, and whether it is still being typed."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="search-box"):
        question = st.text_input(
            say("search-box"),
            key="q",
            type="search",
            placeholder=say("search-box"),
            label_visibility="collapsed",
            icon=":material/search:",
            max_chars=2000,
            bind="query-params",
            live=PAUSE,
            on_change=typed,
        )
        entered = st.button(say("search-go"), key="go", type="primary")
    typing = st.session_state.pop("typing", False)
    return question, typing and not entered


def search(asked: Asked, person: Person, mode: Mode) -> SearchResult:
    """Search for one page of results, and one hit more if there are others."""
    return frame.workspace().retriever.search(
        asked.question,
        k=asked.page * PAGE + 1,
        mode=mode,
        order=asked.order,
        filters=asked.filters(person.principals),
        trace=True,
    )


def show(asked: Asked, result: SearchResult, person: Person, place: DeltaGenerator, note: str) -> None:
    """Show the filters and what was found, in one piece."""
    now = datetime.now(UTC)
    found = frame.workspace().retriever.facets(
        asked.filters(person.principals),
        asked.question,
        mode=QUICK if asked.mode == CLOSER else asked.mode,
        known=result if asked.question else None,
        moments=midnights(now.date()),
        now=now,
    )
    listed = Results(asked, now)
    if not asked.question:
        body = welcome_html(found.documents, next(iter(found.counts.get("source", {})), "wiki"))
    elif result.hits:
        body = listed.html(result, found.documents, note)
    else:
        body = listed.nothing(result, dict(found.without))
    filters = facets_html(asked, found, now.date())
    place.html(f'<div class="search"><aside>{filters}</aside><div class="found">{body}</div></div>')


def welcome_html(documents: int, source: str) -> str:
    """Render what can be searched, and how."""
    syntax = f"<h2>{say_html('search-syntax-title')}</h2>{say_html('search-syntax', source=source)}"
    keys = f'<p class="quiet keys">{say_html("search-keys")}</p>'
    return f'<div class="welcome">{say_html("search-welcome", documents=documents)}{syntax}{keys}</div>'


def answer(asked: Asked, person: Person, *, typing: bool) -> None:
    """Show what is found: at once in the first stage's order, then, unless one still types, after a closer look."""
    place = st.empty()
    closer = asked.mode == CLOSER and asked.order == "relevance" and bool(asked.question)
    quick = QUICK if asked.mode == CLOSER else asked.mode
    note = say_html("search-quick" if typing else "search-looking") if closer else ""
    if asked.question:
        frame.workspace().rates.take("searches", person.id)
    show(asked, search(asked, person, quick), person, place, note)
    if closer and not typing:
        show(asked, search(asked, person, CLOSER), person, place, "")


def show_why_not(asked: Asked, person: Person) -> None:
    """Tell of any document where it ended in this search."""
    with st.expander(say("search-why-not"), icon=":material/help:", expanded="why" in st.query_params):
        name = st.text_input(
            say("search-why-not-name"),
            key="why",
            placeholder=say("search-why-not-box"),
            label_visibility="collapsed",
            max_chars=2000,
            bind="query-params",
        )
        if name.strip():
            filters = asked.filters(person.principals)
            told = why(
                frame.workspace(), asked.question, name.strip(), k=asked.page * PAGE, mode=asked.mode, filters=filters
            )
            st.html(why_html(told))


@st.fragment
def show_search() -> None:
    """Show all of the view: typing runs this alone again, and nothing around it."""
    with frame.friendly():
        person = frame.person()
        question, typing = box()
        asked = Asked.of(st.query_params, question, frame.workspace().settings.retrieval.mode)
        answer(asked, person, typing=typing)
        if asked.question:
            show_why_not(asked, person)


note = frame.version_note()
show_search()
st.html(note)
