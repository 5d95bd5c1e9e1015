"""Which format a document has: by its first bytes, then the declared media type, the name, how the text begins."""

import io
import re
import zipfile
from email.message import Message

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.file_names import suffix_of
from rag_platform.documents.formats.archives.compressed import is_compressed
from rag_platform.documents.formats.archives.sevenzip_headers import SIGNATURE
from rag_platform.documents.formats.archives.zip_and_tar import is_tar
from rag_platform.documents.formats.chat.json_exports import is_chat
from rag_platform.documents.formats.chat.slack import export_folder
from rag_platform.documents.formats.chat.whatsapp import is_whatsapp
from rag_platform.documents.formats.code.languages import LANGUAGES
from rag_platform.documents.formats.converters.registry import BY_SUFFIX as CONVERTED
from rag_platform.documents.formats.mail.saved_page import is_saved_page
from rag_platform.documents.formats.notes.notion import is_notion
from rag_platform.documents.formats.speech.recording import SUFFIXES, is_recording


def detect_type(content: bytes, *, uri: str = "", content_type: str | None = None) -> str:
    """Return the format of a document, one of `extraction.SUPPORTED`.

    Raises:
        ExtractionError: It is of a kind that is not known to hold text.
    """
    stated = header(content_type).get_content_type() if content_type else ""
    suffix = suffix_of(uri)
    marked = _marked(content, suffix)
    if marked:
        return marked if "/" not in marked else _refuse(marked, suffix)
    if stated.startswith(("audio/", "video/")):
        return "recording"
    by_suffix, by_media = _SUFFIXES.get(suffix), _MEDIA.get(stated)
    if by_media and (by_media not in _VAGUE or by_suffix is None):
        return _particular(by_media, content)
    if by_suffix:
        return _particular(by_suffix, content)
    if stated and not _TEXTUAL.fullmatch(stated):
        return _refuse(stated, suffix)
    known = (found for found, begins in _BEGINNINGS.items() if begins.match(content[:4096]))
    return _particular(next(known, "text"), content)


def _particular(found: str, content: bytes) -> str:
    """Return the format of what calls itself by a wider one: a chat's export text or JSON, a saved page a message."""
    if found == "json" and is_chat(content):
        return "chat"
    if found == "text" and is_whatsapp(content):
        return "whatsapp"
    if found == "email" and is_saved_page(content):
        return "mhtml"
    return found


def header(content_type: str | None) -> Message:
    """Return a message that holds a content type, to ask for its parts."""
    message = Message()
    message["content-type"] = content_type or ""
    return message


