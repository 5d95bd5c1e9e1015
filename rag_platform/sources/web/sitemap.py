"""Sitemaps (https://www.sitemaps.org/protocol.html) -> the pages they name."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from lxml import etree

from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Fetched, Gone
from rag_platform.core.urls import canonical, is_web, shown
from rag_platform.sources.compression import MAGIC, gunzip

MOST_PARTS = 1000
"""Sitemaps that one index may lead to."""


@dataclass(slots=True)
class Sitemap:
    """The pages of a sitemap, and what of it could not be read."""

    pages: dict[str, str | None] = field(default_factory=dict)
    """Canonical address -> when it last changed, as the sitemap says it."""
    failed: list[tuple[str, str]] = field(default_factory=list)


def read_sitemap(
    url: str, get: Callable[[str], Fetched], wanted: Callable[[str], bool], limit: int, max_bytes: int
) -> Sitemap:
    """Read a sitemap, and those that it leads to, up to `limit` pages that are `wanted`."""
    found, waiting, seen = Sitemap(), [url], {url}
    while waiting:
        part = waiting.pop(0)
        try:
            pages, others, problem = _parse(get(part), part, max_bytes)
        except (SourceError, Gone, ValueError) as error:
            found.failed.append((shown(part), str(error)))
            continue
        if problem:  # what can be read of it is used, but what is missing may only have been cut off
            found.failed.append((shown(part), f"not well-formed: {problem}"))
        for page, changed in pages:
            if wanted(page):
                found.pages.setdefault(page, changed)
        if len(found.pages) > limit:
            found.failed.append((shown(part), f"the sitemap has more than {limit} pages (`limit`); the rest is left"))
            found.pages = dict(list(found.pages.items())[:limit])
            break
        fresh = [other for other in dict.fromkeys(others) if other not in seen][: MOST_PARTS - len(seen)]
        seen.update(fresh)
        waiting += fresh
    return found


def _parse(page: Fetched, url: str, max_bytes: int) -> tuple[list[tuple[str, str | None]], list[str], str | None]:
    """Return (pages with their dates, further sitemaps, what is wrong with it)."""
    content = gunzip(page.content, max_bytes) if page.content.startswith(MAGIC) else page.content
    root, problem = _root(content)
    name = None if root is None else etree.QName(root).localname
    if name == "sitemapindex":
        return [], [address for address, _ in _places(root, "sitemap", url)], problem
    if name == "urlset":
        return _places(root, "url", url), [], problem
    lines = [line.strip() for line in content.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    if lines and all(is_web(line) for line in lines):
        return [(canonical(line), None) for line in lines], [], None
    raise FetchError(f"expected a sitemap (urlset, sitemapindex, or one address a line), found {name or 'nothing'}")


def _root(content: bytes) -> tuple[etree._Element | None, str | None]:
    """Parse XML, broken XML too; return the root and what is wrong with it."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        return None, str(error)
    return root, parser.error_log[0].message if len(parser.error_log) else None


def _places(root: etree._Element, kind: str, base: str) -> list[tuple[str, str | None]]:
    places = []
    for element in root.iter(f"{{*}}{kind}"):
        address = element.findtext("{*}loc", "").strip()
        changed = element.findtext("{*}lastmod", "").strip()
        if not address:
            continue
        try:
            places.append((canonical(re.sub(r"\s", "", address), base), changed or None))
        except ValueError:
            continue
    return places
