"""Tables as text (CSV, TSV) -> Markdown tables."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from rag_platform.documents.extracted import Extracted, Loss
from rag_platform.documents.formats.markdown_writer import join, paragraph, table
from rag_platform.documents.formats.plain_text import decode, newlines

MOST_ROWS = 20_000
_DELIMITERS = "\t;|,:"
"""Of two that part the lines alike the first is taken: where a comma is the decimal mark, it is part of numbers."""
_STATED = re.compile(r"sep=(.)\n")
"""Excel's own first line, which says what the delimiter is."""
_ESCAPED = re.compile(r'(?:^|[,;\t|])"[^"\n]*[^"\\\n]\\"[^,;\t|\n]', re.MULTILINE)
"""A quotation mark within a quoted field, as databases write it: behind a backslash."""
_PREAMBLE = 20
"""Lines above a table, at most."""
_SAMPLE = 1 << 16
_LONGEST_FIELD = 1 << 20


def read_csv(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read a table; the delimiter is the one that parts most lines alike.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = decode(content, charset)
    text = newlines(text.removeprefix("\ufeff"))
    stated = _STATED.match(text)
    text = text[stated.end() :] if stated else text
    csv.field_size_limit(_LONGEST_FIELD)
    sample = text[:_SAMPLE].rpartition("\n")[0] or text[:_SAMPLE]
    rows, noticed = _read(text, stated[1] if stated else _delimiter(sample))
    flags += noticed
    lost: tuple[Loss, ...] = ()
    if len(rows) > MOST_ROWS + 1:
        lines = text.rstrip().count("\n") + 1
        flags += (f"{lines} lines, the first {MOST_ROWS} read",)
        lost = (Loss("rows", max(lines - MOST_ROWS - 1, 1)),)
    return Extracted(text=join(_blocks(rows[: MOST_ROWS + 1])), type="csv", flags=flags, losses=lost)


def _blocks(rows: list[list[str]]) -> Iterator[str]:
    """Yield what stands above a table as lines of text, then the table: reports begin with what they are about."""
    widths = Counter(len(row) for row in rows)
    usual = widths.most_common(1)[0][0] if rows else 0
    first = next((at for at, row in enumerate(rows) if sum(map(bool, row)) > 1), 0) if usual > 1 else 0
    if 0 < first <= _PREAMBLE:
        yield paragraph("  \n".join(" ".join(filter(None, row)) for row in rows[:first]))
        rows = rows[first:]
    yield table(rows)


def _read(text: str, delimiter: str) -> tuple[list[list[str]], tuple[str, ...]]:
    """Return the rows, one more than are shown, and a flag when quotation marks are none."""
    if _ESCAPED.search(text) and '""' not in text.replace('\\""', ""):
        return _rows(text, delimiter, escaped=True), ()
    try:
        return _rows(text, delimiter, strict=True), ()
    except csv.Error as error:
        if "expected after" in str(error):  # words beside a quoted part: not by the rules, but clear
            return _rows(text, delimiter), ()
    return _rows(text, delimiter, quotes=False), ("quotation marks taken as text: one is never closed",)


def _rows(
    text: str, delimiter: str, *, strict: bool = False, quotes: bool = True, escaped: bool = False
) -> list[list[str]]:
    lines = io.StringIO(text, newline="\n")  # each with its end, which belongs to a quoted field
    found = csv.reader(
        lines,
        delimiter=delimiter,
        strict=strict,
        quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE,
        escapechar="\\" if escaped else None,
    )
    return list(islice(filter(any, found), MOST_ROWS + 2))


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
