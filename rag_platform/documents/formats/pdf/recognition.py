"""Pages of a PDF that are read from their picture: those without text, those whose text layer is doubtful, or all."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pypdfium2 as pdfium

from rag_platform.documents.formats.images.ocr import png, recognise_page, rendered
from rag_platform.documents.formats.page_layout.boxes import Page
from rag_platform.documents.formats.page_layout.characters import garbled
from rag_platform.documents.formats.page_layout.legibility import doubtful, same_words
from rag_platform.documents.heartbeat import heartbeat
from rag_platform.documents.options import Options
from rag_platform.text.cleaning import clean

_LITTLE = 40
"""Characters; a scanned page may have a stamp or a page number as its only text."""
_PROVED = 3
"""Doubtful pages of a document whose picture says what the text layer says; then the others are believed."""
_SAME = 0.3
"""Share of the words on a page's picture that its text layer has, if it is about the same page at all."""


@dataclass(slots=True)
class Recognition:
    """What was read from pictures of pages, whose numbers count from 0."""

    missing: list[int]
    """Pages that are drawn without text, or whose text is none."""
    doubtful: list[int]
    """Pages whose text layer is hardly language, and which no look at their picture has cleared."""
    wanted: list[int]
    """Pages that are to be read from their picture."""
    recognised: list[int] = field(default_factory=list)
    problem: str = ""
    """Why pages were not recognised."""
    unseen: int = 0
    """Pages that the vision model is not shown because they are too many."""

    def blank(self, texts: Sequence[str]) -> int:
        """Return how many pages that are images have no text."""
        return sum(not texts[number] for number in self.missing)

    def flags(self, texts: Sequence[str]) -> list[str]:
        """Say what readers of the text should know."""
        found = [f"pages recognised by OCR: {len(self.recognised)}"] if self.recognised else []
        if kept := set(self.doubtful) - set(self.recognised):
            found.append(f"pages whose text layer is doubtful: {len(kept)}")
        if self.unseen:
            found.append(f"pages beyond the max_pages of [vision], which were not shown to the model: {self.unseen}")
        if blank := self.blank(texts):
            found.append(f"pages that are images without text: {blank} ({self.problem})")
        return found


def recognise_pages(
    document: pdfium.PdfDocument, pages: Sequence[Page], texts: list[str], options: Options
) -> Recognition:
    """Read the pages that have to be recognised, as far as that can be done here; their `texts` are replaced."""
    missing: list[int] = []
    doubted: list[int] = []
    for number, (page, text) in enumerate(zip(pages, texts, strict=True)):
        if _is_image(page, text):
            missing.append(number)
        elif doubtful(text):
            doubted.append(number)
    every = options.page_text == "ocr"
    found = Recognition(missing, doubted, [*range(len(texts))] if every else [*missing, *doubted])
    cleared = 0
    for number in found.wanted[: options.ocr_pages]:
        if number in doubted and not every and cleared >= _PROVED:
            found.doubtful.remove(number)
            continue
        heartbeat()
        text, problem = recognise_page(document, number, options)
        found.problem = found.problem or problem
        if number in doubted and not every and text and same_words(texts[number], text) >= _SAME:
            cleared += 1
            found.doubtful.remove(number)
        elif text := clean(text):
            texts[number] = text
            found.recognised.append(number)
    if left := len(found.wanted[options.ocr_pages :]):
        found.problem = found.problem or f"{left} of them beyond the {options.ocr_pages} of documents.ocr_pages"
    return found


def pictures(document: pdfium.PdfDocument, found: Recognition, options: Options) -> list[tuple[int, bytes]]:
    """Return pictures, as PNG, of the pages that the vision model is to read."""
    if not options.shows_pages:
        return []
    wanted = range(len(document)) if options.page_text == "vision" else sorted((*found.missing, *found.doubtful))
    found.unseen = max(0, len(wanted) - options.vision_pages)
    return [(number, _drawn(document, number)) for number in wanted[: options.vision_pages]]


def _drawn(document: pdfium.PdfDocument, number: int) -> bytes:
    heartbeat()
    return png(rendered(document, number))


def _is_image(page: Page, text: str) -> bool:
    return garbled(text) or (page.drawn and len(text) < (_LITTLE if page.covered else 1))
