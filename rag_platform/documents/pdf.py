"""PDFs: the text layer, page by page, without running headers and footers."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

from rag_platform.documents.cleaning import clean, clean_line
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.pdf_pages import read_pages
from rag_platform.errors import ExtractionError


def read_pdf(content: bytes) -> Extracted:
    """Read a PDF's text layer.

    Raises:
        ExtractionError: It is damaged, encrypted or without a text layer.
    """
    found = read_pages(content)
    pages = [_unhyphenated(_characters(page)) for page in found["pages"]]
    pages, removed = without_running_lines(pages)
    pages = [clean(page) for page in pages]
    if not any(pages):
        raise ExtractionError(_why_empty(found))
    text, starts = _joined(pages)
    about = found["metadata"]
    return Extracted(
        text=text,
        type="pdf",
        title=_title(about.get("Title", ""), pages),
        author=_sane(about.get("Author", "")),
        published_at=_date(about.get("CreationDate", "")),
        updated_at=_date(about.get("ModDate", "")),
        pages=tuple(starts),
        flags=_flags(found, removed),
    )


def _why_empty(found: dict) -> str:
    count, images = len(found["pages"]), sum(found["images"])
    if count == 0:
        return "this PDF has no pages"
    if images:
        return f"no text layer: {images} of {count} pages are images; recognise their text (OCR) first"
    return f"no text: {count} pages without any"


def _flags(found: dict, removed: int) -> tuple[str, ...]:
    noticed = {
        "header and footer lines removed": removed,
        "pages that are images without text": sum(found["images"]),
        "pages that could not be read": len(found["unreadable"]),
    }
    return tuple(f"{what}: {count}" for what, count in noticed.items() if count)


def _joined(pages: Sequence[str]) -> tuple[str, list[int]]:
    """Join pages by blank lines; a page without text starts where the next one does."""
    starts, position = [], 0
    for page in pages:
        starts.append(position)
        position += len(page) + 2 if page else 0
    text = "\n\n".join(filter(None, pages))
    return text, [min(start, len(text)) for start in starts]


# --- running headers and footers --------------------------------------------------------------------

_EDGE = 3
"""Lines at the top and at the bottom of a page that may be running ones; PDFium often gives both at the bottom."""
_SHARE = 0.6
"""Of the pages; a line on fewer is content."""
_FEW = 3
"""Pages; with fewer nothing can be called repeated."""


def without_running_lines(pages: Sequence[str]) -> tuple[list[str], int]:
    """Remove the lines that most pages begin or end with, whatever page number they carry, and count them."""
    lines = [[line for line in page.split("\n") if line.strip()] for page in pages]
    printed = sum(map(bool, lines))
    if printed < _FEW:
        return list(pages), 0
    counts = Counter(key for page in lines for key in {_key(page[place]) for place in _edges(page)})
    running = {key for key, count in counts.items() if count >= max(_FEW, _SHARE * printed)}
    removed, kept = 0, []
    for page in lines:
        gone = {place for place in _edges(page) if _key(page[place]) in running}
        removed += len(gone)
        kept.append("\n".join(line for place, line in enumerate(page) if place not in gone))
    return (kept, removed) if removed else (list(pages), 0)


def _edges(lines: Sequence[str]) -> set[int]:
    few = min(_EDGE, len(lines) // 3)  # so that a page of two lines loses none
    return {*range(few), *range(len(lines) - few, len(lines))}


def _key(line: str) -> str:
    """Return the line with its page number masked; a line of several numbers is a table's, and stays itself."""
    line = " ".join(line.split())
    numbers = re.findall(r"\d+", line)
    if re.fullmatch(r"[ivxlc]{1,7}", line):
        return "#"
    return re.sub(r"\d+", "#", line) if len(numbers) == 1 or re.search(r"\d\s*(?:/|of|von|sur|de)\s*\d", line) else line


# --- characters -------------------------------------------------------------------------------------

_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_LINE_HYPHEN = re.compile("[\u0002\ufffe](?:\r?\n)?")  # how PDFium writes a hyphen that ends a line
_HYPHEN = re.compile(r"(\b[^\W\d_]{2,})[-‐]\n([a-zà-öø-ÿа-яα-ω][^\W\d_]*)")


def _characters(page: str) -> str:
    return _LINE_HYPHEN.sub("-\n", page).replace("\r\n", "\n").translate(_LIGATURES)


def _unhyphenated(page: str) -> str:
    """Join words cut at a line's end; a compound that the page also writes with its hyphen keeps it."""
    spelt = page.lower()

    def joined(found: re.Match) -> str:
        first, second = found.groups()
        hyphen = "-" if f"{first}-{second}".lower() in spelt else ""
        return f"{first}{hyphen}{second}"

    return _HYPHEN.sub(joined, page)


# --- metadata ---------------------------------------------------------------------------------------

_PLACEHOLDER = re.compile(
    r"untitled|unknown|title|document\d*|slide \d+|presentation\d*|powerpoint presentation|none|null|\(?anonymous\)?"
    r"|.*\.(?:docx?|tex|dvi|indd|qxd|pptx?|xlsx?|rtf|od[tsp]|pages|txt|md|pdf|html?|ps|eps|tiff?|jpe?g|png)"
    r"|(?:microsoft|print) .*|https?:.*",
    re.IGNORECASE,
)


def _sane(value: str) -> str:
    """Return what is meant for readers, not a file's name or a program's default."""
    value = clean_line(value)
    letters = sum(map(str.isalpha, value))
    return value if letters >= max(2, len(value) / 2) and not _PLACEHOLDER.fullmatch(value) else ""


def _title(stated: str, pages: Sequence[str]) -> str:
    first = next(filter(None, pages)).split("\n", 1)[0]
    return _sane(stated) or (_sane(first) if len(first) <= 80 else "")


def _date(value: str) -> datetime | None:
    """Read ``D:YYYYMMDDHHmmSS+HH'mm'`` (ISO 32000-1, 7.9.4); earlier than PDF itself is no date."""
    found = re.match(r"(?:D:)?(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?)?", value.strip())
    if not found or not 1990 <= int(found[1]) < 2100:
        return None
    offset = timedelta(hours=int(found[8] or 0), minutes=int(found[9] or 0)) * (-1 if found[7] == "-" else 1)
    try:
        local = datetime(*(int(part or 0) for part in found.groups()[:6]), tzinfo=timezone(offset))
    except ValueError:
        return None
    return local.astimezone(UTC)
