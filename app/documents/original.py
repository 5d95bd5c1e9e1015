"""What a document was read from, beside its text: pages drawn as pictures, web pages in a sandboxed frame, text."""

import base64
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from app import frame
from app.documents.address import Address
from app.documents.page_html import page_html, text_html
from app.documents.text import wanted_place
from app.figures import size
from app.texts import say, say_html
from rag_platform.core.errors import ExtractionError, StorageError
from rag_platform.documents.extracted import RenderedPage
from rag_platform.index.releases.document_history import DocumentState, document_state
from rag_platform.provenance.openings import record_opening
from rag_platform.provenance.originals import original, page_at, rendered_original, words_on

_SCRIPT = Path(__file__).with_name("sandboxed.js").read_text(encoding="utf-8")
_SCROLL = """<script>/* {place} */
(() => {{ const mark = document.getElementById("cited-there"), box = mark?.closest(".as-is");
  if (box) box.scrollTop = mark.offsetTop - box.offsetTop - box.clientHeight / 3; }})()
</script>"""


@dataclass(frozen=True, slots=True)
class Shown:
    """An original, made ready to be shown."""

    kind: str
    """"pdf", "image", "html", "text" or "file"."""
    name: str
    size: int
    """Bytes."""
    html: str = ""
    drawing: RenderedPage | None = None
    found: bool = False
    """Whether the cited words were found in it."""


def show_original(found: DocumentState, address: Address, span: tuple[int, int] | None) -> None:
    """Show the original at the place that the address asks for, and let it be downloaded."""
    document = found.document
    page = page_shown(found, address, span)
    words = tuple(words_on(found.document, span, page)) if span else ()
    try:
        with st.spinner(say("document-original-opening"), show_time=False):
            shown = prepared(frame.workspace(), found, document.doc_id, document.raw_sha256, page, words)
    except (ExtractionError, StorageError) as error:
        st.html(f'<div class="empty">{say_html("document-original-none", reason=str(error))}</div>')
        return
    if shown.drawing:
        _show_drawing(shown, shown.drawing, found, address)
    elif shown.kind == "html":
        _show_frame(shown.html, say("document-original-title", title=document.title))
    elif shown.kind == "text":
        label = escape(say("document-original-title", title=document.title), quote=True)
        st.html(f'<div class="as-is" tabindex="0" role="group" aria-label="{label}">{shown.html}</div>')
        st.html(
            _SCROLL.format(place=span[0] if span else 0), unsafe_allow_javascript=True
        )  # our own words and a number
    else:
        st.html(f'<div class="empty">{say_html("document-original-file", name=shown.name)}</div>')
    if span and not shown.found and shown.kind != "file":
        st.html(f'<div class="quiet">{say_html("document-original-unmarked")}</div>')
    _show_ways_out(shown, found)


def page_shown(found: DocumentState, address: Address, span: tuple[int, int] | None) -> int:
    """Return the page, from 1, of the place that the address names."""
    pages = found.document.pages
    if not pages:
        return address.page or 1
    if address.page:
        return min(address.page, len(pages))
    place = wanted_place(found.document, address)
    return page_at(pages, place if place is not None else span[0] if span else 0)


@st.cache_data(max_entries=64, ttl=600, show_spinner=False)
def prepared(
    _workspace: Any,
    _found: DocumentState,
    doc_id: str,  # noqa: ARG001 (part of the cache's key)
    sha256: str,  # noqa: ARG001
    page: int,
    words: tuple[str, ...],
) -> Shown:
    """Make an original ready to be shown; `doc_id` and `sha256` say which, and whoever asks has been let in."""
    file = original(_workspace, _found)
    about = file.kind, file.name, len(file.content)
    if file.kind in ("pdf", "image"):
        drawing = rendered_original(file, page - 1, words)
        return Shown(*about, drawing=drawing, found=bool(drawing.boxes))
    if file.kind in ("html", "text"):
        html, marked = (page_html if file.kind == "html" else text_html)(file.content, file.charset, words)
        return Shown(*about, html=html, found=marked)
    return Shown(*about)


def _show_frame(html: str, title: str) -> None:
    """Show a page in a frame that may do nothing; `st.iframe` lets a frame run scripts as this page."""
    component = st.components.v2.component(
        "sandboxed_page", html='<div class="sandboxed"></div>', js=_SCRIPT, isolate_styles=False
    )
    component(data={"html": html, "title": title}, key="sandboxed")


def _show_drawing(shown: Shown, drawing: RenderedPage, found: DocumentState, address: Address) -> None:
    pages = {"title": found.document.title, "page": drawing.page + 1, "pages": drawing.pages}
    if drawing.pages > 1:
        _show_pages(drawing, address, _label(found, drawing.page))
    picture = base64.b64encode(drawing.picture).decode("ascii")
    boxes = "".join(
        f'<span class="box" style="left:{x0:.2%};top:{top:.2%};width:{x1 - x0:.2%};height:{bottom - top:.2%}"></span>'
        for x0, top, x1, bottom in drawing.boxes
    )
    alt = escape(say("document-page-alt" if shown.kind == "pdf" else "document-image-alt", **pages), quote=True)
    st.html(
        f'<div class="sheet" style="--ratio:{drawing.width / drawing.height:.4f};aspect-ratio:var(--ratio)">'
        f'<img alt="{alt}" src="data:image/webp;base64,{picture}">{boxes}</div>'
    )


def _label(found: DocumentState, page: int) -> str:
    """Return what the document calls a page (from 0), such as "iv"; "" where that is its number, or nothing."""
    labels = found.catalog.about(found.document.doc_id).get("page_labels") or []
    label = labels[page] if page < len(labels) else ""
    return "" if label == str(page + 1) else label


def _show_pages(drawing: RenderedPage, address: Address, label: str) -> None:
    """Show the way to other pages, and what the document calls this one: the text beside goes there too."""
    page = drawing.page + 1
    key = f"page-{address.doc}-{page}"

    def turn() -> None:
        st.query_params["page"] = str(st.session_state[key])
        st.query_params.pop("at", None)

    with st.container(horizontal=True, vertical_alignment="center", key="pages"):
        st.number_input(
            say("document-page"),
            1,
            drawing.pages,
            page,
            key=key,
            on_change=turn,
            label_visibility="collapsed",
            width=130,
        )
        called = f" · {say_html('ask-export-page', page=label)}" if label else ""
        st.html(
            f'<div class="quiet">{say_html("document-page-of", pages=drawing.pages)}{called}</div>', width="content"
        )


def _show_ways_out(shown: Shown, found: DocumentState) -> None:
    """Offer the file itself, and where it lives."""
    document, workspace, principals = found.document, frame.workspace(), frame.person().principals
    who = frame.named(frame.person())

    def content() -> bytes:
        """Look again: who may read it may have changed since it was shown."""
        again = document_state(workspace.versions, document.doc_id, principals, found.version)
        if again:
            record_opening(workspace, again, principals, who=who, kind="original")
        return original(workspace, again).content if again else b""

    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            say("document-download"),
            content,
            file_name=shown.name,
            mime="application/octet-stream",  # never shown by the browser as part of this page
            on_click="ignore",
            icon=":material/download:",
            type="tertiary",
        )
        if document.uri.startswith(("http://", "https://")):
            st.link_button(say("document-at-source"), document.uri, icon=":material/open_in_new:", type="tertiary")
        st.html(f'<div class="quiet">{escape(size(shown.size))}</div>', width="content")
