"""What is kept of office files, mail and markup: which structures, and how many of the words that another reader finds.

    python -m benchmarks.format_matrix FOLDER… [--only doc pst]

All files below the folders are read as a sync reads them, in the cell and with the converters that are installed, and
grouped by format; of a mailbox or compiled help, what is in it counts together. A structure's cell counts the files
in whose text it stands; "boxes" counts the files that have text boxes, whose words are compared like all others.
"Losses" counts the files that say what was not kept. Words are compared with a second reader: those of all parts of a
file in XML (docx, pptx, xlsx, odt …), what xlrd says of xls, lxml of the chapters of a book (epub), Python's email
package of a mail, olefile of a message of Outlook and of the slides of ppt, a few lines here of calendars and contacts
and, where these programs are installed, what LibreOffice says of doc and rtf, lspst of the subjects in a mailbox of
Outlook, djvutxt of a scanned book, 7-Zip and lxml of the pages of compiled help; a file whose hidden sheets or further
rows are left out, and which says so, is not compared. "Silent" counts the
files of which at least 5 words and 5 % of them are missing, and which do not say that anything was not kept. These and
the files that were not read are named on standard error. The exit code is 1 when a format keeps fewer words than its
floor, and when a format with a floor was compared with nothing, for the second reader is not installed or read no file.
"""

import argparse
import io
import posixpath
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import default
from pathlib import Path
from urllib.parse import unquote

import olefile
from lxml import etree, html

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.converters.registry import converter_for, installed
from rag_platform.documents.formats.xml_tree import local
from rag_platform.documents.options import Options
from rag_platform.documents.reading.detection import detect_type
from rag_platform.documents.sandbox.process import ReaderProcess

FLOORS = {
    **dict.fromkeys(("calendar", "chm", "djvu", "doc", "docx", "email", "epub", "odt", "rtf", "vcard"), 0.97),
    **dict.fromkeys(("msg", "odp", "ods", "ppt", "pptx", "pst", "xls", "xlsx"), 0.95),
}
"""The share of the second reader's words that each format keeps at least, over all files."""
STRUCTURES = {
    "headings": re.compile(r"^#{1,6} ", re.MULTILINE),
    "lists": re.compile(r"^ *(?:-|\d+[.)]) ", re.MULTILINE),
    "tables": re.compile(r"^\| ", re.MULTILINE),
    "notes": re.compile(r"^(?:\[\^\w+\]: |Notes: |\[(?:author|comment|time))", re.MULTILINE),
    "links": re.compile(r"\]\((?:https?|mailto):"),
}
_BOXES = re.compile(rb"txbxContent|<xdr:txBody|<draw:text-box|\\shptxt")
_WORD = re.compile(r"\w+")
_FEW, _SHARE = 5, 0.05
_HOLDERS = frozenset(("chm", "mbox", "ost", "pst"))
_PARTS = re.compile(
    r"word/(?:document|footnotes|endnotes|comments|header\d*|footer\d*)\.xml|ppt/(?:slides|notesSlides)/[^/]+\.xml"
    r"|xl/(?:sharedStrings|drawings/[^/]+|comments\d*)\.xml|content\.xml"
)


@dataclass(slots=True)
class Row:
    """The files of a format."""

    files: int = 0
    read: int = 0
    found: Counter[str] = field(default_factory=Counter)
    """Files, by what was seen in them."""
    words: int = 0
    """Of the second reader."""
    kept: int = 0

    @property
    def share(self) -> float | None:
        """The share of the second reader's words that are kept; None: there are none to compare with."""
        return self.kept / self.words if self.words else None


def xml_words(path: Path) -> str:
    """Return the words of all parts of a file of many parts, as they stand."""
    with zipfile.ZipFile(path) as file:
        names = [name for name in file.namelist() if _PARTS.fullmatch(name)]
        roots = (etree.parse(io.BytesIO(file.read(name)), etree.XMLParser(recover=True)).getroot() for name in names)
        return "\n".join(line for root in roots if root is not None for line in _lines(root))


