"""Document: the stored text, with a cited span highlighted. Everything is in the address, so that it can be shared."""

from datetime import UTC, datetime
from html import escape

import streamlit as st

from app import frame
from app.rendering import age, document_html, plain_label, tags_html
from rag_platform.documents.cleaning import clean_line
from rag_platform.documents.instructions import INSTRUCTS
from rag_platform.index.catalog import StoredDocument
from rag_platform.kept import last_kept

PART = 150_000  # characters shown at once: more makes a browser slow

SCROLL = '<script>document.getElementById("cited")?.scrollIntoView({block: "center"})</script>'


def asked_span(document: StoredDocument) -> tuple[int, int] | None:
    """Return the span that the address names, when it lies in the text."""
    try:
        start, end = int(st.query_params["start"]), int(st.query_params["end"])
    except (KeyError, ValueError):
        return None
    return (start, end) if 0 <= start < end <= len(document.text) else None


def facts_html(document: StoredDocument) -> str:
    """Render what is known about a document."""
    facts = [document.author, document.collection, document.source, document.language, document.type]
    told = [escape(fact) for fact in facts if fact and fact != "und"]
    told += [f"of {escape(document.owner)}"] if document.owner else []
    now = datetime.now(UTC)
    for name, moment in (
        ("published", document.published_at),
        ("updated", document.updated_at),
        ("read", document.fetched_at),
    ):
        if moment:
            told.append(f"{name} {moment:%-d %B %Y} ({age(moment, now)})")
    address = escape(clean_line(document.uri))
    return f'<div class="quiet">{" · ".join(told)}<br><code>{address}</code></div>{tags_html(document.tags)}'


def show_text(document: StoredDocument, span: tuple[int, int] | None) -> None:
    """Show the text; of a very long one, the part that holds the span."""
    part = 0
    parts = -(-len(document.text) // PART)
    if parts > 1:
        first = span[0] // PART + 1 if span else 1
        part = st.pagination(parts, default=first, key=f"part-{document.doc_id}-{first}") - 1
    offset = part * PART
    text = document.text[offset : offset + PART]
    st.html(f'<div class="document">{document_html(text, span, document.pages, offset)}</div>')
    if span:
        st.html(SCROLL, unsafe_allow_javascript=True)  # our own words alone


def show(document: StoredDocument) -> None:
    """Show a document."""
    span = asked_span(document)
    st.html(f'<h2 class="title">{escape(document.title or document.uri)}</h2>')
    st.html(facts_html(document))
    for flag in (flag for flag in document.flags if flag.startswith(INSTRUCTS)):
        st.warning(f"This document {plain_label(flag)}", icon=":material/gpp_maybe:")
    if others := [flag for flag in document.flags if not flag.startswith(INSTRUCTS)]:
        st.html(f'<div class="quiet">Noted when it was read: {escape("; ".join(others))}</div>')
    if document.uri.startswith(("http://", "https://")):
        st.link_button("Original", document.uri, icon=":material/open_in_new:", type="tertiary")
    if st.query_params.get("rev", document.revision) != document.revision:
        st.warning(
            "This document has changed since it was cited; the passage may have moved.", icon=":material/history:"
        )
    elif "start" in st.query_params and span is None:
        st.warning("The address names a passage that is not in this text.", icon=":material/link_off:")
    show_text(document, span)


note = frame.version_note()
doc_id = st.query_params.get("doc", "")
found = frame.workspace().retriever.live().document(doc_id, frame.person().principals) if doc_id else None
kept = last_kept(frame.workspace().versions, doc_id, frame.person().principals) if doc_id and not found else None
if found:
    show(found)
elif kept:
    st.warning(f"This document has been removed; this is its text in version {kept[1]}.", icon=":material/history:")
    show(kept[0])
else:
    st.html(
        '<div class="empty"><h3>This document is not here</h3>It may have been removed since it was cited, or you may'
        " not read it.</div>"
    )
    st.page_link("views/search.py", label="Search", icon=":material/search:")
st.html(note)
