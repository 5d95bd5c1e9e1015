"""PDFs: text in reading order, with headings and tables in Markdown, page by page."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from stringprep import in_table_b1, in_table_c12

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.images.ocr import png, recognise_page, rendered
from rag_platform.documents.formats.page_layout.boxes import Page
from rag_platform.documents.formats.page_layout.characters import garbled
from rag_platform.documents.formats.page_layout.headings import heading_levels
from rag_platform.documents.formats.page_layout.markdown_output import joined, written
from rag_platform.documents.formats.page_layout.reading_order import read_layout
from rag_platform.documents.formats.pdf.indic import mend_words
from rag_platform.documents.formats.pdf.pages import read_page
from rag_platform.documents.formats.pdf.running_headers import remove_running
from rag_platform.documents.heartbeat import heartbeat
from rag_platform.documents.options import ENCRYPTED, Limits, Options
from rag_platform.text.cleaning import clean, clean_line


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
        about = document.get_metadata_dict(skip_empty=True)
    finally:
        document.close()
    if not any(found.texts) and not found.pictures:
        raise ExtractionError(found.why_empty())
    text, starts = joined(found.texts)
    return Extracted(
        text=text,
        type="pdf",
        title=_title(about.get("Title", ""), found.texts),
        author=_sane(about.get("Author", "")),
        published_at=_date(about.get("CreationDate", "")),
        updated_at=_date(about.get("ModDate", "")),
        pages=tuple(starts),
        flags=found.flags(),
        pictures=tuple(found.pictures),
    )


def open_pdf(content: bytes, options: Options) -> pdfium.PdfDocument:
    """Open a PDF with no password or with the first that fits.

    Raises:
        ExtractionError: It is damaged, or encrypted with another password.
    """
    stated = [*filter(None, options.passwords)]
    for password in (None, *dict.fromkeys(form for given in stated for form in (given, _prepared(given)))):
        try:
            return pdfium.PdfDocument(content, password=password)
        except pdfium.PdfiumError as error:
            if error.err_code != pdfium_c.FPDF_ERR_PASSWORD:
                raise ExtractionError(f"not a readable PDF: {str(error).rstrip('.')}") from error
    raise ExtractionError(f"{ENCRYPTED} and needs a password: {_tried(options)}, or save a copy without one")


def _prepared(password: str) -> str:
    """Return the form that ISO 32000-2 (7.6.4.3.3) has programs take: RFC 4013's, which PDFium leaves to its caller."""
    mapped = "".join(" " if in_table_c12(one) else one for one in password if not in_table_b1(one))
    return unicodedata.normalize("NFKC", mapped)


def _tried(options: Options) -> str:
    unset = [name for name, value in zip(options.keys, options.passwords, strict=True) if not value]
    if unset:
        return f"the variable {unset[0]} that pdf_passwords names is not set; set it"
    if options.keys:
        return f"that in {' and '.join(options.keys)} does not open it; name another in pdf_passwords"
    return "put it in a variable and name that in the source's pdf_passwords"


def _check_pages(count: int, most: int) -> None:
    if count > most:
        raise ExtractionError(
            f"it says that it has {count} pages, more than the {most} of documents.max_pages; split it or raise that"
        )


@dataclass(slots=True)
class _Found:
    """What the pages of a document hold."""

    texts: list[str]
    images: list[int]
    """Numbers, from 0, of the pages that are drawn without text, or whose text is none."""
    counts: dict[str, int]
    """What was noticed, and how often."""
    problem: str = ""
    """Why images were not recognised."""
    pictures: list[tuple[int, bytes]] = field(default_factory=list)

    def why_empty(self) -> str:
        """Say why there is no text."""
        count = len(self.texts)
        if count == 0:
            return "this PDF has no pages"
        if self.images:
            return f"no text layer: {len(self.images)} of {count} pages are images; {self.problem}"
        if self.counts[_UNREADABLE] == count:
            return f"not a readable PDF: none of its {count} pages can be loaded"
        return f"no text: {count} pages without any"

    def flags(self) -> tuple[str, ...]:
        """Say what readers of the text should know."""
        blank = sum(not self.texts[number] for number in self.images)
        flags = tuple(f"{what}: {count}" for what, count in self.counts.items() if count)
        return (*flags, f"pages that are images without text: {blank} ({self.problem})") if blank else flags