def _lines(root: etree._Element) -> Iterator[str]:
    """Yield the text of each paragraph or string; what another program draws in place of a shape counts once."""
    for again in (*root.findall(".//{*}Fallback"), *root.findall(".//{*}rPh")):  # and how it is pronounced
        again.clear()
    if "openxmlformats" in root.tag:
        yield from ("".join(map(_own_text, one.iter("{*}t"))) for one in root.iter("{*}p", "{*}si") if not _within(one))
        return
    yield from ("".join(one.itertext()) for one in root.iter("{*}p", "{*}h") if not _within(one))


def _own_text(element: etree._Element) -> str:
    return f"{element.text or ''}{' ' if _within(element, 2) else ''}"


def _within(element: etree._Element, most: int = 1) -> bool:
    """Return whether an element lies in a paragraph, or in several: a text box stands in one."""
    return sum(local(above) in ("p", "h", "si") for above in element.iterancestors()) >= most


def xls_words(path: Path) -> str:
    """Return the words of an old workbook's visible sheets, by xlrd."""
    import xlrd

    book = xlrd.open_workbook(str(path), logfile=io.StringIO())
    cells = (cell for sheet in book.sheets() if not sheet.visibility for row in sheet.get_rows() for cell in row)
    return " ".join(str(cell.value) for cell in cells if cell.ctype == xlrd.XL_CELL_TEXT)


