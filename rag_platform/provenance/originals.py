"""The bytes that a document was read from, for those who may read it: by themselves, whatever else a file holds."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import polars as pl

from rag_platform.core.errors import ExtractionError, SettingsError
from rag_platform.documents.extracted import HOLDERS, RenderedPage
from rag_platform.documents.file_names import without_compression
from rag_platform.documents.formats.archives.compressed import is_compressed
from rag_platform.documents.options import Limits, Options
from rag_platform.documents.reader_options import reading_options
from rag_platform.documents.reading.detection import detect_type, header
from rag_platform.documents.reading.embedded_pictures import PICTURED
from rag_platform.documents.reading.unpacking import INSIDE
from rag_platform.documents.sandbox.pool import Sandbox
from rag_platform.index.catalog.catalog import StoredDocument
from rag_platform.index.releases.document_history import DocumentState
from rag_platform.text.cleaning import clean_line
from rag_platform.text.word_alignment import shown_words
from rag_platform.workspace import Workspace

DRAWERS = Sandbox(Limits(seconds=20.0, memory=2 << 30), most=2)
"""Where files of others are drawn and unpacked."""
_LONGEST_SPAN = 20_000
"""Characters whose words are searched for."""
_DRAWN = ("pdf", "image")
_TEXTS = frozenset(
    {"asciidoc", "code", "csv", "json", "jsonl", "latex", "markdown", "notebook", "rst", "subtitles", "text", "xml"}
    | {"yaml"}
)


@dataclass(frozen=True, slots=True)
class Original:
    """A file as it was fetched."""

    kind: str
    """How it can be shown: "pdf", "image", "html", "text", or "file", which cannot."""
    name: str
    """For whoever keeps it: no path, nothing invisible."""
    content: bytes
    options: Options
    """With which it was read."""
    charset: str | None = None
    """What its server said."""
    boundary: tuple[str, ...] = ()
    """Of the process that draws it: no other document's pages are drawn there."""


def original(workspace: Workspace, standing: DocumentState) -> Original:
    """Return what a document was read from; its readers may read all of it, and nothing that is not theirs is in it.

    Raises:
        StorageError: the bytes are not there.
        ExtractionError: it lies in a file that cannot be unpacked, or holds documents of its own.
    """
    document, about = standing.document, standing.catalog.about(standing.document.doc_id)
    outer, inside, path = document.uri.partition(INSIDE)
    outer = about.get("raw_uri") or outer
    path = document.uri.removeprefix(outer) if inside else ""
    kind = _kind(standing)
    if kind in HOLDERS:
        raise ExtractionError("it may hold documents of others; each of its own documents is shown by itself")
    content = workspace.store.blobs.get(document.raw_sha256)
    options = _options(workspace, document.source)
    boundary = (document.source, document.doc_id)
    if path or is_compressed(content):
        content = DRAWERS.unpack(content, boundary=boundary, uri=outer, path=path, options=options)
    charset = None if path else _charset(workspace, document.source, outer, document.raw_sha256)
    name = _name(without_compression(document.uri), document.title)
    return Original(_shown_as(kind, content), name, content, options, charset, boundary)


def drawn_kind(standing: DocumentState) -> str:
    """Return "pdf" or "image" where a document was read from one, whose pages are drawn; "": from anything else."""
    kind = _kind(standing)
    return kind if kind in _DRAWN else ""


def holds_pictures(standing: DocumentState) -> bool:
    """Return whether a document was read from a file in which the pictures of its figures are found."""
    return _kind(standing) in PICTURED


def rendered_original(
    found: Original, page: int = 0, words: Sequence[str] = (), *, figure: bool = False
) -> RenderedPage:
    """Draw a page (from 0) of a PDF or an image, and find words on it, or a figure of any file; see `render_page`.

    Raises:
        ExtractionError: it cannot be drawn.
    """
    about = {"page": page, "words": words, "figure": figure, "options": found.options}
    return DRAWERS.render(found.content, boundary=found.boundary, **about)


def page_at(pages: Sequence[int], offset: int) -> int:
    """Return the page, from 1, of a character of the text; an empty page has none."""
    return max(1, bisect_right(pages, offset))


def words_on(document: StoredDocument, span: tuple[int, int], page: int) -> list[str]:
    """Return the words of a span as far as it lies on a page; of a document without pages, all of them."""
    start, end = span[0], min(span[1], span[0] + _LONGEST_SPAN)
    if document.pages:
        start = max(start, document.pages[page - 1])
        end = min(end, document.pages[page]) if page < len(document.pages) else end
    return shown_words(document.text[start:end])


def _kind(standing: DocumentState) -> str:
    return standing.catalog.about(standing.document.doc_id).get("format") or standing.document.type


def _shown_as(kind: str, content: bytes) -> str:
    """Go by what it was read as, and for pictures and PDFs, which others draw, by the bytes too."""
    try:
        found = detect_type(content)
    except ExtractionError:
        found = ""
    if kind in _DRAWN:
        return kind if found == kind or (kind == "image" and found.startswith("image")) else "file"
    return kind if kind == "html" else "text" if kind in _TEXTS else "file"


def _charset(workspace: Workspace, source: str, uri: str, sha256: str) -> str | None:
    here = (pl.col("uri") == uri) & (pl.col("sha256") == sha256)
    rows = workspace.store.select("raw", source, ("content_type",), here)
    return header(rows["content_type"][0]).get_content_charset() if rows.height else None


def _name(uri: str, title: str) -> str:
    name = PurePosixPath(clean_line(uri).partition("?")[0].partition("#")[0]).name or clean_line(title)
    return "".join("_" if one in '/\\:*?"<>|' else one for one in name)[-120:] or "document"


def _options(workspace: Workspace, source: str) -> Options:
    try:
        return reading_options(workspace.settings, source, workspace.settings.variables)
    except SettingsError:  # the source is no longer in rag.toml
        return Options()
