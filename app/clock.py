"""The time that the page goes by, in one place, so that it can be set in a test."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return this moment."""
    return datetime.now(UTC)
