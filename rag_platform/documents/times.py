"""Dates and times as documents state them."""

from datetime import UTC, datetime


def parse_time(value: object) -> datetime | None:
    """Read an ISO 8601 date or time as an aware UTC datetime; None when it is none. Without a zone it is UTC."""
    try:
        found = value if isinstance(value, datetime) else datetime.fromisoformat(str(value).strip())
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


_UNSET = frozenset(datetime(year, 1, 1, tzinfo=UTC) for year in (1, 1601, 1970))
"""Where clocks begin to count: what programs write that know no date."""
_LAST_YEAR = 2100


def plausible_time(found: datetime | None) -> datetime | None:
    """Return the time unless nobody can have meant it: the zero of a clock, a year after 2100."""
    return found if found and found not in _UNSET and found.year <= _LAST_YEAR else None
