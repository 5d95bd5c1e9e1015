"""Workbooks of old Excel, from version 2 on, by a second library: for what the first one refuses."""

import io
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import xlrd

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, losses
from rag_platform.documents.formats.markdown_writer import heading, join
from rag_platform.documents.formats.office.embedded import objects_of
from rag_platform.documents.formats.office.sheet_tables import most_rows, sheet_blocks
from rag_platform.documents.formats.old_office.summaries import summary


def read_xls(content: bytes) -> Extracted:
    """Read a workbook.

    Raises:
        ExtractionError: It is damaged, or a password protects it.
    """
    book = _opened(content)
    lost: Counter[Lost] = Counter()
    blocks, flags = [], []
    for sheet in book.sheets():
        if sheet.visibility:
            flags.append(f"hidden sheet left out: {sheet.name}")
            lost["hidden sheets"] += 1
            continue
        most = most_rows(sheet.ncols)
        lost["rows"] += max(sheet.nrows - most, 0)
        merged = [((top, left), (bottom - 1, right - 1)) for top, bottom, left, right in sheet.merged_cells]
        found = sheet_blocks([list(_row(book, sheet, place)) for place in range(min(sheet.nrows, most))], merged)
        blocks += [heading(2, sheet.name), *found] if found else []
    members = objects_of(content, lost)
    about = {"flags": tuple(flags), "members": members, "losses": losses(lost), **summary(content)}
    return Extracted(text=join(blocks), type="xls", **about)


def _opened(content: bytes) -> Any:
    try:
        return xlrd.open_workbook(file_contents=content, logfile=io.StringIO())
    except xlrd.XLRDError as error:
        if "encrypted" in str(error):
            raise ExtractionError("this workbook is encrypted: it opens with a password only") from error
        raise ExtractionError(f"damaged spreadsheet: {error}") from error
    except Exception as error:  # a damaged file makes it fail in many ways
        raise ExtractionError(f"damaged spreadsheet: {error.__class__.__name__}: {error}") from error


def _row(book: Any, sheet: Any, place: int) -> Iterator[object]:
    """Yield the cells of a row, all of its width."""
    for cell in sheet.row(place):
        if cell.ctype == xlrd.XL_CELL_DATE:
            yield _moment(cell.value, book.datemode)
        elif cell.ctype == xlrd.XL_CELL_BOOLEAN:
            yield bool(cell.value)
        elif cell.ctype == xlrd.XL_CELL_ERROR:
            yield xlrd.error_text_from_code.get(cell.value, "")
        else:
            yield cell.value


def _moment(value: float, mode: int) -> object:
    """Return a date, or the time of a day; what is none stays a number."""
    try:
        found: datetime = xlrd.xldate.xldate_as_datetime(value, mode)
    except (ValueError, OverflowError, xlrd.xldate.XLDateError):
        return value
    return found.time() if value < 1 else found
