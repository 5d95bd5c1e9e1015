"""Search: results while one types. The whole search is in the address, so that it can be sent to a colleague."""

from datetime import UTC, datetime

import streamlit as st

from app import frame
from app.changes.watch_buttons import offer_search
from app.searching.facets import facets_html, midnights
from app.searching.params import PAGE, SearchParams
from app.searching.reasons import why_html
from app.searching.results import Results
from app.texts import say, say_html
from rag_platform.config.settings import Mode
from rag_platform.people.identity import Person
from rag_platform.provenance.why import why
from rag_platform.retrieval.facets import Facets
from rag_platform.retrieval.results import SearchResult

PAUSE = "150ms"
"""After the last key, before the box's text is searched for."""
RERANKED: Mode = "rerank"
FIRST_STAGE: Mode = "hybrid"


def typed() -> None:
    """Remember that the question was changed by a key, and begin its results at the first page."""
    st.session_state.typing = True
    st.query_params.pop("page", None)


def box() -> tuple[str, bool]:
    """Show the box; returns its text, and whether it is still being typed."""
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


def search(query: SearchParams, person: Person, mode: Mode) -> SearchResult:
    """Search for one page of results, and one hit more if there are others."""
    return frame.workspace().retriever.search(
        query.question,
        k=query.page * PAGE + 1,
        mode=mode,
        order=query.order,
        filters=query.filters(person.principals),
        trace=True,
        who=frame.named(person),
    )


def choices(query: SearchParams, person: Person, result: SearchResult | None, mode: Mode, now: datetime) -> Facets:
    """Count what each filter would leave of what was found, in a mode, or of all where there is no question."""
    return frame.workspace().retriever.facets(
        query.filters(person.principals),
        query.question,
        mode=mode,
        order=query.order,
        known=result,
        moments=midnights(now.date()),
        now=now,
    )


def quick(query: SearchParams) -> Mode:
    """Return the mode that does not rerank."""
    return FIRST_STAGE if query.mode == RERANKED else query.mode


def welcome_html(found: Facets) -> str:
    """Render what can be searched, and how."""
    source = next(iter(found.counts["source"]), "wiki")
    syntax = f"<h2>{say_html('search-syntax-title')}</h2>{say_html('search-syntax', source=source)}"
    keys = f'<p class="quiet keys">{say_html("search-keys")}</p>'
    return f'<div class="welcome">{say_html("search-welcome", documents=found.documents)}{syntax}{keys}</div>'


def answer(query: SearchParams, person: Person, *, typing: bool) -> None:
    """Show what is found: in its final order where a rerank takes milliseconds.

    Elsewhere at once in the first stage's order, whose counts the filters keep, then, unless one still types, reranked.
    All of it is one piece of HTML, so that it changes at once.
    """
    now = datetime.now(UTC)
    if not query.question:
        found = choices(query, person, None, FIRST_STAGE, now)
        st.html(page_html(query, found, welcome_html(found), now))
        return
    frame.workspace().rates.take("searches", person.id)
    reranks = query.mode == RERANKED and query.order == "relevance"
    at_once = reranks and frame.workspace().retriever.reranks_at_once()
    note = say_html("search-quick" if typing else "search-looking") if reranks and not at_once else ""
    mode = query.mode if at_once else quick(query)
    result = search(query, person, mode)
    found = choices(query, person, result, mode, now)
    place = st.html(page_html(query, found, results_html(query, result, found, note, now), now))
    if reranks and not (at_once or typing) and result.hits:
        with frame.workspace().rerank_semaphore.acquire() as mine:
            result = search(query, person, RERANKED) if mine else result
        note = "" if mine else say_html("search-busy")
        place.html(page_html(query, found, results_html(query, result, found, note, now), now))  # instead of the first


def page_html(query: SearchParams, found: Facets, body: str, now: datetime) -> str:
    """Render the filters, and beside them the body."""
    archives = bool(frame.workspace().settings.max_ages)
    filters = facets_html(query, found, now.date(), archives=archives)
    return f'<div class="search"><aside>{filters}</aside><div class="found">{body}</div></div>'


def results_html(query: SearchParams, result: SearchResult, found: Facets, note: str, now: datetime) -> str:
    """Render what was found, or what to try where nothing was."""
    listed = Results(query, now)
    return listed.html(result, found.documents, note) if result.hits else listed.nothing(result, dict(found.without))


def show_why_not(query: SearchParams, person: Person) -> None:
    """Explain of any document at which stage this search dropped it."""
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
            filters = query.filters(person.principals)
            outcome = why(
                frame.workspace(), query.question, name.strip(), k=query.page * PAGE, mode=query.mode, filters=filters
            )
            st.html(why_html(outcome))


@st.fragment
def show_search() -> None:
    """Show all of the view: typing runs this alone again, and nothing around it."""
    with frame.friendly():
        person = frame.person()
        question, typing = box()
        settings = frame.workspace().settings.retrieval
        query = SearchParams.of(st.query_params, question, settings.mode, settings.match)
        answer(query, person, typing=typing)
        if query.question:
            offer_search(query.question, query.filters(()), person, mode=query.mode, order=query.order)
            with st.container(key="why-not"):
                show_why_not(query, person)


note = frame.version_note()
show_search()
st.html(note)
