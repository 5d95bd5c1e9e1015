"""Lone cells of a workbook far from all others, as a slip of the keyboard leaves them in XFD1048576.

A reader that lays a sheet out as a grid would need the memory of all that lies between.
"""

import io
import re
import zipfile

from lxml import etree

from rag_platform.documents.formats.office.packages import Package
from rag_platform.documents.formats.xml_tree import attribute, every, parse_xml

SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
_COLUMN = re.compile(rb'\br="([A-Z]{1,3})\d')
_ROW = re.compile(rb'<(?:\w+:)?row\b[^>]*?\br="(\d+)"')
_WIDE = 1_000
"""Columns; no wider sheet is looked at without need."""
_AREA = 40_000_000
"""Places of a grid that fit the memory."""
_GAP = 200
"""Empty columns after which a cell is a stray one."""


def without_strays(content: bytes, package: Package, *, rows: int) -> tuple[bytes, int]:
    """Return the workbook without its stray cells, and how many there were.

    Args:
        content: Its bytes.
        package: Its parts.
        rows: How many of a sheet are read: where columns are not enough, what is below goes too.

    Raises:
        ExtractionError: A part is damaged, or they unpack to more than is allowed.
    """
    changed, count = {}, 0
    for name in package.names:  # the library that reads them unpacks without a limit of its own
        if not name.endswith((".xml", ".bin", ".rels")):
            continue
        part = package.read(name)
        if SHEET.fullmatch(name) and _is_spread(part):
            changed[name], found = _gathered(part, name, rows)
            count += found
    return (_repacked(content, changed), count) if count else (content, 0)


def _is_spread(part: bytes) -> bool:
    width = max(map(_number, set(_COLUMN.findall(part))), default=0)
    return width > _WIDE or width * max(map(int, _ROW.findall(part)), default=0) > _AREA


def _number(letters: bytes) -> int:
    """Return a column's number: A is 1."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _gathered(part: bytes, name: str, rows: int) -> tuple[bytes, int]:
    """Return a sheet's XML without what lies beyond a wide gap, and how many cells that were."""
    root = parse_xml(part, name)
    places = [(cell, found[1]) for cell in every(root, "c") if (found := place_of(attribute(cell, "r")))[1]]
    width = 0
    for column in sorted({column for _, column in places}):
        if column - width > _GAP:
            break
        width = column
    lowest = (
        rows if width * max((place_of(attribute(cell, "r"))[0] for cell, _ in places), default=0) > _AREA else 1 << 30
    )
    strays = [cell for cell, column in places if column > width or place_of(attribute(cell, "r"))[0] > lowest]
    for cell in strays:
        cell.getparent().remove(cell)
    for dimension in every(root, "dimension"):
        dimension.getparent().remove(dimension)
    return etree.tostring(root), len(strays)


def place_of(name: str) -> tuple[int, int]:
    """Return a cell's row and column, from 1, by its name such as B7; zeros when it is none."""
    found = re.fullmatch(r"([A-Z]{1,3})(\d{1,7})", name)
    return (int(found[2]), _number(found[1].encode())) if found else (0, 0)


def _repacked(content: bytes, changed: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
        for entry in {entry.filename: entry for entry in old.infolist()}.values():
            new.writestr(entry.filename, changed[entry.filename] if entry.filename in changed else old.read(entry))
    return buffer.getvalue()
