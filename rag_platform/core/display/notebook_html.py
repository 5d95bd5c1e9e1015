"""What notebooks show of our records: HTML of tables and links, in which everything that documents say is escaped."""

from collections.abc import Iterable, Sequence
from html import escape


class Html(str):
    """HTML of ours, whose texts are escaped already."""

    __slots__ = ()


def link(address: str, text: str) -> Html:
    """Return a link to a page of the web; of any other address the text, which tells it when it is pointed at."""
    shown, where = escape(text), escape(address)
    if not address.startswith(("http://", "https://")):
        return Html(f'<span title="{where}">{shown}</span>')
    return Html(f'<a href="{where}" target="_blank" rel="noopener noreferrer">{shown}</a>')


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Html:
    """Return a table; cells that are no `Html` are escaped."""
    head = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in columns)
    lines = ("".join(f'<td style="text-align:left">{cell(value)}</td>' for value in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return Html(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def cell(value: object) -> str:
    """Return what stands for a value; None is nothing."""
    if isinstance(value, Html):
        return value
    return "" if value is None else escape(f"{value:.3f}" if isinstance(value, float) else str(value))
