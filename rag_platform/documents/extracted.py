"""What a reader makes of a document's bytes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Member:
    """A file within a file: of an archive, or attached to a message."""

    path: str
    """As the archive names it; "/" between folders."""
    content: bytes = b""
    content_type: str | None = None
    problem: str | None = None
    """Why there is no content."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """Text and what the document says about itself."""

    text: str
    type: str
    """Its format: "markdown", "html", "pdf", "text" …"""
    title: str = ""
    author: str = ""
    language: str | None = None
    """What the document declares, an ISO 639 code; None: nothing."""
    published_at: datetime | None = None
    """Aware, in UTC."""
    updated_at: datetime | None = None
    pages: tuple[int, ...] = ()
    """Offset in `text` at which each page starts; empty: no pages."""
    pictures: tuple[tuple[int, bytes], ...] = ()
    """(number from 0, PNG) of pages whose text is missing or doubtful, when a model that sees shall read them."""
    kind: str = ""
    """What the document calls itself: "note", "proposal" …"""
    owner: str = ""
    tags: tuple[str, ...] = ()
    private: bool = False
    """It says that nobody but its owner shall read it."""
    flags: tuple[str, ...] = ()
    """What was noticed while reading."""
    members: Iterable[Member] = ()
    """Documents within this one, one at a time; each is read by itself."""


def moment(value: object) -> datetime | None:
    """Read an ISO 8601 date or time as an aware UTC datetime; None when it is none. Without a zone it is UTC."""
    try:
        found = value if isinstance(value, datetime) else datetime.fromisoformat(str(value).strip())
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


_UNSET = frozenset(datetime(year, 1, 1, tzinfo=UTC) for year in (1, 1601, 1970))
"""Where clocks begin to count: what programs write that know no date."""
_LAST_YEAR = 2100


def as_meant(found: datetime | None) -> datetime | None:
    """Return the time unless nobody can have meant it: the zero of a clock, a year after 2100."""
    return found if found and found not in _UNSET and found.year <= _LAST_YEAR else None
