"""Programs that take the documents out of a file: readpst, 7-Zip, DjVuLibre."""

from pathlib import Path

from rag_platform.documents.formats.converters.converter import FOLDER, Converter

_READ = ("htm", "html", "xhtml", "txt", "pdf", "doc", "xls", "ppt", "rtf", "one")
"""What is read of compiled help and of notebooks: pages, documents, sections, not the parts that they are made of."""


def _mailboxes(program: Path, folder: Path, given: Path, _target: str) -> list[str]:
    return [str(program), "-q", "-r", "-8", "-j", "0", "-o", str(folder / FOLDER), str(given)]


def _documents(program: Path, folder: Path, given: Path, _target: str) -> list[str]:
    wanted = [f"-ir!*.{suffix}" for suffix in _READ]
    return [str(program), "x", "-y", "-bd", "-ssc-", "-mmt=1", f"-o{folder / FOLDER}", str(given), *wanted]


def _text(program: Path, _folder: Path, given: Path, _target: str) -> list[str]:
    return [str(program), "-u", "-e", "print-pure-txt", str(given)]


READPST = Converter(
    name="readpst",
    purpose="mailboxes of Outlook (pst, ost)",
    install="apt-get install pst-utils",
    programs=("readpst",),
    targets={".pst": "tar", ".ost": "tar"},
    command=_mailboxes,
    marks={b"!BDN": ".pst"},
    asks_version=("-V",),
)
"""A mailbox of Outlook: a mailbox, a calendar and contacts for each of its folders."""
SEVEN_ZIP = Converter(
    name="7-Zip",
    purpose="compiled help (chm), notebooks of OneNote (onepkg)",
    install="apt-get install 7zip",
    programs=("7zz", "7z", "7za"),
    targets={".chm": "tar", ".onepkg": "tar"},
    command=_documents,
    marks={b"ITSF": ".chm"},
)
"""Compiled help: its pages; a notebook: its sections."""
DJVULIBRE = Converter(
    name="DjVuLibre",
    purpose="scanned books (djvu)",
    install="apt-get install djvulibre-bin",
    programs=("djvused",),
    targets={".djvu": "djvu_text", ".djv": "djvu_text"},
    command=_text,
    prints=True,
    marks={b"AT&TFORM": ".djvu"},
)
"""A scanned book: the text behind its pages."""
