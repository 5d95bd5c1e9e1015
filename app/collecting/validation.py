"""What is wrong with one field of a source's form, said while it is typed."""

from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import urlsplit

from cronsim import CronSim, CronSimError

from app.texts import say
from rag_platform.core.urls import canonical, is_web


def lines_of(text: str) -> list[str]:
    """Return the lines of a field of several, without those that are empty."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _id(_kind: str, value: str) -> str | None:
    allowed = value[0].isalnum() and value == value.lower() and value.isascii() and len(value) <= 63
    if allowed and all(sign.isalnum() or sign in "-_" for sign in value):
        return None
    return say("collections-wrong-id")


def _addresses(_kind: str, value: str) -> str | None:
    for line in lines_of(value):
        try:
            canonical(line)
            right = is_web(line)
        except ValueError:
            right = False
        if not right or "${" in line:
            return say("collections-wrong-address", given=line[:80])
        if urlsplit(line).password:
            return say("collections-wrong-password")
    return None


def _database(kind: str, value: str) -> str | None:
    if kind != "sql":
        return _addresses(kind, value)
    scheme, parted, rest = value.partition("://")
    if not parted or not scheme or not rest:
        return say("collections-wrong-database")
    if "${" in value:
        return say("collections-wrong-placeholder")
    user = rest.rpartition("@")[0].rpartition("/")[2]
    return say("collections-wrong-password") if ":" in user else None


def _cron(_kind: str, value: str) -> str | None:
    try:
        CronSim(value, _NEVER)
    except CronSimError:
        return say("collections-wrong-cron")
    return None


def _no_placeholder(_kind: str, value: str) -> str | None:
    return say("collections-wrong-placeholder") if "${" in value else None


_NEVER = datetime(2000, 1, 1, tzinfo=UTC)
VALIDATORS: dict[str, Callable[[str, str], str | None]] = {
    "id": _id,
    "address": _addresses,
    "others": _addresses,
    "sitemap": _addresses,
    "crawl": _addresses,
    "urls": _addresses,
    "url": _database,
    "cron": _cron,
    "user": _no_placeholder,
}
"""By field: given the kind of source and what was typed, the reason why that cannot be."""
