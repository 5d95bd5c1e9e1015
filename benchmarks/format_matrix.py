"""What is kept of office files, mail and markup: which structures, and how many of the words that another reader finds.

    python -m benchmarks.format_matrix FOLDER… [--only doc pst]

All files below the folders are read as a sync reads them, in the cell and with the converters that are installed, and
grouped by format; of a mailbox or compiled help, what is in it counts together. A structure's cell counts the files
in whose text it stands; "boxes" counts the files that have text boxes, whose words are compared like all others.
"Losses" counts the files that say what was not kept. Words are compared with a second reader: those of all parts of a
file in XML (docx, pptx, xlsx, odt …), what xlrd says of xls and, where these programs are installed, what LibreOffice
says of doc and rtf, lspst of the subjects in a mailbox of Outlook, djvutxt of a scanned book, 7-Zip and lxml of the
pages of compiled help; a file whose hidden sheets or further rows are left out, and which says so, is not compared.
"Silent" counts the
files of which at least 5 words and 5 % of them are missing, and which do not say that anything was not kept. These and
the files that were not read are named on standard error. The exit code is 1 when a format keeps fewer words than its
floor.
"""

import argparse
import io
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree, html

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.converters.registry import converter_for, installed
from rag_platform.documents.formats.xml_tree import local
from rag_platform.documents.options import Options
from rag_platform.documents.reading.detection import detect_type
from rag_platform.documents.sandbox.process import ReaderProcess

FLOORS = {
    **dict.fromkeys(("chm", "djvu", "doc", "docx", "odt", "rtf"), 0.97),
    **dict.fromkeys(("ost", "pptx", "pst", "xls", "xlsx"), 0.95),
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
    def share(self) -> float:
        """The share of the second reader's words that are kept."""
        return self.kept / self.words if self.words else 1.0


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


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(name)
    return found


SECOND: dict[str, Callable[[Path], str]] = {
    **dict.fromkeys(("docx", "pptx", "xlsx", "odt", "odp", "ods"), xml_words),
    **dict.fromkeys(("doc", "rtf"), office_words),
    **dict.fromkeys(("ost", "pst"), subjects),
    "chm": help_words,
    "djvu": book_words,
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
        lines.append(f"| {kind} | {row.files} | {row.read} | {cells} | {f'{row.share:.1%}' if row.words else '–'} |")
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
    below = [kind for kind, floor in FLOORS.items() if kind in rows and rows[kind].share < floor]
    print(f"below their floor: {', '.join(below)}" if below else "every format keeps its floor", file=sys.stderr)
    return int(bool(below))


if __name__ == "__main__":
    sys.exit(main())
