"""Workbooks of Excel 5 to 2003 (xls)."""

from collections import Counter

from rag_platform.documents.extracted import Extracted, Lost, losses
from rag_platform.documents.formats.office.embedded import objects_of
from rag_platform.documents.formats.office.spreadsheets import read_cells
from rag_platform.documents.formats.old_office.drawn_text import drawn_text
from rag_platform.documents.formats.old_office.summaries import summary


def read_xls(content: bytes) -> Extracted:
    """Read a workbook.

    Raises:
        ExtractionError: It is damaged.
    """
    lost: Counter[Lost] = Counter()
    text, flags = read_cells(content, drawn_text(content, lost), lost)
    members = objects_of(content, lost)
    return Extracted(text=text, type="xls", flags=flags, members=members, losses=losses(lost), **summary(content))
