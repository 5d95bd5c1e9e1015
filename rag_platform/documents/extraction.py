"""Bytes of any format to text: decides what they are and asks the reader of that format."""

import io
import re
import zipfile
from dataclasses import replace
from email.message import Message
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from rag_platform.documents.archives import TYPES as ARCHIVES
from rag_platform.documents.archives import is_tar, read_archive
from rag_platform.documents.cleaning import clean, clean_line
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.html import read_html
from rag_platform.documents.image import MEDIA as IMAGES
from rag_platform.documents.image import read_image
from rag_platform.documents.markdown import read_markdown
from rag_platform.documents.options import Limits, Options
from rag_platform.documents.pdf import read_pdf
from rag_platform.documents.text import read_text
from rag_platform.errors import ExtractionError

SUPPORTED = ("html", "image", "markdown", "pdf", "text", *ARCHIVES)
"""The types that have a reader; plain-text formats (CSV, JSON, reStructuredText …) are read as text."""


def extract(
    content: bytes,
    *,
    uri: str,
    content_type: str | None = None,
    type: str | None = None,  # noqa: A002 (the column's name)
    options: Options = Options(),  # noqa: B008 (frozen)
    limits: Limits = Limits(),  # noqa: B008
) -> Extracted:
    """Read a document.

    Args:
        content: Its bytes.
        uri: Where it is from; its extension tells the type when nothing better does.
        content_type: What the server said, such as ``text/html; charset=utf-8``.
        type: One of `SUPPORTED`, when it is known.
        options: Wishes of the settings.
        limits: What it may take.

    Raises:
        ExtractionError: There is no reader for it, or the reader could not read it.
    """
    found = type or detect_type(content, uri=uri, content_type=content_type)
    charset = _header(content_type).get_content_charset()
    if found == "html":
        read = read_html(content, uri=uri, charset=charset)
    elif found == "markdown":
        read = read_markdown(content, charset=charset)
    elif found == "pdf":
        read = read_pdf(content, options=options, limits=limits)
    elif found == "image":
        read = read_image(content, options=options)
    elif found == "text":
        read = read_text(content, charset=charset)
    elif found in ARCHIVES:
        read = read_archive(content, type=found, limits=limits)
    else:
        raise ExtractionError(f"{uri}: no reader for the type {found!r}; supported: {', '.join(SUPPORTED)}")
    return replace(read, text=clean(read.text), title=clean_line(read.title), author=clean_line(read.author))


def detect_type(content: bytes, *, uri: str = "", content_type: str | None = None) -> str:
    """Decide a document's type: by its first bytes, then what the server said, then its extension.

    Raises:
        ExtractionError: It is of a kind that has no reader.
    """
    suffix = PurePosixPath(unquote(urlsplit(uri).path)).suffix.lower()
    media = _magic(content)
    return _by_magic(media, content, suffix) if media else _by_name(content, suffix, content_type)


def _by_magic(media: str, content: bytes, suffix: str) -> str:
    if media in ("application/pdf", "application/zip"):
        return media.removeprefix("application/")
    if media in IMAGES:
        return "image"
    if media == "application/x-tar" or (media in _PACKED and is_tar(content)):
        return "tar"
    return _refuse(media, suffix)


def _by_name(content: bytes, suffix: str, content_type: str | None) -> str:
    stated = _header(content_type).get_content_type() if content_type else ""
    by_suffix, by_media = _SUFFIXES.get(suffix), _MEDIA.get(stated)
    if by_media and (by_media != "text" or by_suffix is None):
        return by_media  # "text/plain" is what servers say of any file
    if by_suffix:
        return by_suffix
    if stated and not _TEXTUAL.fullmatch(stated):
        return _refuse(stated, suffix)
    return "html" if _HTML.match(content[:1024]) else "text"


_SUFFIXES = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"), "markdown"),
    **dict.fromkeys((".html", ".htm", ".xhtml", ".shtml"), "html"),
    ".pdf": "pdf",
}
_MEDIA = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "text/plain": "text",
}
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*|<\?xml[^>]*\?>\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)

_MAGIC = (
    (b"PK\x03\x04", "application/zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"{\\rtf", "application/rtf"),
    (b"\x89PNG\r\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"\x1f\x8b", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "application/x-xz"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"%!PS", "application/postscript"),
    (b"ID3", "audio/mpeg"),
    (b"OggS", "audio/ogg"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (b"\x7fELF", "application/x-executable"),
    (b"AT&TFORM", "image/vnd.djvu"),
)
_PACKED = ("application/gzip", "application/x-bzip2", "application/x-xz")
_NAMES = {
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word documents (docx)",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel workbooks (xlsx)",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PowerPoint slides (pptx)",
    "application/vnd.oasis.opendocument.text": "OpenDocument texts (odt)",
    "application/vnd.oasis.opendocument.spreadsheet": "OpenDocument spreadsheets (ods)",
    "application/vnd.oasis.opendocument.presentation": "OpenDocument slides (odp)",
    "application/epub+zip": "EPUB books",
    "application/x-ole-storage": "old Office files (doc, xls, ppt)",
    "application/rtf": "Rich Text (rtf)",
}
_OFFICE = {"word/": "wordprocessingml.document", "xl/": "spreadsheetml.sheet", "ppt/": "presentationml.presentation"}


def _magic(content: bytes) -> str | None:
    """Return the media type that the first bytes give away; None for anything that may be text."""
    if b"%PDF-" in content[:1024]:
        return "application/pdf"
    if content[257:262] == b"ustar":
        return "application/x-tar"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    for mark, media in _MAGIC:
        if content.startswith(mark):
            return _archive(content) if media == "application/zip" else media
    return None


def _archive(content: bytes) -> str:
    """Tell what a ZIP file is: Office and OpenDocument files and EPUB books are."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                return archive.read("mimetype").decode("ascii", "replace").strip()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError):
        return "application/zip"
    for folder, kind in _OFFICE.items():
        if any(name.startswith(folder) for name in names):
            return f"application/vnd.openxmlformats-officedocument.{kind}"
    return "application/zip"


_TEXTUAL = re.compile(
    r"text/.*|.*\+(?:json|xml|yaml)|(?:application|binary)/octet-stream"
    r"|application/(?:x-)?(?:json|xml|yaml|toml|javascript|sql|sh|csv|ndjson|tex|latex)"
)


def _header(content_type: str | None) -> Message:
    message = Message()
    message["content-type"] = content_type or ""
    return message


def _refuse(media: str, suffix: str) -> str:
    name = _NAMES.get(media) or (f"{suffix} files" if suffix else "this kind of file")
    raise ExtractionError(f"no reader for {name} ({media}); supported: {', '.join(SUPPORTED)}")