_SUFFIXES = {
    **dict.fromkeys(LANGUAGES, "code"),
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"), "markdown"),
    **dict.fromkeys((".html", ".htm", ".xhtml", ".shtml"), "html"),
    **dict.fromkeys((".csv", ".tsv", ".tab"), "csv"),
    **dict.fromkeys((".json", ".geojson", ".jsonld", ".webmanifest"), "json"),
    **dict.fromkeys((".jsonl", ".ndjson"), "jsonl"),
    **dict.fromkeys((".yaml", ".yml"), "yaml"),
    **dict.fromkeys((".eml", ".emlx"), "email"),
    **dict.fromkeys((".mht", ".mhtml"), "mhtml"),
    **dict.fromkeys((".rst", ".rest"), "rst"),
    **dict.fromkeys((".adoc", ".asciidoc", ".asc"), "asciidoc"),
    **dict.fromkeys((".vtt", ".srt", ".ass", ".ssa", ".ttml", ".dfxp"), "subtitles"),
    **dict.fromkeys((".ics", ".ical", ".ifb", ".vcs"), "calendar"),
    **dict.fromkeys((".vcf", ".vcard"), "vcard"),
    **dict.fromkeys((".tex", ".latex", ".ltx"), "latex"),
    **dict.fromkeys(
        (".xml", ".dbk", ".docbook", ".jats", ".nxml", ".dita", ".xsd", ".xsl", ".opml", ".svg", ".rss", ".atom"), "xml"
    ),
    **dict.fromkeys(SUFFIXES, "recording"),
    **dict.fromkeys((".url", ".website", ".webloc"), "shortcut"),
    ".canvas": "canvas",
    ".enex": "enex",
    ".webarchive": "webarchive",
    ".mbox": "mbox",
    ".ipynb": "notebook",
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
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
    "application/json": "json",
    "application/x-ndjson": "jsonl",
    "application/jsonl": "jsonl",
    "application/yaml": "yaml",
    "application/x-yaml": "yaml",
    "text/yaml": "yaml",
    "message/rfc822": "email",
    "application/x-mimearchive": "mhtml",
    "multipart/related": "mhtml",
    "application/enex+xml": "enex",
    "application/internet-shortcut": "shortcut",
    "application/x-mswinurl": "shortcut",
    "application/mbox": "mbox",
    "application/x-mail-thread": "mail_thread",
    "application/x-ipynb+json": "notebook",
    "text/x-rst": "rst",
    "text/prs.fallenstein.rst": "rst",
    "text/asciidoc": "asciidoc",
    "text/vtt": "subtitles",
    "text/calendar": "calendar",
    "application/ics": "calendar",
    "text/vcard": "vcard",
    "text/x-vcard": "vcard",
    "text/directory": "vcard",
    "application/x-subrip": "subtitles",
    "application/ttml+xml": "subtitles",
    "text/x-tex": "latex",
    "application/x-tex": "latex",
    "application/x-latex": "latex",
    "image/svg+xml": "xml",
    "application/xml": "xml",
    "text/xml": "xml",
    "application/docbook+xml": "xml",
    "application/jats+xml": "xml",
}
_VAGUE = frozenset(("text", "json", "xml"))
"""Media types that servers also declare for files of a more particular format."""
_BEGINNINGS = {
    "html": re.compile(
        rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*|<\?xml[^>]*\?>\s*)*<(?:!doctype\s+html|html|head|body)\b",
        re.IGNORECASE | re.DOTALL,
    ),
    "enex": re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<[?!][^>]*>\s*)*<en-export\b"),
    "xml": re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml\b"),
    "mbox": re.compile(rb"From \S.*\r?\n(?:[A-Za-z-]+: |>)"),
    "email": re.compile(
        rb"(?:(?:Return-Path|Received|From|To|Subject|Date|Message-ID|MIME-Version|Delivered-To|X-[\w-]+):[^\n]*\n"
        rb"(?:[ \t][^\n]*\n)*){3}",
        re.IGNORECASE,
    ),
    "subtitles": re.compile(rb"(?:\xef\xbb\xbf)?(?:WEBVTT(?:\s|$)|\[Script Info\]|1\r?\n\d\d:\d\d:\d\d,\d{3} --> )"),
    "calendar": re.compile(rb"(?:\xef\xbb\xbf)?BEGIN:VCALENDAR\b", re.IGNORECASE),
    "vcard": re.compile(rb"(?:\xef\xbb\xbf)?BEGIN:VCARD\b", re.IGNORECASE),
    "latex": re.compile(rb"\s*(?:%[^\n]*\n\s*)*\\documentclass\b"),
    "notebook": re.compile(rb'\s*\{\s*"(?:cells|nbformat)"\s*:.*"(?:cell_type|nbformat_minor)"', re.DOTALL),
}

