"""The tables that an answer quotes, as tables: the quoted rows marked, long ones folded, each with its document."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise

from app.illustrating.formulas import with_formulas
from app.rendering import excerpt, link, place
from app.texts import say, say_html, upright
from rag_platform.core.answers import Citation
from rag_platform.journal.receipts import Receipt
from rag_platform.provenance.cited_text import CitedTable
from rag_platform.text.notation.markdown_tables import Row, Table
from rag_platform.text.notation.quantities import numeric_column

SHORT = 12
"""Rows of a table that is shown whole."""
MOST = 300
"""Rows that are shown when a longer one is unfolded; the document has the others."""


def table_html(found: CitedTable, receipt: Receipt) -> str:
    """Render a table with its quoted rows marked, and the way to them in their document."""
    first, table, cited = found.citations[0], found.table, found.cited
    address = escape(link(place(first.doc_id, first.span, receipt.revisions.get(first.doc_id))), quote=True)
    title = first.title or first.uri
    label = escape(say("ask-table-of", title=title), quote=True)
    shown = _grid(found, _near(cited, len(table.rows)), label)
    whole = _whole(found, label) if len(table.rows) > SHORT else ""
    source = f'<a href="{address}" target="_self">{escape(upright(title))}</a>'
    return f'<figure class="table">{shown}{whole}<figcaption class="from">{source}</figcaption></figure>'


def _near(cited: Mapping[int, Sequence[int]], count: int) -> list[int]:
    """Return which rows are shown at first: of a long table the quoted ones with their neighbours."""
    if count <= SHORT:
        return list(range(count))
    near = {place for row in cited for place in (row - 1, row, row + 1) if 0 <= place < count}
    return sorted({*list(cited)[:SHORT], *sorted(near)[:SHORT]})


def _whole(found: CitedTable, label: str) -> str:
    count = len(found.table.rows)
    left_out = say_html("ask-table-more", count=count - MOST) if count > MOST else ""
    more = f'<div class="quiet">{left_out}</div>' if left_out else ""
    grid = _grid(found, list(range(min(count, MOST))), label)
    return f"<details><summary>{say_html('ask-table-whole', count=count)}</summary>{grid}{more}</details>"


def _grid(found: CitedTable, places: Sequence[int], label: str) -> str:
    table, cited, shorts = found.table, found.cited, _short_answers(found.citations)
    numbers = _number_columns(table)
    head = "".join(f'<th scope="col"{kind}>{_cell(name)}</th>' for name, kind in zip(table.head, numbers, strict=True))
    rows = []
    for place_, following in pairwise([*places, len(table.rows)]):
        marks = cited.get(place_, ())
        rows.append(_row(table.rows[place_], numbers, marks, shorts if marks else ()))
        if following > place_ + 1 and following < len(table.rows):
            rows.append(f'<tr class="gap"><td colspan="{len(table.head)}">…</td></tr>')
    return (
        f'<div class="wide" tabindex="0" role="group" aria-label="{label}"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _row(cells: Row, numbers: Sequence[str], marks: Sequence[int], shorts: Sequence[str]) -> str:
    shown = [_cell(cell, shorts) for cell in cells]
    shown[0] += "".join(f' <span class="cite" data-n="{n}">{n}</span>' for n in marks)
    body = "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(shown, numbers, strict=True))
    return f'<tr class="cited">{body}</tr>' if marks else f"<tr>{body}</tr>"


def _cell(cell: str, shorts: Sequence[str] = ()) -> str:
    text = upright(excerpt(cell.replace("<br>", " ").replace("<br/>", " ")))
    short = next((one for one in shorts if one in text), "")
    before, _, after = text.partition(short) if short else (text, "", "")
    return with_formulas(before) + (f"<mark>{escape(short)}</mark>{escape(after)}" if short else "")


def _short_answers(citations: Iterable[Citation]) -> list[str]:
    return [
        one.quote[one.highlight[0] - one.span[0] : one.highlight[1] - one.span[0]] for one in citations if one.highlight
    ]


def _number_columns(table: Table) -> list[str]:
    """Return for each column the attribute that its cells have: numbers stand below each other."""
    return [
        ' class="number"' if numeric_column(head, [row[at] for row in table.rows]) else ""
        for at, head in enumerate(table.head)
    ]
