"""Spreadsheets (xlsx, xlsm, xlsb, xls, ods): each sheet a heading, each block of cells in it a table."""

import posixpath
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from io import BytesIO
from itertools import groupby
from typing import Any

import python_calamine as calamine

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.markdown_writer import comment, heading, join, paragraph, table
from rag_platform.documents.formats.office.charts import read_charts
from rag_platform.documents.formats.office.packages import Package, properties
from rag_platform.documents.formats.office.stray_cells import without_strays
from rag_platform.documents.formats.xml_tree import attribute, every

MOST_ROWS = 20_000
"""Rows of a sheet that become text."""
MOST_CELLS = 1_000_000

Grid = Sequence[Sequence[str]]


def read_xlsx(content: bytes) -> Extracted:
    """Read an Excel workbook.

    Raises:
        ExtractionError: It is damaged, or unpacks beyond what is allowed.
    """
    gathered, strays = without_strays(content, Package(content), rows=MOST_ROWS)
    text, flags = _read(gathered, _extras(Package(content)))
    flags += (f"cells far from all others left out: {strays}",) if strays else ()
    return Extracted(text=text, type="xlsx", flags=flags, **properties(Package(content)))


def read_ods(content: bytes) -> Extracted:
    """Read an OpenDocument spreadsheet.

    Raises:
        ExtractionError: It is damaged, or unpacks beyond what is allowed.
    """
    from rag_platform.documents.formats.office.opendocument import meta

    package = Package(content)
    package.read("content.xml")
    about = meta(package)
    text, flags = _read(content, {})
    return Extracted(text=text, type="ods", flags=flags, **about)


def read_xls(content: bytes) -> Extracted:
    """Read a workbook of old Excel.

    Raises:
        ExtractionError: It is damaged.
    """
    from rag_platform.documents.formats.office.legacy import summary

    text, flags = _read(content, {})
    return Extracted(text=text, type="xls", flags=flags, **summary(content))


def _read(content: bytes, extras: dict[str, list[str]]) -> tuple[str, tuple[str, ...]]:
    try:
        book = calamine.load_workbook(BytesIO(content))
    except (calamine.CalamineError, OSError, ValueError) as error:
        raise ExtractionError(f"damaged spreadsheet: {error}") from error
    blocks, flags = [], []
    for sheet in book.sheets_metadata:
        if sheet.visible != calamine.SheetVisibleEnum.Visible:
            flags.append(f"hidden sheet left out: {sheet.name}")
            continue
        found = [*_sheet(book, sheet, flags), *extras.get(sheet.name, ())]
        blocks += [heading(2, sheet.name), *found] if found else []
    return join(blocks), tuple(flags)


def _sheet(book: Any, about: Any, flags: list[str]) -> list[str]:
    """Return a sheet's blocks; one that cannot be read is flagged."""
    if about.typ != calamine.SheetTypeEnum.WorkSheet:
        return []
    try:
        sheet = book.get_sheet_by_name(about.name)
    except (calamine.CalamineError, OSError, ValueError) as error:
        flags.append(f"sheet {about.name!r} not read: {error}")
        return []
    if not sheet.width:
        return []
    most = min(MOST_ROWS, max(MOST_CELLS // sheet.width, 1))
    values = sheet.to_python(skip_empty_area=False, nrows=(sheet.start or (0, 0))[0] + most)
    if sheet.height > most:
        flags.append(f"sheet {about.name!r}: {sheet.height} rows, the first {most} read")
    grid = [[_shown(value) for value in row] for row in values]
    _spread(grid, sheet.merged_cell_ranges or ())
    return [block for part in _parts(grid) for block in _blocks(part)]


def _shown(value: object) -> str:
    """Return a cell as people see it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.12g}"
    if isinstance(value, datetime):
        return value.isoformat(" ") if value.time() != time() else value.date().isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return " ".join(str(value).split())


def _spread(grid: list[list[str]], merged: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    """Write a merged cell's value into every place that it covers."""
    for (top, left), (bottom, right) in merged:
        if top >= len(grid) or left >= len(grid[top]) or (bottom - top + 1) * (right - left + 1) > MOST_ROWS:
            continue
        for row in grid[top : bottom + 1]:
            row[left : right + 1] = [grid[top][left]] * len(row[left : right + 1])


def _parts(grid: Grid) -> Iterator[Grid]:
    """Cut a sheet at its empty rows, then at the empty columns that separate tables side by side."""
    for filled, rows in groupby(grid, key=any):
        if not filled:
            continue
        block = list(rows)
        used = [any(column) for column in zip(*block, strict=True)]
        spans = _spans(used)
        if len(spans) > 1 and all(right - left > 1 for left, right in spans) and len(block) > 1:
            for left, right in spans:
                yield from _parts([row[left:right] for row in block])
        else:
            yield [[value for value, filled in zip(row, used, strict=True) if filled] for row in block]


def _spans(used: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the runs of columns in use."""
    found, place = [], 0
    for filled, run in groupby(used):
        length = len(list(run))
        if filled:
            found.append((place, place + length))
        place += length
    return found


def _blocks(rows: Grid) -> Iterator[str]:
    """Yield a block's title, a lone cell or one merged over the whole width, then the table."""
    first = 0
    while first < len(rows) and len(set(rows[first])) == 1:
        if len(rows[first]) == 1 and len(rows) > 1:  # a table of one column
            break
        yield paragraph(rows[first][0])
        first += 1
    yield table(rows[first:])


def _extras(package: Package) -> dict[str, list[str]]:
    """Return charts and comments by the name of their sheet."""
    part = next(iter(package.linked("", "officeDocument")), "xl/workbook.xml")
    if part not in package.names or posixpath.splitext(part)[1] != ".xml":
        return {}
    links, found = package.links(part), {}
    for sheet in every(package.xml(part), "sheet"):
        link = links.get(attribute(sheet, "id"))
        if link and link.target in package.names:
            drawings = package.linked(link.target, "drawing")
            charts = [chart for drawing in drawings for chart in read_charts(package, drawing)]
            found[attribute(sheet, "name")] = [*charts, *_comments(package, part, link.target)]
    return found


def _comments(package: Package, book: str, part: str) -> Iterator[str]:
    """Yield the threads of a sheet, and those notes that are no copy of one."""
    people = {
        attribute(one, "id"): attribute(one, "displayName")
        for place in package.linked(book, "person")
        for one in every(package.xml(place), "person")
    }
    threads = package.linked(part, "threadedComment")
    for place in threads:
        for one in every(package.xml(place), "threadedComment"):
            words = " ".join(text.text or "" for text in every(one, "text"))
            yield comment(people.get(attribute(one, "personId"), ""), attribute(one, "dT"), words)
    for place in package.linked(part, "comments"):
        root = package.xml(place)
        names = [author.text or "" for author in every(root, "author")]
        for one in every(root, "comment"):
            who = attribute(one, "authorId")
            name = names[int(who)] if who.isdigit() and int(who) < len(names) else ""
            if not name.startswith("tc="):  # Excel's copy of a thread, for programs that know no threads
                yield comment(name, "", "".join(text.text or "" for text in every(one, "t")))
