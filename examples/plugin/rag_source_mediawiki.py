"""A kind of source from another package: the pages of a MediaWiki, by its API (https://www.mediawiki.org/wiki/API)."""

import json
from collections.abc import Iterator
from typing import Literal
from urllib.parse import quote, urlencode

from rag_platform.config.sections.sources import FetchSettings, SourceSettings
from rag_platform.config.source_kinds import Kind
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Fetched, Item, Listing, Validators
from rag_platform.sources.http.fetcher import Fetcher


class MediaWikiSource(SourceSettings):
    """Pages of a MediaWiki."""

    kind: Literal["wiki"]
    api: str
    """Address of the wiki's api.php."""
    pages: str
    """Address of a page, in which ``{title}`` is replaced by its title."""
    namespace: int = 0
    fetch: FetchSettings = FetchSettings()


class MediaWiki:
    """Lists the pages with their revisions; only a page with a new revision is fetched."""

    def __init__(self, settings: MediaWikiSource) -> None:
        self._settings = settings
        self._fetcher = Fetcher(settings.fetch)

    def list(self) -> Listing:
        """Name all pages: what is not among them does not exist."""
        return Listing([self._item(page) for page in self._pages()], complete=True)

    def fetch(self, item: Item, validators: Validators) -> Fetched:  # noqa: ARG002  revisions tell what changed
        """Read the page's HTML in the revision that was listed."""
        asked = {"action": "parse", "oldid": item.fingerprint, "prop": "text", "disableeditsection": 1}
        return Fetched(self._ask(asked)["parse"]["text"].encode(), "text/html; charset=utf-8")

    def _pages(self) -> Iterator[dict]:
        asked = {
            "action": "query",
            "generator": "allpages",
            "gapnamespace": self._settings.namespace,
            "gapfilterredir": "nonredirects",
            "gaplimit": "max",
            "prop": "info",
        }
        more: dict = {}
        while more is not None:
            answer = self._ask(asked | more)
            yield from answer.get("query", {}).get("pages", [])
            more = answer.get("continue")

    def _item(self, page: dict) -> Item:
        uri = self._settings.pages.replace("{title}", quote(page["title"].replace(" ", "_")))
        return Item(uri, str(page["lastrevid"]), {"title": page["title"], "type": "wiki"})

    def _ask(self, parameters: dict) -> dict:
        url = f"{self._settings.api}?{urlencode({**parameters, 'format': 'json', 'formatversion': 2})}"
        try:
            answer = json.loads(self._fetcher.get(url).content)
        except FetchError as error:
            raise SourceError(f"source {self._settings.id!r}: {error}") from error
        except ValueError as error:
            raise SourceError(f"{self._settings.api} does not answer in JSON; check `api` in the settings") from error
        if "error" in answer:
            raise SourceError(f"source {self._settings.id!r}: the wiki says: {answer['error'].get('info')}")
        return answer


KIND = Kind(MediaWikiSource, lambda settings, _: MediaWiki(settings))
