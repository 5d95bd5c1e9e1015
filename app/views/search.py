"""Search: hits with their scores. Question, mode and filters are in the address, so that a search can be shared."""

from datetime import UTC, datetime, time, timedelta
from html import escape
from typing import get_args

import streamlit as st

from app import frame
from app.reasons import rank_html, why_html
from app.rendering import also_html, excerpt, marked, notes_html, place, source_html, tags_html
from rag_platform.records import Filters, Hit
from rag_platform.retrieval.queries import in_words
from rag_platform.settings import Mode
from rag_platform.snippets import matches
from rag_platform.why import why

PAGE = 10
SHOWN_TAGS = 6
MODE_NAMES = {"rerank": "Best", "hybrid": "Hybrid", "lexical": "Words", "vector": "Meaning"}
CHOICES = {
    "collection": "Collection",
    "source": "Source",
    "language": "Language",
    "type": "Type",
    "tag": "Tags, all of them",
}


def asked_mode() -> Mode:
    """Return the mode that the address names, else the configured one."""
    named = st.query_params.get("mode")
    return named if named in MODE_NAMES else frame.workspace().settings.retrieval.mode


def choose_filters() -> Filters:
    """Let the user narrow the search; every choice shows how many documents it has."""
    facets = frame.workspace().retriever.live().facets(frame.person().principals)
    chosen = {}
    with st.expander("Filters", icon=":material/tune:"):
        for column, (facet, label) in zip([*st.columns(2) * 2, st], CHOICES.items(), strict=True):
            counts = facets.get(facet, {})
            chosen[facet] = []
            if facet == "tag" and not counts:
                continue
            chosen[facet] = column.multiselect(
                label,
                list(counts),
                format_func=lambda value, counts=counts: f"{value} ({counts.get(value, 0):,})",
                default=[value for value in st.query_params.get_all(facet) if value in counts],
                key=facet,
            )
            st.query_params[facet] = chosen[facet]  # the widget's own binding would write the label, count and all
        since, until = st.columns(2)
        first = since.date_input("Published from", None, key="since", bind="query-params")
        last = until.date_input("Published until", None, key="until", bind="query-params")
    return Filters(
        collections=tuple(chosen["collection"]),
        sources=tuple(chosen["source"]),
        languages=tuple(chosen["language"]),
        types=tuple(chosen["type"]),
        tags=tuple(chosen["tag"]),
        since=first and datetime.combine(first, time(), UTC),
        until=last and datetime.combine(last, time(), UTC) + timedelta(days=1),
        principals=frame.person().principals,
    )


def show_hit(hit: Hit, question: str, entry: dict) -> None:
    """Show a hit as a card that leads to its passage; `entry` explains its rank."""
    with st.container(border=True, gap="small", key=f"hit-{hit.chunk_id}"):
        section = hit.section if hit.section != hit.title else ""
        facts = [fact for fact in (section, hit.source, hit.type) if fact]
        shown = excerpt(hit.snippet)
        quote = marked(shown, matches(shown, question))
        st.html(source_html(hit, quote, datetime.now(UTC), n=hit.rank, facts=facts))
        if hit.duplicates or hit.tags:
            st.html(tags_html(hit.tags[:SHOWN_TAGS]) + also_html(hit))
        if hit.instructs:
            st.html(notes_html(["This document tries to instruct its reader."]))
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.page_link(
                "views/document.py",
                label="Open at this passage",
                icon=":material/arrow_forward:",
                icon_position="right",
                query_params=place(hit.doc_id, hit.span, hit.revision),
            )
            with st.popover("Why this rank", type="tertiary"):
                st.html(rank_html(hit, entry))


def show_results(question: str, mode: Mode, filters: Filters) -> None:
    """Search, and show as many hits as were asked for."""
    shown = st.session_state.setdefault("shown", {}).get(question, PAGE)
    result = frame.workspace().retriever.search(question, k=shown + 1, mode=mode, filters=filters, explain=True)
    if result.warnings:
        st.html(notes_html(result.warnings))
    if result.understood:
        told = " · ".join([result.understood["text"], *in_words(result.understood)])
        st.html(f'<div class="quiet">Understood as: {escape(told)}</div>')
    if not result.hits:
        heading = "Nothing relevant found" if result.nothing_relevant else "Nothing found"
        st.html(f'<div class="empty"><h3>{heading}</h3>Try other words, or fewer filters.</div>')
    elif result.nothing_relevant:
        st.html(notes_html(["Nothing here seems to answer this. The nearest passages:"]))
    entries = {entry["chunk_id"]: entry for entry in result.explanation or ()}
    for hit in result.hits[:shown]:
        show_hit(hit, question, entries[hit.chunk_id])
    if len(result.hits) > shown and st.button("Show more", icon=":material/expand_more:", width="stretch"):
        st.session_state.shown[question] = shown + PAGE
        st.rerun()
    show_why(question, mode, filters, shown)
    st.html(f'<div class="quiet">{escape(MODE_NAMES[mode])} · {result.took_ms["total"]:.0f} ms</div>')


def show_why(question: str, mode: Mode, filters: Filters, k: int) -> None:
    """Tell of any document where it ended in this search."""
    with st.expander("Why not this document?", icon=":material/help:", expanded="why" in st.query_params):
        name = st.text_input(
            "Document",
            key="why",
            placeholder="Its address, or the end of one",
            label_visibility="collapsed",
            max_chars=2000,
            bind="query-params",
        )
        if name.strip():
            with frame.friendly():
                told = why(frame.workspace(), question, name.strip(), k=k, mode=mode, filters=filters)
                st.html(why_html(told))


note = frame.version_note()
asked = st.text_input(
    "Search",
    key="q",
    type="search",
    placeholder="Search your documents",
    label_visibility="collapsed",
    icon=":material/search:",
    max_chars=2000,
    bind="query-params",
)
how = st.segmented_control(
    "Mode",
    get_args(Mode)[::-1],
    default=asked_mode(),
    required=True,
    format_func=MODE_NAMES.__getitem__,
    key="mode",
    label_visibility="collapsed",
)
st.query_params["mode"] = how
wanted = choose_filters()
if asked.strip():
    show_results(asked.strip(), how, wanted)
st.html(note)
