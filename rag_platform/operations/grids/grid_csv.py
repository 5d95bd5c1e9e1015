"""A grid as CSV, for programs of tables: a row per document, a column per question, beside it what is quoted.

A program of tables takes what begins with certain signs for a formula, which a document must not write into it; so such
a cell gets an apostrophe before it (see OWASP's page on CSV injection).
"""

import csv
import io
from collections.abc import Iterator, Mapping

from rag_platform.core.answers import Citation
from rag_platform.core.hits import page_name
from rag_platform.operations.grids.cell_text import cell_text
from rag_platform.operations.grids.grid_view import ShownCell, ShownGrid

WORDS = {
    "document": "Document",
    "address": "Address",
    "quotes": "{question}: quotes",
    "page": "page {page}",
    "nothing": "No answer in this document",
    "failed": "Could not be asked",
    "missing": "",
    "stale": "{answer} (out of date)",
    "yes": "Yes",
    "no": "No",
}
"""What the file says besides titles, questions and answers; the page gives these in the reader's language."""
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def grid_csv(shown: ShownGrid, *, quotes: bool = False, words: Mapping[str, str] = WORDS) -> bytes:
    """Return a grid as CSV in UTF-8 with a mark of that, which Excel needs.

    Args:
        shown: all of its rows, as whoever takes it may read them.
        quotes: with a column more for each question: what its answer quotes, and where that stands.
        words: as `WORDS`.
    """
    file = io.StringIO()
    writer = csv.writer(file)
    for row in _rows(shown, words, quotes=quotes):
        writer.writerow([harmless(cell) for cell in row])
    return file.getvalue().encode("utf-8-sig")


def harmless(text: str) -> str:
    """Return the text of a cell so that no program of tables takes it for a formula."""
    text = text.replace("\0", "").strip()
    return f"'{text}" if text.startswith(_FORMULA) else text


def _rows(shown: ShownGrid, words: Mapping[str, str], *, quotes: bool) -> Iterator[list[str]]:
    head = [words["document"], words["address"]]
    for column in shown.columns:
        head += [column.title, words["quotes"].format(question=column.title)][: 1 + quotes]
    yield head
    for row in shown.rows:
        cells = [row.title, row.uri]
        for column in shown.columns:
            cell = shown.cells[column.id, row.doc_id]
            cells += [_answer(cell, words), _quotes(cell, words)][: 1 + quotes]
        yield cells


def _answer(cell: ShownCell, words: Mapping[str, str]) -> str:
    if cell.receipt is None:
        return words[cell.state]
    told = cell_text(cell.receipt)
    answer = words["nothing"] if cell.state == "nothing" else words.get(told.verdict, told.short)
    return words["stale"].replace("{answer}", answer) if cell.stale else answer


def _quotes(cell: ShownCell, words: Mapping[str, str]) -> str:
    return "\n".join(_quote(one, words) for one in cell.receipt.citations) if cell.receipt else ""


def _quote(one: Citation, words: Mapping[str, str]) -> str:
    page = page_name(one.page, one.page_label)
    where = ", ".join(filter(None, (one.uri, words["page"].replace("{page}", page) if page else "")))
    return f"“{' '.join(one.quote.split())}” ({where})"