_UNREADABLE = "pages that could not be read"


def _read(document: pdfium.PdfDocument, options: Options, limits: Limits) -> _Found:
    pages, unreadable = _pages(document, limits.characters)
    counts = {
        "header and footer lines removed": remove_running(pages),
        "hidden words removed": sum(page.hidden for page in pages),
        _UNREADABLE: unreadable,
    }
    mend_words(pages)
    layouts = [read_layout(page) for page in pages]
    levels = heading_levels(layouts)
    texts = [clean(written(layout, levels)) for layout in layouts]
    images = [number for number, page in enumerate(pages) if _is_image(page, texts[number])]
    found = _Found(texts, images, counts)
    _recognise(document, found, options)
    if options.vision:
        found.pictures = [(number, png(rendered(document, number))) for number in images[: options.vision_pages]]
    return found


def _pages(document: pdfium.PdfDocument, most: int) -> tuple[list[Page], int]:
    """Read the pages; one that cannot be read is empty. Return them and how many of those there are."""
    pages, unreadable, characters = [], 0, 0
    for number in range(len(document)):
        try:
            page = read_page(document, number)
        except pdfium.PdfiumError:
            page = Page(0.0, 0.0)
            unreadable += 1
        characters += sum(len(word.text) for line in page.lines for word in line.words)
        if characters > most:
            raise ExtractionError(f"page {number + 1}: more than {most} characters of text in one document")
        pages.append(page)
    return pages, unreadable


_LITTLE = 40
"""Characters; a scanned page may have a stamp or a page number as its only text."""


def _is_image(page: Page, text: str) -> bool:
    return garbled(text) or (page.drawn and len(text) < (_LITTLE if page.covered else 1))


def _recognise(document: pdfium.PdfDocument, found: _Found, options: Options) -> None:
    """Read the pages that are images, as far as that can be done here."""
    recognised = 0
    for number in found.images[: options.ocr_pages]:
        heartbeat()
        text, problem = recognise_page(document, number, options)
        found.texts[number] = clean(text) or found.texts[number]
        recognised += bool(text)
        found.problem = found.problem or problem
    found.counts["pages recognised by OCR"] = recognised
    if left := len(found.images[options.ocr_pages :]):
        found.problem = found.problem or f"{left} of them beyond the {options.ocr_pages} of documents.ocr_pages"


# --- metadata ---------------------------------------------------------------------------------------


_PLACEHOLDER = re.compile(
    r"untitled|unknown|title|document\d*|slide \d+|presentation\d*|powerpoint presentation|none|null|\(?anonymous\)?"
    r"|.*\.(?:docx?|tex|dvi|indd|qxd|pptx?|xlsx?|rtf|od[tsp]|pages|txt|md|pdf|html?|ps|eps|tiff?|jpe?g|png)"
    r"|(?:microsoft|print) .*|https?:.*",
    re.IGNORECASE,
)
_HEADING = re.compile(r"# +(.+)")


def _sane(value: str) -> str:
    """Return what is meant for readers, not a file's name or a program's default."""
    value = clean_line(value)
    letters = sum(map(str.isalpha, value))
    return value if letters >= max(2, len(value) / 2) and not _PLACEHOLDER.fullmatch(value) else ""


def _title(stated: str, pages: Sequence[str]) -> str:
    """Return what the file says, else the largest heading of the first page, else its first line when it is short."""
    page = next(filter(None, pages), "")
    heading = next((found[1] for found in map(_HEADING.match, page.split("\n")) if found), "")
    first = page.split("\n", 1)[0].lstrip("# ")
    return _sane(stated) or _sane(heading) or (_sane(first) if len(first) <= 80 else "")


def _date(value: str) -> datetime | None:
    """Read ``D:YYYYMMDDHHmmSS+HH'mm'`` (ISO 32000-1, 7.9.4); earlier than PDF itself is no date."""
    found = re.match(r"(?:D:)?(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?)?", value.strip())
    if not found or not 1990 <= int(found[1]) < 2100:
        return None
    offset = timedelta(hours=int(found[8] or 0), minutes=int(found[9] or 0)) * (-1 if found[7] == "-" else 1)
    try:
        year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
        local = datetime(year, month, day, hour, minute, second, tzinfo=timezone(offset))
    except ValueError:
        return None
    return local.astimezone(UTC)
