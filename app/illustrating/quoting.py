"""What an answer quotes that is more than words, and what stands in place of such quotes."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from app import frame
from app.illustrating.code import code_html
from app.illustrating.tables import table_html
from app.rendering import link, place
from app.texts import upright
from rag_platform.core.answers import Citation
from rag_platform.journal.receipts import Receipt
from rag_platform.people.identity import Person
from rag_platform.provenance.cited_text import CitedParts, cited_parts, may_quote_parts
from rag_platform.text.notation.code_blocks import CodeBlock
from rag_platform.text.sentences import split_sentences
from rag_platform.workspace import Workspace


def parts_of(receipt: Receipt, person: Person) -> CitedParts:
    """Return the tables and the code that an answer quotes, as far as somebody may read them now."""
    if not may_quote_parts(receipt.citations):
        return CitedParts()
    return _parts(frame.workspace(), receipt, person.principals, receipt.id, person.id, frame.reading_of(person))


@st.cache_data(max_entries=200, show_spinner=False)
def _parts(
    _workspace: Workspace,
    _receipt: Receipt,
    principals: tuple[str, ...],
    receipt: str,  # noqa: ARG001 (part of the cache's key)
    owner: str,
    reading: int,  # noqa: ARG001
) -> CitedParts:
    return cited_parts(_workspace, _receipt, principals, owner)


def in_place_of_quotes(parts: CitedParts, receipt: Receipt) -> dict[int, str]:
    """Return what stands in place of quotes that are rows or code alone, by the numbers of their citations."""
    cited = {one.n: one for one in receipt.citations}
    shown = {n: _code_html(block, cited[n], receipt) for n, block in parts.code.items()}
    for found in parts.tables:
        rows = [one.n for one in found.citations if _is_rows(one.quote)]
        shown |= dict.fromkeys(rows, "") | {rows[0]: table_html(found, receipt)} if rows else {}
    return shown


def beside_answer(parts: CitedParts, receipt: Receipt, placed: Mapping[int, str]) -> str:
    """Render the tables that an answer rests on and does not show in place of a quote."""
    left = (one for one in parts.tables if not any(placed.get(cited.n) for cited in one.citations))
    return "".join(table_html(one, receipt) for one in left)


def _is_rows(quote: str) -> bool:
    return all(one.kind == "row" for one in split_sentences(quote))


def _code_html(block: CodeBlock, cited: Citation, receipt: Receipt) -> str:
    """Render quoted code as a whole, with the way to its place."""
    address = escape(link(place(cited.doc_id, cited.span, receipt.revisions.get(cited.doc_id))), quote=True)
    title = escape(upright(cited.title or cited.uri))
    mark = f'<a class="cite" href="{address}" target="_self" data-n="{cited.n}">{cited.n}</a>'
    source = f'<div class="from">{mark} <a href="{address}" target="_self">{title}</a></div>'
    return code_html(block.code, block.language) + source
