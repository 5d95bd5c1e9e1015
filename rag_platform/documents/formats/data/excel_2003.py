"""Workbooks of Excel 2003 in XML: each sheet a heading, each block of cells a table."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from lxml import etree

from rag_platform.documents.extracted import Extracted, Lost, losses
from rag_platform.documents.formats.markdown_writer import comment, heading, join
from rag_platform.documents.formats.metadata import document_metadata
from rag_platform.documents.formats.office.sheet_tables import Range, most_rows, sheet_blocks
from rag_platform.documents.formats.xml_tree import attribute, child, every, local

_MOST_COLUMNS = 16_384


def read_workbook(root: etree._Element) -> Extracted:
    """Read a workbook."""
    blocks: list[str] = []
    flags: list[str] = []
    lost: Counter[Lost] = Counter()
    for sheet in (one for one in root if local(one) == "Worksheet"):
        name, visible = attribute(sheet, "Name"), child(sheet, "WorksheetOptions", "Visible")
        if visible is not None and visible.text != "SheetVisible":
            flags.append(f"hidden sheet left out: {name}")
            lost["hidden sheets"] += 1
            continue
        grid, merged = _grid(child(sheet, "Table"))
        most = most_rows(len(grid[0]) if grid else 0)
        if len(grid) > most:
            flags.append(f"sheet {name!r}: {len(grid)} rows, the first {most} read")
            lost["rows"] += len(grid) - most
        found = [*sheet_blocks(grid[:most], merged), *_comments(sheet)]
        blocks += [heading(2, name), *found] if found else []
    stated = {local(one): one.text for part in every(root, "DocumentProperties")[:1] for one in part}
    about = document_metadata(*map(stated.get, ("Title", "Author", "Created", "LastSaved")))
    return Extracted(text=join(blocks), type="xls", flags=tuple(flags), losses=losses(lost), **about)


def _grid(table: etree._Element | None) -> tuple[list[list[object]], list[Range]]:
    """Return the cells of a sheet by rows of one width, and which of them are merged.

    However many empty rows were passed over, one stands for them: it parts the tables all the same.
    """
    rows: list[list[object]] = []
    merged: list[Range] = []
    for row in (one for one in table if local(one) == "Row") if table is not None else ():
        rows += [[]] if attribute(row, "Index") else []
        cells: list[object] = []
        for one in (part for part in row if local(part) == "Cell"):
            place = _number(one, "Index") - 1
            cells += [""] * (min(place, _MOST_COLUMNS) - len(cells))
            across, down = min(_number(one, "MergeAcross"), _MOST_COLUMNS), _number(one, "MergeDown")
            if across or down:
                merged.append(((len(rows), len(cells)), (len(rows) + down, len(cells) + across)))
            cells += [_value(child(one, "Data")), *[""] * across]
        rows.append(cells)
    width = max(map(len, rows), default=0)
    return [[*row, *[""] * (width - len(row))] for row in rows], merged


def _number(element: etree._Element, name: str) -> int:
    value = attribute(element, name)
    return int(value) if value.isascii() and value.isdigit() else 0


def _value(data: etree._Element | None) -> object:
    text, kind = "".join(data.itertext()) if data is not None else "", attribute(data, "Type")
    try:
        if kind == "Number":
            return float(text)
        if kind == "DateTime":
            return datetime.fromisoformat(text)
    except ValueError:
        return text
    return text == "1" if kind == "Boolean" else text


def _comments(sheet: etree._Element) -> Iterator[str]:
    for one in every(sheet, "Comment"):
        yield comment(attribute(one, "Author"), "", "".join(one.itertext()))
