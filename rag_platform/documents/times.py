"""Dates and times as documents state them."""

import re
from contextlib import suppress
from datetime import UTC, datetime

_DAY = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?![0-9])")
_IN_WORDS = ("%d %B %Y", "%B %d, %Y", "%d %b %Y", "%b %d, %Y")


def parse_time(value: object) -> datetime | None:
    """Read a date or time as an aware UTC datetime; None when it is none. Without a zone it is UTC.

    Strings are in ISO 8601, also with a month or day of one digit, or days in English words: 2 March 2026.
    """
    if not value:  # as most documents say nothing of it
        return None
    try:
        found = value if isinstance(value, datetime) else _read(str(value).strip())
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _read(text: str) -> datetime:
    try:
        return datetime.fromisoformat(_padded(text))
    except ValueError:
        for form in _IN_WORDS:
            with suppress(ValueError):
                return datetime.strptime(text, form).replace(tzinfo=UTC)
        raise


def _padded(text: str) -> str:
    """Write the month and the day that a text begins with in two digits each, as people often do not."""
    day = _DAY.match(text)
    return f"{day[1]}-{day[2]:0>2}-{day[3]:0>2}{text[day.end() :]}" if day else text


_UNSET = frozenset(datetime(year, 1, 1, tzinfo=UTC) for year in (1, 1601, 1970))
"""Where clocks begin to count: what programs write that know no date."""
_LAST_YEAR = 2100


def plausible_time(found: datetime | None) -> datetime | None:
    """Return the time unless nobody can have meant it: the zero of a clock, a year after 2100."""
    return found if found and found not in _UNSET and found.year <= _LAST_YEAR else None
