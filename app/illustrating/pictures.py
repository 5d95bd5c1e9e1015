"""Figures of an answer's sources, each behind a click: until then nothing is drawn and nothing of them is loaded."""

import base64
from html import escape
from textwrap import shorten
from typing import Any

import streamlit as st

from app import frame
from app.rendering import link, place, plain_label
from app.texts import say, say_html, upright
from rag_platform.core.errors import ExtractionError, StorageError
from rag_platform.core.hits import page_name
from rag_platform.documents.extracted import RenderedPage
from rag_platform.index.releases.document_history import DocumentState
from rag_platform.journal.receipts import Receipt
from rag_platform.people.identity import Person
from rag_platform.provenance.cited_figures import CitedFigure, cited_figures, draw_figure, may_have_figures
from rag_platform.provenance.cited_text import cited_state
from rag_platform.provenance.openings import record_opening

_LABEL = 90
"""Characters of a caption on a button."""


def offer_figures(receipt: Receipt, turn: int, person: Person) -> None:
    """Offer the figures beside what an answer cites, as far as somebody may read their documents now."""
    if not any(map(may_have_figures, receipt.citations)):
        return
    found = _found(frame.workspace(), receipt, person.principals, receipt.id, frame.reading_of(person))
    for at, figure in enumerate(found):
        _offer(receipt, figure, f"figure-{turn}-{at}", person)


@st.cache_data(max_entries=200, show_spinner=False)
def _found(
    _workspace: Any,
    _receipt: Receipt,
    principals: tuple[str, ...],
    receipt: str,  # noqa: ARG001 (part of the cache's key)
    reading: int,  # noqa: ARG001
) -> tuple[CitedFigure, ...]:
    return cited_figures(_workspace, _receipt, principals)


@st.fragment
def _offer(receipt: Receipt, figure: CitedFigure, key: str, person: Person) -> None:
    """Show the way to a figure, and once it is asked for the figure."""
    shown = bool(st.session_state.get(f"{key}-shown"))
    name = plain_label(shorten(_said(figure), _LABEL, placeholder=" …"))
    label = say("ask-figure-hide" if shown else "ask-figure-show", name=name)
    st.button(label, icon=":material/image:", type="tertiary", key=key, on_click=_turn, args=(key, not shown))
    if shown:
        st.html(_figure_html(receipt, figure, key, person))


def _turn(key: str, shown: bool) -> None:
    st.session_state[f"{key}-shown"] = "asked" if shown else ""


def _figure_html(receipt: Receipt, figure: CitedFigure, key: str, person: Person) -> str:
    """Look again who may read it, which may have changed since it was offered, and record once that it was drawn."""
    workspace, doc_id = frame.workspace(), figure.citation.doc_id
    found = cited_state(workspace, receipt, doc_id, person.principals)
    if found is None:
        return f'<div class="empty">{say_html("document-gone")}</div>'
    try:
        drawn = _drawn(workspace, found, figure, doc_id, found.document.raw_sha256, figure.page, figure.span)
    except (ExtractionError, StorageError) as error:
        return f'<div class="empty">{say_html("document-original-none", reason=str(error))}</div>'
    if st.session_state[f"{key}-shown"] == "asked":
        record_opening(workspace, found, person.principals, who=frame.named(person), kind="original")
        st.session_state[f"{key}-shown"] = "recorded"
    return _html(drawn, figure, receipt.revisions.get(doc_id))


@st.cache_data(max_entries=64, ttl=600, show_spinner=False)
def _drawn(
    _workspace: Any,
    _found: DocumentState,
    _figure: CitedFigure,
    doc_id: str,  # noqa: ARG001 (part of the cache's key; whoever asks has been let in)
    sha256: str,  # noqa: ARG001
    page: int | None,  # noqa: ARG001
    span: tuple[int, int],  # noqa: ARG001
) -> RenderedPage:
    return draw_figure(_workspace, _found, _figure)


def _html(drawn: RenderedPage, figure: CitedFigure, revision: str | None) -> str:
    cited = figure.citation
    where = {"tab": "original", "page": str(figure.page)} if figure.page else {}
    to = link(place(cited.doc_id, figure.span, revision) | where)
    begin = f'<a href="{escape(to, quote=True)}" target="_self">'
    title = upright(cited.title or cited.uri)
    alt = escape(say("ask-figure-alt", title=title, said=_said(figure)), quote=True)
    picture = base64.b64encode(drawn.picture).decode("ascii")
    return (
        f'<figure class="drawn from">{begin}<img alt="{alt}" width="{drawn.width}" height="{drawn.height}"'
        f' src="data:image/webp;base64,{picture}"></a>'
        f'<figcaption><span class="cite" data-n="{cited.n}">{cited.n}</span> {begin}{escape(title)}</a>'
        f"{_page_html(figure)}</figcaption></figure>"
    )


def _page_html(figure: CitedFigure) -> str:
    if figure.page is None:
        return ""
    called = page_name(figure.page, figure.citation.page_label if figure.page == figure.citation.page else None)
    return f" · {say_html('ask-export-page', page=called)}"


def _said(figure: CitedFigure) -> str:
    """Return what a figure is called: its caption, what it shows, or the title of the image that it is."""
    said = " – ".join(filter(None, (figure.caption, figure.description)))
    return upright(said or figure.citation.title or figure.citation.uri)
