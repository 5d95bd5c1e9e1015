"""A document's chunks as they were cut: where each is, and how long it is."""

from html import escape
from typing import Any

import streamlit as st

from app.documents.address import Address
from app.documents.history import turning_html
from app.rendering import excerpt
from app.texts import say, say_html
from rag_platform.core.hits import page_name
from rag_platform.index.releases.document_history import DocumentState

SHOWN = 25
"""At once."""
LONGEST = 700
"""Characters of one that are shown."""


def show_passages(found: DocumentState, address: Address) -> None:
    """Show a part of the list; a click shows a passage in the text."""
    doc_id = found.document.doc_id
    count = found.catalog.chunk_count(doc_id)
    if not count:
        st.html(f'<div class="empty">{say_html("document-passages-none")}</div>')
        return
    parts = -(-count // SHOWN)
    part = min(address.part, parts)
    chunks = found.catalog.chunks_of(doc_id, (part - 1) * SHOWN, SHOWN)
    st.html(f'<div class="quiet">{say_html("document-passages-told", count=count)}</div>')
    items = [passage_html(chunk, address, found) for chunk in chunks.iter_rows(named=True)]
    st.html(f'<ol class="passages">{"".join(items)}</ol>')
    if parts > 1:
        st.html(turning_html(address, part, parts))


def passage_html(chunk: dict[str, Any], address: Address, found: DocumentState) -> str:
    """Render a passage, with the way to its place."""
    number, span = chunk["ordinal"] + 1, (chunk["start"], chunk["end"])
    facts = [say("document-passage-tokens", count=chunk["tokens"])]
    page = page_name(chunk["page"], chunk.get("page_label"))
    facts += [say("document-page-mark", page=page)] if page else []
    facts += [say("document-passage-span", start=span[0], end=span[1])]
    place = {"tab": "text", "start": span[0], "end": span[1], "rev": found.document.revision, "page": None, "at": None}
    link = address.link(say("document-passage-show"), label=say("document-passage-show-n", number=number), **place)
    text = excerpt(chunk["text"])
    cut = escape(text[:LONGEST]) + ("…" if len(text) > LONGEST else "")
    section = escape(chunk["section"] or say("document-passage-no-section"))
    return (
        f'<li value="{number}"><div class="name">{section}</div>'
        f'<div class="quiet">{escape(" · ".join(facts))}</div><p>{cut}</p>{link}</li>'
    )
