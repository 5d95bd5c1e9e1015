"""Tables as text (CSV, TSV) -> Markdown tables."""

import csv
from itertools import islice

from rag_platform.documents.extracted import Extracted
from rag_platform.documents.markup import table
from rag_platform.documents.text import decode

MOST_ROWS = 20_000
_DELIMITERS = ",;\t|:"
_SAMPLE = 1 << 16
_LONGEST_FIELD = 1 << 20


def read_csv(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read a table; the delimiter is the one that parts most lines alike.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = decode(content, charset)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    csv.field_size_limit(_LONGEST_FIELD)
    delimiter = _delimiter(text[:_SAMPLE].rpartition("\n")[0] or text[:_SAMPLE])
    try:
        rows = _rows(text, delimiter, csv.QUOTE_MINIMAL)
    except csv.Error:  # a quote that nothing closes
        rows = _rows(text, delimiter, csv.QUOTE_NONE)
        flags += ("quotation marks taken as text: one is never closed",)
    total = text.count("\n") + (not text.endswith("\n"))
    if total > MOST_ROWS + 1:
        flags += (f"{total} lines, the first {MOST_ROWS} read",)
    return Extracted(text=table(rows[: MOST_ROWS + 1]), type="csv", flags=flags)


def _rows(text: str, delimiter: str, quoting: int) -> list[list[str]]:
    found = csv.reader(text.split("\n"), delimiter=delimiter, quoting=quoting)
    return [row for row in islice(found, MOST_ROWS + 1) if any(row)]


def _delimiter(sample: str) -> str:
    """Return the character that parts the lines into the same number of fields, more than one, most often."""
    best, found = 0, ","
    lines = sample.split("\n")[:200]
    for delimiter in _DELIMITERS:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
        usual = max(set(widths), key=widths.count, default=1)
        score = widths.count(usual) * (usual > 1) + (usual > 1)
        if score > best:
            best, found = score, delimiter
    return found
