"""The address of the document view, which holds all of its state: it can be shared, and the back button works."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from html import escape
from typing import Any
from urllib.parse import quote, urlencode

TABS = ("text", "original", "about", "history", "passages", "cited")


@dataclass(frozen=True, slots=True)
class Address:
    """What an address asks for; what makes no sense in it counts as not there."""

    doc: str = ""
    tab: str = TABS[0]
    start: int | None = None
    """The cited span begins, in characters."""
    end: int | None = None
    rev: str = ""
    """The revision that was cited."""
    version: str = ""
    """The version whose text is read; empty: what is published."""
    page: int | None = None
    """From 1."""
    at: int | None = None
    """A place of the text to go to, in characters."""
    part: int = 1
    """Of a long list, from 1."""
    old: str = ""
    """Versions whose texts are compared."""
    new: str = ""

    @property
    def span(self) -> tuple[int, int] | None:
        """The cited span."""
        if self.start is None or self.end is None or not 0 <= self.start < self.end:
            return None
        return self.start, self.end

    def link(self, text: str, *, to: str = "", label: str = "", current: bool = False, **changes: Any) -> str:
        """Return a link to this address with changes, as HTML.

        Args:
            text: what it says.
            to: the id of what it leads to, when that may be on the page already.
            label: its accessible name, where its text alone does not say where it leads.
            current: whether it leads where one is.
            changes: fields of the address.
        """
        attributes = f' data-to="{escape(to, quote=True)}"' if to else ""
        attributes += f' aria-label="{escape(label, quote=True)}"' if label else ""
        attributes += ' aria-current="page"' if current else ""
        href = escape(replace(self, **changes).href, quote=True)
        return f'<a class="inner" target="_self" href="{href}"{attributes}>{escape(text)}</a>'

    @property
    def href(self) -> str:
        """Relative to the page."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        query = {name: value for name, value in values.items() if value != _DEFAULTS[name]}
        return "document?" + urlencode(query, quote_via=quote)


_DEFAULTS = {field.name: field.default for field in fields(Address)}


def address_of(query: Mapping[str, str]) -> Address:
    """Read an address's query."""
    tab = query.get("tab", TABS[0])
    return Address(
        doc=query.get("doc", ""),
        tab=tab if tab in TABS else TABS[0],
        start=_number(query.get("start")),
        end=_number(query.get("end")),
        rev=query.get("rev", ""),
        version=query.get("version", ""),
        page=_number(query.get("page")),
        at=_number(query.get("at")),
        part=max(1, _number(query.get("part")) or 1),
        old=query.get("old", ""),
        new=query.get("new", ""),
    )


def _number(text: str | None) -> int | None:
    """Return a number of at most twelve digits, which is more than any text has characters."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 12 else None
