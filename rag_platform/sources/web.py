"""Pages of the web: a list of addresses, a sitemap, or both.

A page that a sitemap dates is fetched only when the date changes. A page counts as deleted when it answers 410, or
when three complete listings in a row do not name it.
"""

import fnmatch
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from rag_platform.errors import SourceError
from rag_platform.ports import Fetched, Item, Listing, Validators
from rag_platform.sources.dates import iso_utc
from rag_platform.sources.http import Fetcher
from rag_platform.sources.kinds import Kind
from rag_platform.sources.settings import FetchSettings, SourceSettings
from rag_platform.sources.sitemap import Sitemap, read_sitemap
from rag_platform.sources.urls import canonical, is_web, shown

CONFIRMATIONS = 3


class WebSource(SourceSettings):
    """Pages: a list of urls, a sitemap, or both."""

    kind: Literal["web"]
    urls: tuple[str, ...] = ()
    sitemap: str | None = None
    include: tuple[str, ...] = ()
    """Glob patterns that a sitemap's urls must match; none: all."""
    exclude: tuple[str, ...] = ()
    limit: int = Field(10_000, gt=0)
    """Most pages read from a sitemap."""
    fetch: FetchSettings = FetchSettings()

    @model_validator(mode="after")
    def _something_to_read(self) -> "WebSource":
        if not self.urls and not self.sitemap:
            raise ValueError("expected `urls`, `sitemap` or both")
        return self


class Web:
    """Lists and fetches pages."""

    def __init__(
        self,
        settings: WebSource,
        fetcher: Fetcher | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._settings = settings
        self._fetcher = fetcher or Fetcher(settings.fetch)
        self._now = now

    def list(self) -> Listing:
        """Name the pages; complete when every part of the sitemap was read."""
        items, failed = self._listed()
        sitemap = self._sitemap()
        for page, changed in sitemap.pages.items():
            date = iso_utc(changed)
            items.setdefault(page, Item(page, self._mark(changed), {"updated_at": date} if date else {}))
        return Listing(
            list(items.values()),
            complete=not sitemap.failed,
            confirmations=CONFIRMATIONS,
            failed=[*failed, *sitemap.failed],
        )

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:
        """Fetch a page, unless it has not changed."""
        return self._fetcher.get(item.uri, validators)

    def _listed(self) -> tuple[dict[str, Item], Sequence[tuple[str, str]]]:
        items, failed = {}, []
        for url in self._settings.urls:
            try:
                address = canonical(url)
            except ValueError as error:
                failed.append((shown(url), f"not an address: {error}"))
                continue
            if is_web(address):
                items[address] = Item(address)
            else:
                failed.append((shown(url), "not an address that starts with http:// or https:// and names a host"))
        return items, failed

    def _sitemap(self) -> Sitemap:
        if not self._settings.sitemap:
            return Sitemap()
        settings = self._settings
        sitemap = read_sitemap(
            settings.sitemap, self._fetcher.get, self._wanted, settings.limit, settings.fetch.max_bytes
        )
        if sitemap.failed and not sitemap.pages and not settings.urls:
            reasons = "; ".join(f"{url}: {reason}" for url, reason in sitemap.failed[:5])
            raise SourceError(f"the sitemap of source {settings.id!r} could not be read: {reasons}")
        return sitemap

    def _wanted(self, url: str) -> bool:
        included = not self._settings.include or _matches(url, self._settings.include)
        return is_web(url) and included and not _matches(url, self._settings.exclude)

    def _mark(self, changed: str | None) -> str | None:
        """Make the date a fingerprint; a bare day, while it lasts, cannot tell whether more changes follow."""
        if not changed:
            return None
        date = iso_utc(changed)
        if len(changed) <= 10 and date and datetime.fromisoformat(date) > self._now() - timedelta(days=2):
            return None
        return f"lastmod {changed}"


def _matches(url: str, patterns: Sequence[str]) -> bool:
    """Match the whole address or, for a pattern that starts with a slash, its path."""
    path = urlsplit(url).path
    return any(fnmatch.fnmatchcase(path if pattern.startswith("/") else url, pattern) for pattern in patterns)


KIND = Kind(WebSource, lambda settings, _: Web(settings))
