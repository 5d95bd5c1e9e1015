"""The stored text, a part of it at a time, its contents beside it, a cited span highlighted and scrolled to."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from html import escape

import streamlit as st

from app.documents.address import Address
from app.texts import say
from rag_platform.index.catalog.catalog import StoredDocument
from rag_platform.provenance.originals import page_at
from rag_platform.text.outline import Heading, outline

PART = 100_000
"""Characters shown at once: more makes a browser slow."""
_HEADING = re.compile(r"^( {0,3}(#{1,6}) +)(.*)$", re.MULTILINE)
_SCROLL = """<script>/* {place} */
setTimeout(() => (document.getElementById("here") ?? document.getElementById("cited"))
  ?.scrollIntoView({{block: document.getElementById("here") ? "start" : "center"}}), 60)
</script>"""


def part_of(text: str, offset: int) -> tuple[int, int]:
    """Return the part of a text that holds a place: it begins and ends with a line wherever it can."""

    def edge(near: int) -> int:
        return len(text) if near >= len(text) else text.rfind("\n", max(0, near - PART // 4), near) + 1 or near

    number = min(offset, max(0, len(text) - 1)) // PART
    start, end = edge(number * PART), edge((number + 1) * PART)
    if offset >= end:  # behind the last line of it
        start, end = end, edge((number + 2) * PART)
    return start, end


def document_html(
    text: str,
    span: tuple[int, int] | None,
    pages: Sequence[int] = (),
    offset: int = 0,
    here: int | None = None,
) -> str:
    """Render a part of a document's stored text as it is, the span highlighted, page breaks and headings shown.

    Args:
        text: the part.
        span: what to highlight, in characters of the whole document.
        pages: where pages begin, in characters of the whole document.
        offset: where the part begins.
        here: a place of the whole document that is to be scrolled to.
    """
    first, last = bisect_right(pages, offset - 1), bisect_right(pages, offset + len(text))
    opens = {
        pages[n] - offset: f'<span class="page">{escape(say("document-page-mark", page=n + 1))}</span>'
        for n in range(first, last)
    }
    heads = {}
    for found in _HEADING.finditer(text):
        heads[found.start()] = (found.end(1), f'class="hashes" id="s-{found.start() + offset}"')
        heads[found.end(1)] = (found.end(), f'class="heading level-{len(found[2])}"')
    start, end = (span[0] - offset, span[1] - offset) if span else (-1, -1)
    place = -1 if here is None else here - offset
    edges = sorted({0, len(text), start, end, place, *opens, *heads, *(edge for edge, _ in heads.values())})
    edges = [edge for edge in edges if 0 <= edge <= len(text)]
    parts, first_mark, within, look = [], ' id="cited"', 0, ""
    for left, right in zip(edges, [*edges[1:], len(text)], strict=True):
        parts.append('<span id="here"></span>' if left == place else "")
        parts.append(opens.get(left, ""))
        piece = escape(text[left:right])
        within, look = heads.get(left, (within, look))
        if piece and left < within:
            piece, look = f"<span {look}>{piece}</span>", look.partition(" id=")[0]
        if piece and start <= left < end:
            piece, first_mark = f"<mark{first_mark}>{piece}</mark>", ""
        parts.append(piece)
    return "".join(parts)


def contents_html(headings: Sequence[Heading], left_out: int, document: StoredDocument, address: Address) -> str:
    """Render a table of contents; each entry leads to its place, in a document with pages to its page too."""
    entries = []
    for heading in headings:
        page = page_at(document.pages, heading.start) if document.pages else None
        to = "" if document.pages else f"s-{heading.start}"
        link = address.link(heading.title, to=to, tab="text", at=heading.start, page=page)
        entries.append(f'<li style="--level: {min(heading.level, 4) - 1}">{link}</li>')
    more = f'<div class="quiet">{escape(say("document-contents-more", count=left_out))}</div>' if left_out else ""
    return f"<ul>{''.join(entries)}</ul>{more}"


def show_contents(document: StoredDocument, address: Address) -> None:
    """Show the contents: beside the text where there is room, else collapsed above it."""
    headings, left_out = contents_of(document.text, document.doc_id, document.revision)
    if len(headings) > 1:
        listed, named = contents_html(headings, left_out, document, address), escape(say("document-contents"))
        beside = f'<nav class="contents wide-only" aria-label="{named}"><h2>{named}</h2>{listed}</nav>'
        st.html(f'{beside}<details class="contents narrow-only"><summary>{named}</summary>{listed}</details>')


@st.cache_data(max_entries=32, show_spinner=False)
def contents_of(_text: str, doc_id: str, revision: str) -> tuple[list[Heading], int]:  # noqa: ARG001 (the key)
    """Return a text's headings, found once for each revision."""
    return outline(_text)


def show_text(document: StoredDocument, address: Address, span: tuple[int, int] | None) -> None:
    """Show the part of the text that the address asks for, and scroll to its place."""
    here = wanted_place(document, address)
    place = here if here is not None else span[0] if span else None
    start, end = part_of(document.text, place or 0)
    parts = parts_html(document, address, start, end)
    text = document_html(document.text[start:end], span, document.pages, start, here)
    st.html(
        f'{parts}<div class="document" lang="{escape(document.language, quote=True)}" dir="auto">{text}</div>{parts}'
    )
    if place is not None:
        st.html(_SCROLL.format(place=int(place)), unsafe_allow_javascript=True)  # our own words and a number


def wanted_place(document: StoredDocument, address: Address) -> int | None:
    """Return the place that the address goes to; None: it names none, or none that there is."""
    if address.at is not None and address.at < len(document.text):
        return address.at
    if address.page and 1 <= address.page <= len(document.pages):
        return min(document.pages[address.page - 1], max(0, len(document.text) - 1))
    return None


def parts_html(document: StoredDocument, address: Address, start: int, end: int) -> str:
    """Render the way to the parts before and after; nothing where the text is one part."""
    whole = len(document.text)
    if start == 0 and end >= whole:
        return ""
    links = []
    if start > 0:
        before = part_of(document.text, start - 1)[0]
        links.append(address.link(say("document-earlier"), at=before, page=None))
    share = say("document-share", start=100 * start // whole, end=-(-100 * min(end, whole) // whole))
    links.append(f'<span class="quiet">{escape(share)}</span>')
    if end < whole:
        links.append(address.link(say("document-later"), at=end, page=None))
    return f'<div class="parts">{"".join(links)}</div>'
