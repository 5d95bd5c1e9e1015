"""A PDF's outline, as the headings of a text that has none; and what its pages are called."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from rag_platform.documents.formats.markdown_writer import heading
from rag_platform.documents.formats.pdf.information import sane
from rag_platform.documents.formats.pdf.interactive.annotations import text_of
from rag_platform.text.cleaning import clean_line

_MOST = 10_000
"""Entries; an outline is written for people to read."""
_LONGEST = 200
"""Characters of an entry."""
_LINES = 3
"""A heading is no longer."""
_FEW = 3
"""Titles; a shorter outline may be "Blank Page" alone."""
_HEADED = re.compile(r"^#{1,6} ", re.MULTILINE)
_NUMBERED = re.compile(r"^\W*(?:\d+(?:\.\d+)*[.):\s]|(?:[ivxlc]+|[a-z])[.):])\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of an outline."""

    title: str
    level: int
    """From 1."""
    page: int
    """From 0."""


def outline_of(document: pdfium.PdfDocument) -> list[Entry]:
    """Return the entries that lead to a page of the document, in order."""
    found = []
    for mark in islice(document.get_toc(), _MOST):
        place, title = mark.get_dest(), clean_line(text_of(pdfium_c.FPDFBookmark_GetTitle, mark.raw))
        page = place.get_index() if place else None
        if page is not None and page < len(document) and 0 < len(title) <= _LONGEST:
            found.append(Entry(title, mark.level + 1, page))
    return found


def headed(pages: Sequence[str]) -> bool:
    """Return whether a text has a heading."""
    return any("# " in page and _HEADED.search(page) for page in pages)


def with_headings(pages: Sequence[str], entries: Sequence[Entry]) -> list[str]:
    """Make the lines that the outline names headings, if the text has no heading at all.

    An entry whose words the page does not have goes before its page: no more than one, because only the first of a
    page is known to begin there, and none of an outline of one or two, which programs make of themselves.
    """
    if not entries or headed(pages):
        return list(pages)
    texts = [page.split("\n") for page in pages]
    begun: set[int] = set()
    written = len({entry.title for entry in entries}) >= _FEW
    for entry in entries:
        lines = texts[entry.page]
        if place := _place(lines, entry.title):
            start, end = place
            lines[start:end] = ["", heading(entry.level, " ".join(lines[start:end])), ""]
        elif written and entry.page not in begun and sane(entry.title) and any(lines):
            lines[:0] = [heading(entry.level, entry.title), ""]
        begun.add(entry.page)
    return [_tidy(lines) for lines in texts]


def _place(lines: Sequence[str], title: str) -> tuple[int, int] | None:
    """Return where lines begin and end that say what an entry says."""
    wanted = _key(title)
    for start, line in enumerate(lines):
        if not line or line.startswith(("|", "#")):
            continue
        for end in range(start + 1, min(start + _LINES, len(lines)) + 1):
            said = _key(" ".join(lines[start:end]))
            if said == wanted and said:
                return start, end
            if len(said) > len(wanted):
                break
    return None


def _key(text: str) -> str:
    """Return the letters and digits of a title, without its number, which one of both may lack."""
    return re.sub(r"[\W_]+", "", _NUMBERED.sub("", text) or text).casefold()


def _tidy(lines: Sequence[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def page_labels(document: pdfium.PdfDocument) -> tuple[str, ...]:
    """Return what the pages are called, such as "iv"; empty when that is their number."""
    labels = [clean_line(text_of(pdfium_c.FPDF_GetPageLabel, document.raw, n))[:_LONGEST] for n in range(len(document))]
    plain = all(label in ("", str(number)) for number, label in enumerate(labels, start=1))
    return () if plain else tuple(label or str(number) for number, label in enumerate(labels, start=1))
