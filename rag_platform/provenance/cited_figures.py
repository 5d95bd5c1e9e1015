"""The figures beside what an answer cites: found in the texts of documents, drawn when somebody asks for one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_platform.core.answers import Citation
from rag_platform.documents.extracted import RenderedPage
from rag_platform.documents.file_names import suffix_of
from rag_platform.index.catalog.catalog import StoredDocument
from rag_platform.index.releases.document_history import DocumentState
from rag_platform.journal.receipts import Receipt
from rag_platform.provenance.cited_text import cited_state
from rag_platform.provenance.originals import drawn_kind, holds_pictures, original, page_at, rendered_original
from rag_platform.text.notation.captions import FigureText, figures_in, figures_named
from rag_platform.text.word_alignment import shown_words
from rag_platform.workspace import Workspace

MOST = 3
"""Figures of one answer."""
_NEAR = 1_500
"""Characters between a cited passage and a figure of its page: about half a page."""

_WITHOUT_PAGES = frozenset((".docm", ".docx", ".dotm", ".dotx", ".epub", ".odt", ".ott"))
"""How the names of files end that have figures, and whose texts have no pages."""


@dataclass(frozen=True, slots=True)
class CitedFigure:
    """A figure beside a cited passage, or one that it names; or an image that is cited itself."""

    citation: Citation
    page: int | None
    """From 1; None: its document has no pages."""
    span: tuple[int, int]
    """Of its caption and description, or of what is cited of an image, in the document's text."""
    caption: str = ""
    description: str = ""
    """What its document says of it to those who do not see it; "": nothing."""


def may_have_figures(cited: Citation) -> bool:
    """Tell by a citation alone whether its document can have figures that are shown: others need not be opened."""
    return cited.page is not None or suffix_of(cited.uri) in _WITHOUT_PAGES


def cited_figures(workspace: Workspace, receipt: Receipt, principals: Sequence[str]) -> tuple[CitedFigure, ...]:
    """Return the figures beside what an answer cites, at most `MOST`, those of the first citations first.

    They are of documents that can be drawn and that these principals may read now, in the text that was cited.
    """
    found: dict[tuple[str, int], CitedFigure] = {}
    states: dict[str, DocumentState | None] = {}
    for one in receipt.citations:
        if len(found) >= MOST:
            break
        if may_have_figures(one) and one.doc_id not in states:
            states[one.doc_id] = cited_state(workspace, receipt, one.doc_id, principals)
        for figure in _figures(states.get(one.doc_id), one):
            found.setdefault((one.doc_id, figure.span[0]), figure)
    return tuple(found.values())[:MOST]


def draw_figure(workspace: Workspace, standing: DocumentState, figure: CitedFigure) -> RenderedPage:
    """Draw a figure of a document for those who may read it; its whole page, where the figure is not found on it.

    Raises:
        StorageError: the bytes of the document are not there.
        ExtractionError: it cannot be drawn.
    """
    words = shown_words(standing.document.text[slice(*figure.span)])
    return rendered_original(original(workspace, standing), (figure.page or 1) - 1, words, figure=True)


def _figures(standing: DocumentState | None, cited: Citation) -> Iterator[CitedFigure]:
    """Yield first the figures that a quote names, then those that stand near it on its page."""
    if standing is None or not ((kind := drawn_kind(standing)) or holds_pictures(standing)):
        return
    document = standing.document
    if kind == "image":
        yield CitedFigure(cited, cited.page or 1, cited.span)
        return
    named = [_numbered(document, number, cited) for number in figures_named(cited.quote)]
    beside = (one for one in figures_in(document.text, *_around(document.pages, cited)) if _apart(one, cited) <= _NEAR)
    for one in (*filter(None, named), *sorted(beside, key=lambda one: _apart(one, cited))):
        at = page_at(document.pages, one.span[0]) if document.pages else None
        yield CitedFigure(cited, at, one.span, one.caption, one.description)


def _around(pages: Sequence[int], cited: Citation) -> tuple[int, int | None]:
    """Return where the page of a citation begins and ends; without pages, the whole text."""
    page = cited.page or 1
    return (pages[page - 1], pages[page] if page < len(pages) else None) if pages else (0, None)


def _numbered(document: StoredDocument, number: str, cited: Citation) -> FigureText | None:
    """Return the figure of a number; a list of figures has it too, but stands farther from where it is spoken of."""
    same = (one for one in figures_in(document.text) if one.number == number)
    return min(same, key=lambda one: _apart(one, cited), default=None)


def _apart(figure: FigureText, cited: Citation) -> int:
    return max(figure.span[0] - cited.span[1], cited.span[0] - figure.span[1], 0)
