"""Search: results while one types. The whole search is in the address, so that it can be sent to a colleague."""

from datetime import UTC, datetime

import streamlit as st

from app import frame
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


def search(asked: SearchParams, person: Person, mode: Mode) -> SearchResult:
    """Search for one page of results, and one hit more if there are others."""
    return frame.workspace().retriever.search(
        asked.question,
        k=asked.page * PAGE + 1,
        mode=mode,
        order=asked.order,
        filters=asked.filters(person.principals),
        trace=True,
    )


def choices(asked: SearchParams, person: Person, result: SearchResult | None, now: datetime) -> Facets:
    """Count what each filter would leave of what was found, or of all where nothing was asked."""
    return frame.workspace().retriever.facets(
        asked.filters(person.principals),
        asked.question,
        mode=quick(asked),
        known=result,
        moments=midnights(now.date()),
        now=now,
    )


def quick(asked: SearchParams) -> Mode:
    """Return the mode that does not rerank."""
    return FIRST_STAGE if asked.mode == RERANKED else asked.mode


def welcome_html(found: Facets) -> str:
    """Render what can be searched, and how."""
    source = next(iter(found.counts["source"]), "wiki")
    syntax = f"<h2>{say_html('search-syntax-title')}</h2>{say_html('search-syntax', source=source)}"
    keys = f'<p class="quiet keys">{say_html("search-keys")}</p>'
    return f'<div class="welcome">{say_html("search-welcome", documents=found.documents)}{syntax}{keys}</div>'


def answer(asked: SearchParams, person: Person, *, typing: bool) -> None:
    """Show what is found: at once in the first stage's order, then, unless one still types, reranked.

    All of it is one piece of HTML, so that it changes at once. The filters' counts are those of the first stage.
    """
    now = datetime.now(UTC)
    if not asked.question:
        found = choices(asked, person, None, now)
        st.html(page_html(asked, found, welcome_html(found), now))
        return
    frame.workspace().rates.take("searches", person.id)
    reranks = asked.mode == RERANKED and asked.order == "relevance"
    note = say_html("search-quick" if typing else "search-looking") if reranks else ""
    result = search(asked, person, quick(asked))
    found = choices(asked, person, result, now)
    place = st.html(page_html(asked, found, results_html(asked, result, found, note, now), now))
    if reranks and not typing and result.hits:
        with frame.workspace().rerank_semaphore.acquire() as mine:
            result = search(asked, person, RERANKED) if mine else result
        note = "" if mine else say_html("search-busy")
        place.html(page_html(asked, found, results_html(asked, result, found, note, now), now))  # instead of the first


def page_html(asked: SearchParams, found: Facets, body: str, now: datetime) -> str:
    """Render the filters, and beside them the body."""
    filters = facets_html(asked, found, now.date())
    return f'<div class="search"><aside>{filters}</aside><div class="found">{body}</div></div>'


def results_html(asked: SearchParams, result: SearchResult, found: Facets, note: str, now: datetime) -> str:
    """Render what was found, or what to try where nothing was."""
    listed = Results(asked, now)
    return listed.html(result, found.documents, note) if result.hits else listed.nothing(result, dict(found.without))


def show_why_not(asked: SearchParams, person: Person) -> None:
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
        asked = SearchParams.of(st.query_params, question, frame.workspace().settings.retrieval.mode)
        answer(asked, person, typing=typing)
        if asked.question:
            with st.container(key="why-not"):
                show_why_not(asked, person)


note = frame.version_note()
show_search()
st.html(note)
