"""The address of the document view, in which all of its state stands: it can be shared, and the back button works."""

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
            label: what it says to who cannot see where it stands.
            current: whether it leads where one is.
            changes: fields of the address.
        """
        told = f' data-to="{escape(to, quote=True)}"' if to else ""
        told += f' aria-label="{escape(label, quote=True)}"' if label else ""
        told += ' aria-current="page"' if current else ""
        href = escape(replace(self, **changes).href, quote=True)
        return f'<a class="inner" target="_self" href="{href}"{told}>{escape(text)}</a>'

    @property
    def href(self) -> str:
        """Relative to the page."""
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        asked = {name: value for name, value in told.items() if value != _USUAL[name]}
        return "document?" + urlencode(asked, quote_via=_percent)


_USUAL = {field.name: field.default for field in fields(Address)}


def address_of(query: Mapping[str, str]) -> Address:
    """Read an address's query."""
    texts = {name: query[name] for name in ("doc", "rev", "version", "old", "new") if name in query}
    numbers = {name: _number(query.get(name)) for name in ("start", "end", "page", "at")}
    tab = query.get("tab", TABS[0])
    return Address(
        **texts, **numbers, tab=tab if tab in TABS else TABS[0], part=max(1, _number(query.get("part")) or 1)
    )


def _number(text: str | None) -> int | None:
    """Return a number of at most twelve digits, which is more than any text has characters."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 12 else None


def _percent(text: str, *_: object) -> str:
    return quote(str(text), safe="")
