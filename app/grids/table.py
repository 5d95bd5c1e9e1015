"""A grid as one piece of HTML, in which all that others wrote is escaped."""

from html import escape
from urllib.parse import quote, urlencode

from app.rendering import LINK, excerpt, link, place, plain_html
from app.texts import say, say_html, upright
from rag_platform.core.answers import Citation
from rag_platform.journal.receipts import Receipt
from rag_platform.operations.grids.cell_text import CellText, cell_text
from rag_platform.operations.grids.grid_view import Row, ShownCell, ShownGrid
from rag_platform.people.grids.grid import Column

LONGEST_ANSWER = 400
"""Characters of an answer that are put into its cell; the page cuts them to a few lines."""
_LONGEST_QUOTE = 200
_MARKS = 4
"""Sources that a cell leads to; the whole answer names all."""


def table_html(shown: ShownGrid, *, mine: bool) -> str:
    """Render the rows of a grid; `mine`: with the ways to change rows and columns."""
    grid = shown.grid
    head = "".join(_head(one, grid.id, mine=mine) for one in shown.columns)
    body = "".join(_row(row, shown, mine=mine) for row in shown.rows)
    label = escape(say("grids-table", name=grid.name), quote=True)
    return (
        f'<div class="grid" role="group" tabindex="0" aria-label="{label}"><table>'
        f'<thead><tr><th scope="col">{say_html("grids-document")}</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def address_of(grid_id: str, **query: str) -> str:
    """Return the address of a grid, and of what is opened above it, for an attribute."""
    return escape("grids?" + urlencode({"grid": grid_id, **query}, quote_via=quote), quote=True)


def _head(column: Column, grid_id: str, *, mine: bool) -> str:
    title = plain_html(column.title)
    if not mine:
        return f'<th scope="col" dir="auto" title="{escape(upright(column.question), quote=True)}">{title}</th>'
    named = escape(say("grids-column", question=column.question), quote=True)
    way = f'<a class="inner" href="{address_of(grid_id, column=str(column.id))}" target="_self" title="{named}">'
    return f'<th scope="col" dir="auto">{way}{title}</a></th>'


def _row(row: Row, shown: ShownGrid, *, mine: bool) -> str:
    cells = "".join(_cell(shown.cells[one.id, row.doc_id], one, row, shown) for one in shown.columns)
    gone = "" if row.live else f' <span class="state odd">{say_html("grids-not-live")}</span>'
    title = plain_html(row.title)
    if mine:
        named = escape(say("grids-row", title=row.title), quote=True)
        address = address_of(shown.grid.id, row=row.doc_id)
    else:
        named, address = escape(upright(row.uri), quote=True), escape(link({"doc": row.doc_id}), quote=True)
    way = f'<a class="inner" href="{address}" target="_self" title="{named}">{title}</a>'
    return f'<tr><th scope="row" dir="auto">{way}{gone}</th>{cells}</tr>'


def _cell(cell: ShownCell, column: Column, row: Row, shown: ShownGrid) -> str:
    if cell.receipt is None:
        waits = cell.state == "missing" and shown.grid.filling and row.live
        return f'<td class="none">{say_html("grids-waiting" if waits else f"grids-{cell.state}")}</td>'
    told = cell_text(cell.receipt)
    state, named = "", escape(say("grids-stale-help"), quote=True)
    if cell.stale:
        state = f' <span class="state odd" title="{named}">{say_html("grids-stale")}</span>'
    if cell.state == "nothing":
        return f'<td class="none">{say_html("grids-nothing")}{state}</td>'
    return f'<td dir="auto"><div>{_answer(told)}</div>{_sources(cell.receipt, told, column, row, shown)}{state}</td>'


def _answer(told: CellText) -> str:
    """Render the value, where it is sure, above what it stands in."""
    text = told.text if len(told.text) <= LONGEST_ANSWER else f"{told.text[: LONGEST_ANSWER - 1]}…"
    said = plain_html(LINK.sub(r"\1", text))
    first = say_html("grids-verdict", verdict=told.verdict) if told.verdict else plain_html(told.value)
    return f'<b>{first}</b> <span class="within">{said}</span>' if first else f"<span>{said}</span>"


def _sources(receipt: Receipt, told: CellText, column: Column, row: Row, shown: ShownGrid) -> str:
    revisions = receipt.revisions
    marks = " ".join(_mark(one, revisions.get(one.doc_id)) for one in told.citations[:_MARKS])
    named = escape(say("grids-more", question=column.title, title=row.title), quote=True)
    address = address_of(shown.grid.id, cell=f"{column.id}.{row.doc_id}")
    whole = f'<a class="cite" href="{address}" target="_self" title="{named}" aria-label="{named}">…</a>'
    return f'<div class="marks">{marks} {whole}</div>'


def _mark(one: Citation, revision: str | None) -> str:
    address = escape(link(place(one.doc_id, one.span, revision)), quote=True)
    quoted = upright(excerpt(one.quote))
    said = quoted if len(quoted) <= _LONGEST_QUOTE else f"{quoted[: _LONGEST_QUOTE - 1]}…"
    named = escape(say("grids-source", n=one.n, quote=said), quote=True)
    return f'<a class="cite" href="{address}" target="_self" title="{named}" aria-label="{named}">{one.n}</a>'
