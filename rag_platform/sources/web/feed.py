"""RSS, Atom, RDF and JSON feeds, with the pages of their articles.

An entry's uri is the canonical address of its article, else its own id. Its fingerprint covers all that the feed says
about it, so an unchanged entry is never fetched again: a sync without news reads the feeds alone. An entry that
leaves the feed's window is not deleted.
"""

import html
import mimetypes
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import quote, urlsplit

from rag_platform.config.source_kinds import Context
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Fetched, Gone, Item, Listing, Validators
from rag_platform.core.threads.host_queues import map_by_host
from rag_platform.core.urls import canonical, host_of, is_web, shown
from rag_platform.sources.http.fetcher import Fetcher
from rag_platform.sources.http.hosts import Unavailable
from rag_platform.sources.web.feed_settings import FeedSource
from rag_platform.sources.web.syndication import Entry, NotAFeed, read_feed

WORKERS = 4
RETRY_DAYS = 7
"""Age of an entry up to which a page that could not be had for now is asked for again."""


class Feed:
    """Lists the entries of feeds, and fetches their pages or, where that fails, gives the feed's own text."""

    def __init__(
        self,
        settings: FeedSource,
        fetcher: Fetcher | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._settings = settings
        self._fetcher = fetcher or Fetcher(settings.fetch)
        self._now = now

    def list(self) -> Listing:
        """Read the feeds; a dead one is among `failed`, and `SourceError` says that all are."""
        urls = list(dict.fromkeys(self._settings.urls))
        read = dict(map_by_host(urls, host_of, self._read, WORKERS))
        failed = [(shown(url), reason) for url in urls if isinstance(reason := read[url], str)]
        if len(failed) == len(urls):
            reasons = "; ".join(reason for _, reason in failed[:5])
            raise SourceError(f"no feed of source {self._settings.id!r} could be read: {reasons}")
        items: dict[str, Item] = {}
        for url in urls:
            entries = read[url]
            for item in [] if isinstance(entries, str) else self._items(entries):
                items.setdefault(item.uri, item)  # the same article in two feeds is one
        return Listing(list(items.values()), complete=False, failed=failed)

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:
        """Fetch the article's page, else give the feed's own text, with a note why."""
        if item.content is not None and not (self._settings.articles and _has_page(item.uri)):
            return _own_text(item)
        try:
            return self._fetcher.get(item.uri, validators)
        except FetchError as error:
            if item.content is None:
                raise
            return _own_text(item, str(error), provisional=isinstance(error, Unavailable) and self._is_young(item))

    def _read(self, url: str) -> tuple[Entry, ...] | str:
        """Return the entries of a feed, or why there are none."""
        try:
            page = self._fetcher.get(url)
            address = page.metadata.get("redirected_to", url)
            return tuple(read_feed(page.content, address, page.content_type, most=self._settings.max_entries))
        except (SourceError, Gone, NotAFeed) as error:
            return str(error)

    def _items(self, entries: Sequence[Entry]) -> Sequence[Item]:
        distinct = {(_address(entry), entry.link.partition("#")[2], entry.title) for entry in entries}
        shared = Counter(address for address, _, _ in distinct)
        items = []
        for entry in entries:
            if self._is_recent(entry):
                address = _address(entry)
                items.append(self._item(entry, _part(address, entry) if shared[address] > 1 else address))
                items += self._attachments(entry)
        return items

    def _is_recent(self, entry: Entry) -> bool:
        date = entry.published_at or entry.updated_at
        if self._settings.max_age_days is None or date is None:
            return True
        return datetime.fromisoformat(date) >= self._now() - timedelta(days=self._settings.max_age_days)

    def _is_young(self, item: Item) -> bool:
        """Return whether a page that failed is worth another try at the next sync, which must stay cheap."""
        date = item.metadata.get("published_at") or item.metadata.get("updated_at")
        return date is not None and datetime.fromisoformat(date) >= self._now() - timedelta(days=RETRY_DAYS)

    def _item(self, entry: Entry, uri: str) -> Item:
        facts = {
            "title": entry.title,
            "author": entry.author,
            "published_at": entry.published_at,
            "updated_at": entry.updated_at,
            "language": entry.language,
        }
        mark = digest(entry.id, entry.body, str(self._settings.articles), *(value or "" for value in facts.values()))
        content = _page(entry).encode() if entry.body or entry.title else None
        return Item(uri, mark, {name: value for name, value in facts.items() if value}, content)

    def _attachments(self, entry: Entry) -> Sequence[Item]:
        """List the PDF files that come with an entry; sound and film are not text."""
        whole = self._item(entry, "-")
        return [
            Item(_canonical(address), whole.fingerprint, whole.metadata)
            for address, kind in entry.attachments
            if is_web(address) and (kind.lower().startswith("application/pdf") or address.lower().endswith(".pdf"))
        ]


def _address(entry: Entry) -> str:
    return _canonical(entry.link) if is_web(entry.link) else entry.id


def _has_page(uri: str) -> bool:
    """Return whether a page of its own can be expected: not for a part of a page, nor for sound and film."""
    kind = mimetypes.guess_type(urlsplit(uri).path)[0] or "" if is_web(uri) else ""
    return is_web(uri) and "#" not in uri and not kind.startswith(("audio/", "video/"))


def _canonical(url: str) -> str:
    try:
        return canonical(url)
    except ValueError:  # such as a broken IPv6 host: kept as it is, its fetch will say so
        return url


def _part(address: str, entry: Entry) -> str:
    """Tell apart entries that share one page, such as the changes of a changelog: each is its own text."""
    fragment = entry.link.partition("#")[2]
    return f"{address}#{fragment or quote(entry.id, safe='')}"


def _own_text(item: Item, reason: str = "", *, provisional: bool = False) -> Fetched:
    note = {"note": f"text of the feed: {reason}"} if reason else {}
    return Fetched(item.content or b"", "text/html; charset=utf-8", metadata=note, provisional=provisional)


def _page(entry: Entry) -> str:
    """Write an entry's own text as a page."""
    language = f' lang="{entry.language}"' if entry.language else ""
    title = html.escape(entry.title)
    return (
        f'<!doctype html>\n<html{language}>\n<head><meta charset="utf-8"><title>{title}</title></head>\n'
        f"<body><article>\n<h1>{title}</h1>\n{entry.body}\n</article></body>\n</html>\n"
    )


def opened(settings: FeedSource, _: Context) -> Feed:
    """Open a source of this kind."""
    return Feed(settings)