def office_words(path: Path) -> str:
    """Return the words of a text, by LibreOffice."""
    program = _program("soffice")
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "--headless", f"-env:UserInstallation=file://{tempfile.gettempdir()}/format-matrix"]
        command += ["--convert-to", "txt:Text (encoded):UTF8", "--outdir", folder, str(path)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return next(Path(folder).glob("*.txt")).read_text("utf-8-sig")


def subjects(path: Path) -> str:
    """Return the subjects of the messages in a mailbox of Outlook that were not deleted, by lspst."""
    listed = subprocess.run([_program("lspst"), str(path)], check=False, capture_output=True, timeout=120)
    folders = listed.stdout.decode("utf-8", "replace").split('Folder "')
    kept = (folder for folder in folders if not folder.startswith('Deleted Items"'))
    return "\n".join(line.partition("\tSubject: ")[2] for folder in kept for line in folder.split("\n"))


def book_words(path: Path) -> str:
    """Return the text of a scanned book, by djvutxt."""
    return subprocess.run(
        [_program("djvutxt"), str(path)], check=True, capture_output=True, timeout=120
    ).stdout.decode()


def help_words(path: Path) -> str:
    """Return the words of the pages of compiled help, by 7-Zip and lxml."""
    with tempfile.TemporaryDirectory() as folder:
        command = [_program("7zz"), "x", "-y", "-bd", f"-o{folder}", str(path), "-r", "*.htm", "*.html"]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        pages = (page.read_bytes() for page in sorted(Path(folder).rglob("*.htm*")))
        return "\n".join(_body(page) for page in pages if page.strip())


def _body(page: bytes) -> str:
    return "\n".join(etree.XPath("//body//text()[not(ancestor::script)]")(html.fromstring(page)))


def book_text(path: Path) -> str:
    """Return the words of a book's chapters, by its list of what is read in which order."""
    with zipfile.ZipFile(path) as file:
        named = next(name for name in file.namelist() if name.endswith(".opf"))
        book = etree.fromstring(file.read(named))
        places = {
            one.get("id"): posixpath.join(posixpath.dirname(named), one.get("href")) for one in book.iter("{*}item")
        }
        chapters = (unquote(places[one.get("idref")]) for one in book.iter("{*}itemref"))
        return "\n".join(_body(file.read(name)) for name in chapters)


def mail_words(path: Path) -> str:
    """Return the subject and the text of a mail, by Python's email package."""
    message = BytesParser(policy=default).parsebytes(path.read_bytes())
    body = message.get_body(("html", "plain"))
    text = body.get_content() if body else ""
    return f"{message['subject']}\n{_body(text.encode()) if body and body.get_content_subtype() == 'html' else text}"


def outlook_words(path: Path) -> str:
    """Return the subject and the plain text of a message, by the streams that hold them."""
    with olefile.OleFileIO(path) as file:
        streams = [name for name in ("__substg1.0_0037001F", "__substg1.0_1000001F") if file.exists(name)]
        return "\n".join(file.openstream(name).read().decode("utf-16-le") for name in streams)


_SLIDES, _NOTES, _MASTERS, _CHARACTERS, _BYTES, _USER_EDIT = 4080, 1008, (1016, 4041), 4000, 4008, 4085
_OF_NONE = b"\x80"
"""The highest byte of the number of a slide that notes are of, when they are of a master."""


def slide_words(path: Path) -> str:
    """Return the text atoms of a presentation ([MS-PPT] 2.9.42, 2.9.44) that was saved once, masters apart."""
    with olefile.OleFileIO(path) as file:
        data = file.openstream("PowerPoint Document").read()
    texts, edits, place = [], 0, 0
    while place + 8 <= len(data):
        head, kind, length = struct.unpack_from("<HHI", data, place)
        place, edits = place + 8, edits + (kind == _USER_EDIT)
        master = kind in _MASTERS or (kind, head >> 4) == (_SLIDES, 1)
        if head & 15 == 15 and not master and not (kind == _NOTES and data[place + 11 : place + 12] == _OF_NONE):
            continue  # into what it holds; notes of no slide are their master
        if kind in (_CHARACTERS, _BYTES):
            texts.append(data[place : place + length].decode("utf-16-le" if kind == _CHARACTERS else "latin-1"))
        place += length
    if edits > 1:
        raise ValueError("it holds what it said before, too")
    return "\n".join(texts)


def card_words(path: Path) -> str:
    """Return what the properties of a calendar or of contacts say that hold words, each once: an alarm repeats them."""
    text = re.sub(r"\r?\n[ \t]", "", path.read_text("utf-8", "replace"))
    values = [found[1] for found in _TOLD.finditer(_BESIDE.sub("", text))]
    return re.sub(r"\\[nN]", "\n", "\n".join(dict.fromkeys(values)))


_BESIDE = re.compile(r"^BEGIN:(VTIMEZONE|VAVAILABILITY)\b.*?^END:\1\b", re.MULTILINE | re.DOTALL)
"""What tells no appointment."""
_TOLD = re.compile(
    r"^(?:SUMMARY|DESCRIPTION|LOCATION|COMMENT|CONTACT|FN|ORG|TITLE|ROLE|NOTE)(?:;(?:\"[^\"\n]*\"|[^\":\n])*)?:(.*)",
    re.MULTILINE | re.IGNORECASE,
)


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(name)
    return found


SECOND: dict[str, Callable[[Path], str]] = {
    **dict.fromkeys(("docx", "pptx", "xlsx", "odt", "odp", "ods"), xml_words),
    **dict.fromkeys(("doc", "rtf"), office_words),
    **dict.fromkeys(("ost", "pst"), subjects),
    **dict.fromkeys(("calendar", "vcard"), card_words),
    "chm": help_words,
    "djvu": book_words,
    "email": mail_words,
    "epub": book_text,
    "msg": outlook_words,
    "ppt": slide_words,
    "xls": xls_words,
}


def kind_of(path: Path) -> str | None:
    """Return the format of a file, also of one for a converter; None: nobody reads it, or a password protects it."""
    content = path.read_bytes()
    try:
        return detect_type(content, uri=path.name)
    except ExtractionError as error:
        known = converter_for(content, path.suffix.lower())
        return None if known is None or "password" in str(error) else known[1].removeprefix(".")


def measure(path: Path, row: Row, kind: str, reader: ReaderProcess) -> None:
    """Read a file and add what was found to its format's row."""
    row.files += 1
    content = path.read_bytes()
    parts = list(reader.read(content, uri=path.name, options=Options(converter=installed())))
    whole = parts[-1].read
    if whole is None:
        print(f"not read: {path}: {parts[-1].reason}", file=sys.stderr)
        return
    row.read += 1
    inside = (
        (f"{part.read.title}\n{part.read.text}" for part in parts if part.read) if kind in _HOLDERS else (whole.text,)
    )
    text = "\n\n".join(inside)
    row.found.update(name for name, mark in STRUCTURES.items() if mark.search(text))
    row.found["boxes"] += bool(_BOXES.search(content) or _boxed(path))
    row.found["metadata"] += bool(whole.author or whole.published_at or whole.title)
    row.found["losses"] += bool(whole.losses)
    row.found["converted"] += any(flag.startswith("converted by ") for flag in whole.flags)
    if {loss.what for loss in whole.losses} & {"hidden sheets", "rows"}:
        return
    try:
        expected = Counter(_WORD.findall(SECOND[kind](path).lower())) if kind in SECOND else Counter()
    except Exception:  # noqa: BLE001 (whatever a library raises, there is nothing to compare with)
        return
    missing = (expected - Counter(_WORD.findall(text.lower()))).total()
    row.words += expected.total()
    row.kept += expected.total() - missing
    if missing >= max(_FEW, _SHARE * expected.total()) and not (whole.losses or whole.flags):
        row.found["silent"] += 1
        print(f"silent: {path}: {missing} of {expected.total()} words", file=sys.stderr)


def _boxed(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as file:
            return any(_BOXES.search(file.read(name)) for name in file.namelist() if _PARTS.fullmatch(name))
    except (zipfile.BadZipFile, NotImplementedError, OSError, RuntimeError):
        return False


_COLUMNS = ("headings", "lists", "tables", "notes", "boxes", "links", "metadata", "losses", "silent", "converted")


def table(rows: dict[str, Row]) -> str:
    """Return the matrix in Markdown."""
    lines = [f"| format | files | read | {' | '.join(_COLUMNS)} | words kept |", f"|---|{'--:|' * (len(_COLUMNS) + 3)}"]
    for kind, row in sorted(rows.items()):
        cells = " | ".join(str(row.found[name]) for name in _COLUMNS)
        lines.append(
            f"| {kind} | {row.files} | {row.read} | {cells} | {'–' if row.share is None else f'{row.share:.1%}'} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Print the matrix; return 1 when a format keeps fewer words than its floor."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--only", nargs="*", default=[], metavar="FORMAT")
    given = parser.parse_args()
    rows: dict[str, Row] = defaultdict(Row)
    reader = ReaderProcess()
    for path in sorted(path for folder in given.folders for path in folder.rglob("*") if path.is_file()):
        kind = kind_of(path)
        if kind and (not given.only or kind in given.only):
            measure(path, rows[kind], kind, reader)
    reader.close()
    print(table(rows))
    failed = below_floor(rows)
    print("\n".join(failed) or "every format keeps its floor", file=sys.stderr)
    return int(bool(failed))


def below_floor(rows: dict[str, Row]) -> list[str]:
    """Return which formats keep fewer words than their floor, or were compared with nothing."""
    shares = {kind: (row.share, FLOORS[kind]) for kind, row in rows.items() if kind in FLOORS and row.read}
    return [
        f"{kind}: compared with nothing" if share is None else f"{kind}: {share:.1%}, below its floor of {floor:.0%}"
        for kind, (share, floor) in shares.items()
        if share is None or share < floor
    ]


if __name__ == "__main__":
    sys.exit(main())
