"""Dates as sources write them -> ISO 8601 in UTC."""

from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any


def iso_utc(value: Any) -> str | None:
    """Write a moment as ISO 8601 in UTC; one without a zone is taken as UTC; None when it is no date.

    Takes a datetime, a date, seconds since 1970, or text in ISO 8601 or as in an e-mail.
    """
    moment = _moment(value)
    if moment is None:
        return None
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    except OverflowError:  # year 1 in a zone east of UTC
        return None


def _moment(value: Any) -> datetime | None:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_seconds(value)
    return _from_text(value.strip()) if isinstance(value, str) else None


def _from_seconds(value: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _from_text(text: str) -> datetime | None:
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            return parse(text)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None
