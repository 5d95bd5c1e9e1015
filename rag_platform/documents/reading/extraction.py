"""One document of any format to text: detects the format and calls its reader.

A reader is a plain function of bytes; its module is imported when the first such document is met.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any

from rag_platform.core.errors import ExtractionError, RagError, Unconverted
from rag_platform.documents.extracted import ARCHIVES, Extracted, Member
from rag_platform.documents.file_names import suffix_of
from rag_platform.documents.formats.converters import registry
from rag_platform.documents.options import Limits, Options
from rag_platform.documents.reading.detection import detect_type, header
from rag_platform.text.cleaning import clean, clean_line

READERS = {
    "7z": "archives.sevenzip:read_sevenzip",
    "asciidoc": "markup.asciidoc:read_asciidoc",
    "calendar": "contacts.calendars:read_calendar",
    "canvas": "notes.canvas:read_canvas",
    "chat": "chat.json_exports:read_chat",
    "code": "code.reader:read_code",
    "csv": "data.csv:read_csv",
    "djvu_text": "converters.djvu_text:read_djvu_text",
    "doc": "old_office.word:read_doc",
    "docx": "office.docx:read_docx",
    "email": "mail.email:read_email",
    "enex": "notes.evernote:read_evernote",
    "epub": "web.epub:read_epub",
    "flat_office": "data.flat_office:read_flat_office",
    "html": "web.html:read_html",
    "image": "images.image:read_image",
    "json": "data.json_yaml:read_json",
    "jsonl": "data.json_yaml:read_jsonl",
    "latex": "markup.latex:read_latex",
    "markdown": "markup.markdown:read_markdown",
    "mail_thread": "mail.mailboxes:read_thread",
    "mhtml": "mail.saved_page:read_saved_page",
    "mbox": "mail.mailboxes:read_mbox",
    "msg": "mail.outlook:read_msg",
    "notebook": "markup.notebook:read_notebook",
    "notion": "notes.notion:read_notion",
    "odg": "office.opendocument:read_odg",
    "odp": "office.opendocument:read_odp",
    "ods": "office.spreadsheets:read_ods",
    "odt": "office.opendocument:read_odt",
    "onenote": "onenote.reader:read_onenote",
    "pdf": "pdf.reader:read_pdf",
    "ppt": "old_office.slides:read_ppt",
    "pptx": "office.pptx:read_pptx",
    "rar": "archives.rar:read_rar",
    "recording": "speech.recording:read_recording",
    "rst": "markup.rst:read_rst",
    "rtf": "rich_text.reader:read_rtf",
    "shortcut": "web.shortcut:read_shortcut",
    "slack": "chat.slack:read_slack",
    "subtitles": "markup.subtitles:read_subtitles",
    "tar": "archives.zip_and_tar:read_archive",
    "text": "plain_text:read_text",
    "vcard": "contacts.vcard:read_vcard",
    "webarchive": "web.webarchive:read_webarchive",
    "whatsapp": "chat.whatsapp:read_whatsapp",
    "xls": "old_office.workbooks:read_xls",
    "xlsx": "office.spreadsheets:read_xlsx",
    "xml": "data.xml:read_xml",
    "yaml": "data.json_yaml:read_yaml",
    "zip": "archives.zip_and_tar:read_archive",
}
"""Each type's reader: module of `documents.formats`, and function."""
_SECOND = {"xls": "old_office.early_workbooks:read_xls"}
"""The reader that tries what the first one refuses."""
_CONVERTED_TOO = frozenset(("doc", "ppt", "text", "xls", "xlsx"))
"""Formats of which a file that is refused is given to the converter; what is not text may be anything."""
_BY_NAME = frozenset(("text", "xlsx"))
"""Those whose converter goes by the suffix: of workbooks in parts, LibreOffice is given the binary ones (xlsb)."""
SUPPORTED = tuple(READERS)
_CHARSET = frozenset(
    ("asciidoc", "calendar", "csv", "html", "json", "jsonl", "latex", "markdown", "rst", "subtitles", "text", "vcard",
     "whatsapp", "yaml")
)  # fmt: skip
"""Formats whose reader takes the encoding that the server declared."""


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
        uri: Where it is from; its extension decides the format when nothing better does.
        content_type: The declared media type, such as ``text/html; charset=utf-8``.
        type: One of `SUPPORTED`, when it is known.
        options: What the settings say to the readers.
        limits: What it may take.

    Raises:
        ExtractionError: There is no reader for it, or the reader could not read it.
    """
    try:
        found = type or detect_type(content, uri=uri, content_type=content_type)
    except ExtractionError as error:
        return _cleaned(_converted(content, suffix_of(uri), options, limits, error))
    if found not in READERS:
        raise ExtractionError(f"{uri}: no reader for the type {found!r}; supported: {', '.join(SUPPORTED)}")
    arguments: dict[str, Any] = {"charset": header(content_type).get_content_charset()} if found in _CHARSET else {}
    arguments |= {"uri": uri} if found in ("chat", "code", "html", "mhtml", "shortcut", "whatsapp") else {}
    arguments |= {"comments": options.comments} if found in ("html", "mhtml", "webarchive") else {}
    arguments |= {"type": found} if found in ("tar", "zip") else {}
    arguments |= {"options": options} if found in ("image", "pdf", "recording") else {}
    arguments |= {"limits": limits} if found in ("enex", "notion", "pdf", "slack", *ARCHIVES) else {}
    try:
        return _cleaned(_chained(found, content, arguments))
    except ExtractionError as error:
        if found not in _CONVERTED_TOO:
            raise
        suffix = suffix_of(uri) if found in _BY_NAME else f".{found}"
        return _cleaned(_converted(content, suffix, options, limits, error))


def _chained(found: str, content: bytes, arguments: dict[str, Any]) -> Extracted:
    """Read with the reader of a format, then with the second one, if there is such."""
    try:
        return _read(READERS[found], found, content, arguments)
    except ExtractionError as error:
        if found not in _SECOND:
            raise
        second = _SECOND[found]
        read = _read(second, found, content, arguments)
        return replace(read, flags=(*read.flags, f"read by {second.partition(':')[0]}, because: {error}"))


def _cleaned(read: Extracted) -> Extracted:
    return replace(read, text=clean(read.text), title=clean_line(read.title), author=clean_line(read.author))


def _converted(content: bytes, suffix: str, options: Options, limits: Limits, because: ExtractionError) -> Extracted:
    """Read what a converter makes of a file.

    Raises:
        ExtractionError: `because`, with what would read it; or the converter does not read it either.
    """
    known = registry.converter_for(content, suffix)
    if known is None or "password" in str(because):
        raise because
    converter, suffix = known
    if options.converter == "off":
        raise Unconverted(str(because), converter.name) from because
    name, target = registry.named(converter, options.converter), converter.targets[suffix]
    if not name:
        raise Unconverted(f"{because}; {converter.name} may read it: {converter.install}", converter.name) from because
    arguments: dict[str, Any] = {"type": target, "limits": limits} if target == "tar" else {}
    try:
        made, code = registry.converted(content, suffix)
        read = _read(READERS[target], target, made, arguments)
    except ExtractionError as error:
        raise Unconverted(f"{because}; {name} does not read it either: {error}", converter.name) from error
    flags = [f"converted by {name}, because: {because}"]
    flags += [f"{name} ended with code {code}: it may not have read all of it"] if code else []
    kind = suffix.removeprefix(".")
    return replace(read, type=kind, flags=(*read.flags, *flags), converter=converter.name)


def _read(reader: str, found: str, content: bytes, arguments: dict[str, Any]) -> Extracted:
    """Read with a reader of `READERS`.

    Raises:
        ExtractionError: It failed, also while its members are taken.
    """
    with _reasons(found):
        read = _reader(reader)(content, **arguments)
        return replace(read, members=_members(read.members, found))


def _members(members: Iterable[Member], found: str) -> Iterable[Member]:
    return members if isinstance(members, tuple) else _one_by_one(members, found)


def _one_by_one(members: Iterable[Member], found: str) -> Iterator[Member]:
    with _reasons(found):
        yield from members


@contextmanager
def _reasons(found: str) -> Iterator[None]:
    """Make whatever a reader raises the reason why it failed, also a panic of a library in Rust: no `Exception`."""
    try:
        yield
    except RecursionError as error:
        raise ExtractionError(f"nested deeper than can be read as {found}") from error
    except (RagError, MemoryError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        raise ExtractionError(f"the reader of {found} failed on it: {error.__class__.__name__}: {error}") from error


def _reader(place: str) -> Callable[..., Extracted]:
    module, _, name = place.partition(":")
    reader: Callable[..., Extracted] = getattr(import_module(f"rag_platform.documents.formats.{module}"), name)
    return reader
