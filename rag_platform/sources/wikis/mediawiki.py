"""Pages of a MediaWiki, such as Wikipedia or a company's own, and the files that were uploaded to it.

Every sync asks for all titles with their revisions, 500 at a time, and reads the pages of which the revision is new. So
what was deleted is known, and a page that was renamed too, because it keeps its number.
"""

import os
import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from rag_platform.config.source_kinds import Context
from rag_platform.config.variables import Variables
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Fetched, Item, Listing, Validators
from rag_platform.sources.files.globs import matches
from rag_platform.sources.wikis.mediawiki_api import MediaWikiApi
from rag_platform.sources.wikis.mediawiki_settings import MediaWikiSource

_CATEGORY = re.compile(r"^[^:]*:")


class MediaWiki:
    """Lists pages with their revisions, and reads those that are fetched."""

    def __init__(self, settings: MediaWikiSource, context: Context) -> None:
        self._settings = settings
        variables = Variables(context.environ or os.environ, context.secrets)
        password = variables.expand(settings.password or "", f"sources[{settings.id}].password")
        self._api = MediaWikiApi(settings.api, settings.fetch, settings.user, password)
        self._files: set[str] = set()

    def list(self) -> Listing:
        """Name all pages: what is not among them does not exist."""
        try:
            pages = [self._page(page) for page in self._pages()]
            files = list(self._uploaded()) if self._settings.files else []
        except FetchError as error:
            raise SourceError(f"source {self._settings.id!r} cannot be listed: {error}. Nothing was deleted") from error
        self._files = {item.uri for item in files}
        return Listing([*pages, *files], complete=True)

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:  # noqa: ARG002  revisions tell what changed
        """Read a page as HTML in the revision that was listed, or a file."""
        if item.uri in self._files:
            return self._api.get(item.uri)
        revision = int(item.fingerprint or 0)
        read = self._api.ask(action="parse", oldid=revision, prop="text", disableeditsection=1, disabletoc=1)
        title = escape(item.metadata["title"])
        page = f"<!doctype html><title>{title}</title><main><h1>{title}</h1>{read['parse']['text']}</main>"
        return Fetched(page.encode(), "text/html; charset=utf-8")

    def _pages(self) -> Iterator[dict[str, Any]]:
        numbers = dict.fromkeys(self._settings.namespaces)
        talk = {number | 1: None for number in numbers} if self._settings.talk else {}
        for number in numbers | talk:
            yield from self._in_namespace(number)

    def _in_namespace(self, number: int) -> Iterator[dict[str, Any]]:
        """Yield the pages of a namespace; what the wiki says of one page may come in several parts."""
        found: dict[int, dict[str, Any]] = {}
        for part in self._api.ask_all(
            action="query",
            generator="allpages",
            gapnamespace=number,
            gapfilterredir="nonredirects",
            gaplimit="max",
            prop="info|revisions|categories",
            inprop="url",
            rvprop="timestamp",
            cllimit="max",
            clshow="!hidden",
        ):
            for page in part.get("pages", []):
                known = found.setdefault(page["pageid"], {})
                categories = [*known.get("categories", []), *page.get("categories", [])]
                known |= {**page, "categories": categories}
        yield from (page for page in found.values() if self._wanted(page["title"]))

    def _page(self, page: Mapping[str, Any]) -> Item:
        about = {"title": page["title"], "type": "wiki", "identity": f"page {page['pageid']}"}
        tags = sorted(f"category:{_CATEGORY.sub('', one['title'])}" for one in page["categories"])
        changed = {"updated_at": page["revisions"][0]["timestamp"]} if page.get("revisions") else {}
        return Item(page["canonicalurl"], str(page["lastrevid"]), {**about, **changed, "tags": tags})

    def _uploaded(self) -> Iterator[Item]:
        asked = {"action": "query", "list": "allimages", "ailimit": "max", "aiprop": "url|sha1|timestamp"}
        for part in self._api.ask_all(**asked):
            for file in part.get("allimages", []):
                if self._wanted(file["title"]):
                    about = {"title": file["name"].replace("_", " "), "updated_at": file["timestamp"]}
                    yield Item(file["url"], file["sha1"], about)

    def _wanted(self, title: str) -> bool:
        return matches(title, self._settings.include) and not matches(title, self._settings.exclude)
