"""Spreadsheets (xlsx, xlsm, xlsb, ods): each sheet a heading, each block of cells in it a table."""

import re
from collections import Counter
from collections.abc import Mapping
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import python_calamine as calamine

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost
from rag_platform.documents.formats.markdown_writer import heading, join
from rag_platform.documents.formats.office.embedded import embedded_files
from rag_platform.documents.formats.office.margins import margins
from rag_platform.documents.formats.office.packages import Package, properties, told, unread
from rag_platform.documents.formats.office.sheet_extras import Extras, read_extras
from rag_platform.documents.formats.office.sheet_tables import MOST_ROWS, Links, most_rows, sheet_blocks
from rag_platform.documents.formats.office.stray_cells import without_strays
from rag_platform.documents.formats.xml_tree import parse_xml

_OF_CELLS = frozenset(("mimetype", "META-INF/manifest.xml", "styles.xml"))
"""What says how the cells of an OpenDocument spreadsheet are meant."""
_BEFORE_TAG, _AFTER_TAG = re.compile(rb"(?<!\s)\s++(?=</?table:)"), re.compile(rb"(</?table:[^>]*+>)\s++")

_FAILURES = (calamine.CalamineError, OSError, ValueError)
_PANIC = "PanicException"
"""What a library in Rust raises when it met what cannot be; it is no `Exception`, and each such library has its own."""


def read_xlsx(content: bytes) -> Extracted:
    """Read an Excel workbook.

    Raises:
        ExtractionError: It is damaged, or unpacks beyond what is allowed.
    """
    package = Package(content)
    gathered, strays = without_strays(content, package, rows=MOST_ROWS)
    package = Package(content)  # whose parts may be unpacked once more
    lost = unread(package)
    lost["cells"] = strays
    _count_binary(package, lost)
    extras = read_extras(package, lost)
    text, flags = read_cells(gathered, extras.blocks, lost, extras.links)
    text = join([text, *margins(extras.margins, [text])])
    flags += (f"cells far from all others left out: {strays}",) if strays else ()
    members, about = embedded_files(package, lost), properties(package)
    return Extracted(text=text, type="xlsx", members=members, **about, **told(package, lost, *flags))


def _count_binary(package: Package, lost: Counter[Lost]) -> None:
    """Count drawings with words, and links, of a binary workbook (xlsb): where they are is told in binary."""
    if "xl/workbook.bin" not in package.names:
        return
    drawings = (name for name in package.names if re.fullmatch(r"xl/drawings/drawing\d+\.xml", name))
    lost["text boxes"] += sum(b"<a:t>" in package.read(name) for name in drawings)
    sheets = (name for name in package.names if re.fullmatch(r"xl/worksheets/[^/]+\.bin", name))
    lost["links"] += sum(link.kind == "hyperlink" for name in sheets for link in package.links(name).values())


def read_ods(content: bytes) -> Extracted:
    """Read an OpenDocument spreadsheet.

    Raises:
        ExtractionError: It is damaged, or unpacks beyond what is allowed.
    """
    from rag_platform.documents.formats.office.opendocument import meta, sheet_extras, unread_parts

    package = Package(content)
    about, cells = meta(package), package.read("content.xml")
    lost, extras = Counter[Lost](), Extras()
    if any(mark in cells for mark in (b"<draw:", b":annotation", b":a ", b"HYPERLINK(")):
        root = parse_xml(cells, "content.xml")
        lost, extras = unread_parts(package, root), sheet_extras(package, root)
    try:
        text, flags = read_cells(content, extras.blocks, lost, extras.links)
    except ExtractionError:  # calamine takes no blanks between rows and cells, which indented files have
        text, flags = read_cells(_unindented(package, cells), extras.blocks, lost, extras.links)
    return Extracted(text=text, type="ods", **about, **told(package, lost, *flags))


def _unindented(package: Package, cells: bytes) -> bytes:
    """Return a workbook without what is blank before and after the tags of its tables."""
    workbook = BytesIO()
    with ZipFile(workbook, "w") as file:
        for name in _OF_CELLS & package.names:
            file.writestr(name, package.read(name))
        file.writestr("content.xml", _AFTER_TAG.sub(rb"\1", _BEFORE_TAG.sub(b"", cells)))
    return workbook.getvalue()


def read_cells(
    content: bytes, extras: dict[str, list[str]], lost: Counter[Lost], links: Mapping[str, Links] | None = None
) -> tuple[str, tuple[str, ...]]:
    """Return the text of a workbook and what was noticed.

    Args:
        content: Its bytes.
        extras: What stands beside the cells of each sheet.
        lost: Counts what is not kept.
        links: Of the cells of each sheet.

    Raises:
        ExtractionError: It is damaged.
    """
    try:
        book = calamine.load_workbook(BytesIO(content))
    except _FAILURES as error:
        raise ExtractionError(f"damaged spreadsheet: {error}") from error
    blocks, flags, before = [], [], lost["tables"]
    for sheet in book.sheets_metadata:
        if sheet.visible != calamine.SheetVisibleEnum.Visible:
            flags.append(f"hidden sheet left out: {sheet.name}")
            lost["hidden sheets"] += 1
            continue
        found = [*_sheet(book, sheet, flags, lost, (links or {}).get(sheet.name)), *extras.get(sheet.name, ())]
        blocks += [heading(2, sheet.name), *found] if found else []
    if lost["tables"] > before and not blocks:
        raise ExtractionError(f"damaged spreadsheet: {'; '.join(flags)}")  # which another reader may read
    return join(blocks), tuple(flags)


def _sheet(book: Any, about: Any, flags: list[str], lost: Counter[Lost], links: Links | None) -> list[str]:
    """Return a sheet's blocks; one that cannot be read is flagged."""
    if about.typ != calamine.SheetTypeEnum.WorkSheet:
        lost["macros"] += about.typ in (calamine.SheetTypeEnum.MacroSheet, calamine.SheetTypeEnum.Vba)
        return []
    try:
        sheet = book.get_sheet_by_name(about.name)
    except BaseException as error:
        if not isinstance(error, _FAILURES) and type(error).__name__ != _PANIC:
            raise
        flags.append(f"sheet {about.name!r} not read: {error}")
        lost["tables"] += 1
        return []
    if not sheet.width:
        return []
    most = most_rows(sheet.width)
    values = sheet.to_python(skip_empty_area=False, nrows=(sheet.start or (0, 0))[0] + most)
    if sheet.height > most:
        flags.append(f"sheet {about.name!r}: {sheet.height} rows, the first {most} read")
        lost["rows"] += sheet.height - most
    return sheet_blocks(values, sheet.merged_cell_ranges or (), links)