_MAGIC = (
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"{\\rtf", "rtf"),
    *((mark, "xls") for mark in (b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00")),  # Excel 2 to 4
    (b"\x89PNG\r\n", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image/gif"),
    (b"II*\x00", "image"),
    (b"MM\x00*", "image"),
    (SIGNATURE, "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"%!PS", "application/postscript"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (b"\x7fELF", "application/x-executable"),
    (b"AT&TFORM", "image/vnd.djvu"),
    (b"!BDN", "application/vnd.ms-outlook-pst"),
    *((b"-----BEGIN PGP " + kind, "application/pgp-encrypted") for kind in (b"MESSAGE", b"SIGNATURE", b"PUBLIC KEY")),
    (b"ITSF", "application/vnd.ms-htmlhelp"),
    (b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3", "onenote"),
)
_FLAT = re.compile(
    rb"\s*(?:<\?[^>]*>\s*|<!--.*?-->\s*)*<(?:pkg:package|office:document|w:wordDocument"
    rb"|(?:ss:)?Workbook(?=[^>]*[\"']urn:schemas-microsoft-com:office:spreadsheet[\"']))\s",
    re.DOTALL,
)
"""How an Office document in one file of XML begins, whatever its name and its media type say."""
_NAMES = {"application/x-ole-storage": "this old Office file"}
_PDF, _BLANK = b"%PDF-", b"\0 \t\r\n\f\xef\xbb\xbf"
_OFFICE = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}
_MIMETYPES = {
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.text-template": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.spreadsheet-template": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/vnd.oasis.opendocument.presentation-template": "odp",
    "application/vnd.oasis.opendocument.graphics": "odg",
    "application/vnd.oasis.opendocument.graphics-template": "odg",
    "application/epub+zip": "epub",
}
_STREAMS = {
    "worddocument": "doc",
    "workbook": "xls",
    "book": "xls",
    "powerpoint document": "ppt",
    "__properties_version1.0": "msg",
}
"""The format by a stream of a compound file, whose names are compared without regard to case ([MS-CFB] 2.6.4)."""


def _marked(content: bytes, suffix: str) -> str | None:
    """Return the type, or the media type, that the first bytes give away; None for anything that may be text."""
    if content[:1024].lstrip(_BLANK).startswith(_PDF):
        return "pdf"
    if content[257:262] == b"ustar":
        return "tar"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image"
    found = next((found for mark, found in _MAGIC if content.startswith(mark)), None)
    if found == "application/zip":
        packed = _zip_format(content)
        return found if packed == "zip" and suffix in CONVERTED else packed
    if found == "application/x-ole-storage":
        return _compound_format(content, suffix)
    found = found or ("tar" if is_compressed(content) and is_tar(content) else None)
    return found or _recorded(content) or _flat(content) or _pdf(content)


def _flat(content: bytes) -> str | None:
    return "flat_office" if _FLAT.match(content[:4096].removeprefix(b"\xef\xbb\xbf")) else None


def _pdf(content: bytes) -> str | None:
    """Return "pdf" for one behind other bytes, as some programs write them; a text about PDFs has no objects."""
    return "pdf" if _PDF in content[:1024] and b" obj" in content else None


def _recorded(content: bytes) -> str | None:
    return "recording" if is_recording(content) else None


def _zip_format(content: bytes) -> str:
    """Return the format of a ZIP file: Office and OpenDocument files and EPUB books are such."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                stated = archive.read("mimetype").decode("ascii", "replace").strip()
                return _MIMETYPES.get(stated, stated if "/" in stated else "zip")
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError):
        return "zip"
    if export_folder(names) is not None:
        return "slack"
    if is_notion(names):
        return "notion"
    if "[Content_Types].xml" in names:
        for folder, found in _OFFICE.items():
            if any(name.startswith(folder) for name in names):
                return found
    return "zip"


def _compound_format(content: bytes, suffix: str) -> str:
    """Return the format of an OLE compound file (old Office, Outlook) by the streams in it."""
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(content)) as compound:
            streams = {path[0].lower() for path in compound.listdir()}
    except (OSError, ValueError, IndexError, TypeError, AttributeError, RecursionError):
        return "application/x-ole-storage"
    if "encryptedpackage" in streams:
        raise ExtractionError(f"this {suffix or 'Office'} file is encrypted: it opens with a password only")
    return next((found for stream, found in _STREAMS.items() if stream in streams), "application/x-ole-storage")


_TEXTUAL = re.compile(
    r"text/.*|.*\+(?:json|xml|yaml)|(?:application|binary)/octet-stream"
    r"|application/(?:x-)?(?:json|xml|yaml|toml|javascript|sql|sh|csv|ndjson|tex|latex)"
)


def _refuse(media: str, suffix: str) -> str:
    name = _NAMES.get(media) or (f"{suffix} files" if suffix else "this kind of file")
    raise ExtractionError(f"no reader for {name} ({media})")
