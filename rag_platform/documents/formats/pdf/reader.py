"""PDFs: text in reading order, with headings and tables in Markdown, page by page."""

from collections.abc import Sequence
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, losses
from rag_platform.documents.formats.markdown_writer import join
from rag_platform.documents.formats.page_layout.boxes import Page
from rag_platform.documents.formats.page_layout.footnotes import mark_footnotes
from rag_platform.documents.formats.page_layout.headings import heading_levels
from rag_platform.documents.formats.page_layout.markdown_output import joined, written
from rag_platform.documents.formats.page_layout.page_tables import carry_headers
from rag_platform.documents.formats.page_layout.reading_order import read_layout
from rag_platform.documents.formats.page_layout.running_headers import remove_running
from rag_platform.documents.formats.pdf.indic import mend_words
from rag_platform.documents.formats.pdf.information import date_of, sane, title_of
from rag_platform.documents.formats.pdf.interactive.attachments import attached_files
from rag_platform.documents.formats.pdf.interactive.bookmarks import headed, outline_of, page_labels, with_headings
from rag_platform.documents.formats.pdf.interactive.links import comments_of, mark_links, write_links
from rag_platform.documents.formats.pdf.interactive.xfa import form_text
from rag_platform.documents.formats.pdf.opening import open_pdf
from rag_platform.documents.formats.pdf.pages import read_page
from rag_platform.documents.formats.pdf.recognition import Recognition, pictures, recognise_pages
from rag_platform.documents.options import Limits, Options
from rag_platform.text.cleaning import clean


def read_pdf(
    content: bytes,
    *,
    options: Options = Options(),  # noqa: B008 (frozen)
    limits: Limits = Limits(),  # noqa: B008
) -> Extracted:
    """Read a PDF.

    Raises:
        ExtractionError: It is damaged, encrypted, without any text, or larger than the limits.
    """
    document = open_pdf(content, options)
    try:
        _check_pages(len(document), options.pages)
        found = _read(document, options, limits)
        if not headed(found.texts):
            found.texts = with_headings(found.texts, outline_of(document))
        about, labels = document.get_metadata_dict(skip_empty=True), page_labels(document)
        files = pdfium_c.FPDFDoc_GetAttachmentCount(document.raw) or found.holding
    finally:
        document.close()
    if not any(found.texts) and not found.pictures and not files:
        raise ExtractionError(found.why_empty())
    text, starts = joined(found.texts)
    return Extracted(
        text=text,
        type="pdf",
        title=title_of(about.get("Title", ""), found.texts),
        author=sane(about.get("Author", "")),
        published_at=date_of(about.get("CreationDate", "")),
        updated_at=date_of(about.get("ModDate", "")),
        pages=tuple(starts),
        page_labels=labels,
        flags=found.flags(),
        losses=losses(found.lost),
        pictures=tuple(found.pictures),
        members=attached_files(content, found.holding, options=options, limits=limits) if files else (),
    )


def _check_pages(count: int, most: int) -> None:
    if count > most:
        raise ExtractionError(
            f"it says that it has {count} pages, more than the {most} of documents.max_pages; split it or raise that"
        )


@dataclass(slots=True)
class _Found:
    """What the pages of a document hold."""

    texts: list[str]
    counts: dict[str, int]
    """What was noticed, and how often."""
    recognition: Recognition
    pictures: list[tuple[int, bytes]]
    lost: dict[Lost, int]
    holding: list[int]
    """Numbers, from 0, of the pages that files are attached to."""

    def why_empty(self) -> str:
        """Say why there is no text."""
        count, images = len(self.texts), len(self.recognition.missing)
        if count == 0:
            return "this PDF has no pages"
        if images:
            return f"no text layer: {images} of {count} pages are images; {self.recognition.problem}"
        if self.counts[_UNREADABLE] == count:
            return f"not a readable PDF: none of its {count} pages can be loaded"
        return f"no text: {count} pages without any"

    def flags(self) -> tuple[str, ...]:
        """Say what readers of the text should know."""
        noticed = (f"{what}: {count}" for what, count in self.counts.items() if count)
        return (*noticed, *self.recognition.flags(self.texts))


_UNREADABLE = "pages that could not be read"


def _read(document: pdfium.PdfDocument, options: Options, limits: Limits) -> _Found:
    form = form_text(document)
    pages, unreadable = _pages(document, limits.characters)
    counts = {
        "header and footer lines removed": remove_running(pages),
        "hidden words removed": sum(len(page.hidden) for page in pages),
        _UNREADABLE: unreadable,
    }
    mend_words(pages)
    links = [mark_links(page) for page in pages]
    layouts = [read_layout(page) for page in pages]
    carry_headers(layouts)
    mark_footnotes(layouts)
    levels = heading_levels(layouts)
    texts = [
        clean(write_links(written(layout, levels), addresses)) for layout, addresses in zip(layouts, links, strict=True)
    ]
    texts = [clean(form)] if form else texts
    recognition = recognise_pages(document, pages, texts, options)
    shown = pictures(document, recognition, options)
    texts = [clean(join([text, *comments_of(page)])) if page.comments else text
             for text, page in zip(texts, pages, strict=True)]  # fmt: skip
    holding = [number for number, page in enumerate(pages) if page.holding]
    return _Found(texts, counts, recognition, shown, _lost(pages, texts, recognition, unreadable), holding)


def _lost(pages: Sequence[Page], texts: Sequence[str], found: Recognition, unreadable: int) -> dict[Lost, int]:
    """Count what the pages show and their text does not have; what nobody can see is no loss."""
    read = {*found.recognised, *found.missing}
    images = sum(page.images for number, page in enumerate(pages) if number not in read)
    drawings = sum(page.drawings for number, page in enumerate(pages) if number not in read)
    media = sum(page.media for page in pages)
    return {
        "pages": unreadable,
        "pages without text": found.blank(texts),
        "images without text": images,
        "figures": drawings,
        "media": media,
    }


def _pages(document: pdfium.PdfDocument, most: int) -> tuple[list[Page], int]:
    """Read the pages; one that cannot be read is empty. Return them and how many of those there are."""
    pages, unreadable, characters = [], 0, 0
    for number in range(len(document)):
        try:
            page = read_page(document, number)
        except pdfium.PdfiumError:
            page = Page(0.0, 0.0)
            unreadable += 1
        characters += sum([len(line.text) - len(line.words) + 1 for line in page.lines])
        if characters > most:
            raise ExtractionError(f"page {number + 1}: more than {most} characters of text in one document")
        pages.append(page)
    return pages, unreadable
