"""Pages of the web: a list of addresses, a sitemap, a crawl along the links, or several of them.

A page that a sitemap dates is fetched only when the date changes. A page counts as deleted when it answers 410, or
when three complete listings in a row do not name it.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta

from rag_platform.config.sections.sources import BrowserSettings
from rag_platform.config.source_kinds import Context
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.lazy import locked_cached_property
from rag_platform.core.ports import Fetched, Item, Last, Listing, Validators, nothing
from rag_platform.core.urls import canonical, is_web, shown
from rag_platform.sources.browser.browser import Browser
from rag_platform.sources.dates import iso_utc
from rag_platform.sources.http.fetcher import Fetcher
from rag_platform.sources.http.page_detection import asks_for_login
from rag_platform.sources.web.crawl import Crawl
from rag_platform.sources.web.patterns import matches_address
from rag_platform.sources.web.sitemap import Sitemap, read_sitemap
from rag_platform.sources.web.website_settings import WebSource

CONFIRMATIONS = 3


class Web:
    """Lists and fetches pages."""

    def __init__(
        self,
        settings: WebSource,
        fetcher: Fetcher | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        last: Callable[[str], Last | None] = nothing,
        browser: BrowserSettings = BrowserSettings(),  # noqa: B008 (frozen)
    ) -> None:
        self._settings = settings
        self._browser = browser
        self._fetcher = fetcher or Fetcher(settings.fetch)
        self._now = now
        self._last = last
        self._crawled: Crawl | None = None

    def list(self) -> Listing:
        """Name the pages; complete when every part of the sitemap was read, and nothing cut the crawl short."""
        items, failed = self._addresses(self._settings.urls)
        sitemap = self._sitemap()
        for page, changed in sitemap.pages.items():
            date = iso_utc(changed)
            items.setdefault(page, Item(page, self._mark(changed), {"updated_at": date} if date else {}))
        crawl_failed, truncated = self._crawl(items)
        return Listing(
            list(items.values()),
            complete=not sitemap.failed and not truncated,
            confirmations=CONFIRMATIONS,
            failed=[*failed, *sitemap.failed, *crawl_failed],
        )

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:
        """Fetch a page, unless it has not changed; what the crawl has visited is not asked for again."""
        if self._crawled and item.uri in self._crawled.pages:
            return self._crawled.take(item.uri)
        return self._get(item.uri, validators)

    def _get(self, url: str, validators: Validators) -> Fetched | None:
        fetched = self._rendered(url) if self._settings.javascript else self._fetcher.get(url, validators)
        if fetched and "redirected_to" in fetched.metadata and asks_for_login(fetched):
            raise FetchError(
                f"{shown(url)} leads to a login page, {fetched.metadata['redirected_to']}; nothing was taken from it. "
                "Read it with a source of the kind 'portal'"
            )
        return fetched

    def _rendered(self, url: str) -> Fetched:
        self._fetcher.take_turn(url)
        return self._chromium.render(url, self._settings.wait_for)

    @locked_cached_property
    def _chromium(self) -> Browser:
        return Browser(self._browser, self._settings.fetch)

    def _crawl(self, items: dict[str, Item]) -> tuple[Sequence[tuple[str, str]], bool]:
        """Add what a crawl finds; return what could not be visited, and whether it was cut short."""
        if not self._settings.crawl:
            return (), False
        starts, failed = self._addresses(self._settings.crawl)
        crawl = Crawl(self._get, self._reaches(starts), self._settings.depth, self._settings.limit, self._last)
        crawl.walk(starts)
        if starts and all(crawl.pages[start].error and not crawl.pages[start].links for start in starts):
            reasons = "; ".join(str(crawl.pages[start].error) for start in list(starts)[:5])
            raise SourceError(f"the crawl of source {self._settings.id!r} could not start: {reasons}")
        for page in crawl.pages.values():
            if page.indexed and self._wanted(page.uri):
                items.setdefault(page.uri, Item(page.uri, page.mark))
        self._crawled = crawl
        if crawl.truncated:
            failed = [
                *failed,
                (next(iter(starts)), f"leads to more than {self._settings.limit} pages (`limit`); the rest is left"),
            ]
        return failed, crawl.truncated

    def _reaches(self, starts: Iterable[str]) -> Callable[[str], bool]:
        within = self._settings.within or tuple(start[: start.rfind("/") + 1] for start in starts)
        return lambda url: url.startswith(tuple(within)) and not matches_address(url, self._settings.exclude)

    def _addresses(self, urls: Iterable[str]) -> tuple[dict[str, Item], Sequence[tuple[str, str]]]:
        items, failed = {}, []
        for url in urls:
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
            self._settings.sitemap, self._fetcher.get, self._wanted, settings.limit, settings.fetch.max_bytes
        )
        if sitemap.failed and not sitemap.pages and not settings.urls and not settings.crawl:
            reasons = "; ".join(f"{url}: {reason}" for url, reason in sitemap.failed[:5])
            raise SourceError(f"the sitemap of source {settings.id!r} could not be read: {reasons}")
        return sitemap

    def _wanted(self, url: str) -> bool:
        included = not self._settings.include or matches_address(url, self._settings.include)
        return is_web(url) and included and not matches_address(url, self._settings.exclude)

    def _mark(self, changed: str | None) -> str | None:
        """Make the date a fingerprint; a bare day, while it lasts, cannot tell whether more changes follow."""
        if not changed:
            return None
        date = iso_utc(changed)
        if len(changed) <= 10 and date and datetime.fromisoformat(date) > self._now() - timedelta(days=2):
            return None
        return f"lastmod {changed}"


def opened(settings: WebSource, context: Context) -> Web:
    """Open a source of this kind."""
    return Web(settings, last=context.last, browser=context.browser)
