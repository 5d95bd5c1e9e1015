"""Following links from a few pages, within a part of a site and to a depth.

A page that has not changed since the last sync costs a 304, and its links are those of the bytes that were kept. So do
those of a page that cannot be had now: a hub that is down for an hour loses nobody its pages.
"""

import mimetypes
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml.etree import LxmlError
from lxml.html import HtmlElement, document_fromstring

from rag_platform.core.errors import RagError, SourceError, StorageError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Fetched, Gone, Last, Validators
from rag_platform.core.threads.host_queues import map_by_host
from rag_platform.core.urls import canonical, host_of, is_web, shown
from rag_platform.sources.http.fetcher import Forbidden
from rag_platform.sources.http.page_detection import is_html

Get = Callable[[str, Validators], Fetched | None]
_NO_TEXT = ("image/", "audio/", "video/", "font/", "text/css", "text/javascript", "application/javascript")
_NOTES = {"noindex": "noindex", "nofollow": "nofollow", "none": "noindex nofollow"}


@dataclass(frozen=True, slots=True)
class Page:
    """What came of asking for one address."""

    uri: str
    fetched: Fetched | None
    """Without its bytes, which lie on the disk; None: not changed, or an error."""
    error: Exception | None
    links: tuple[str, ...]
    mark: str | None
    """Hash of the bytes; None when there are none."""
    indexed: bool = True
    """False: it only leads further."""


@dataclass(eq=False)
class Crawl:
    """One walk over a site; what it brought lies in a temporary folder as long as this object lives."""

    get: Get
    wanted: Callable[[str], bool]
    """Whether an address lies within what is crawled."""
    depth: int
    limit: int
    last: Callable[[str], Last | None]
    pages: dict[str, Page] = field(default_factory=dict)
    truncated: bool = False
    """There were more pages than `limit`."""

    def __post_init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="crawl-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)

    def walk(self, starts: Iterable[str], workers: int = 4) -> None:
        """Ask for the start pages and, level by level, for what they lead to."""
        level = list(dict.fromkeys(starts))
        for _ in range(self.depth + 1):
            with closing(map_by_host(level, host_of, self._visit, workers)) as visits:
                found = {page.uri: page for _, page in visits}
            self.pages |= {uri: found[uri] for uri in level}  # in the order of the links, not of the answers
            level = self._next(level)
            if not level:
                return

    def take(self, uri: str) -> Fetched | None:
        """Return what an address gave; None when it has not changed; raises what asking for it raised."""
        page = self.pages[uri]
        if page.error:
            raise page.error
        return replace(page.fetched, content=self._path(uri).read_bytes()) if page.fetched else None

    def _next(self, level: Sequence[str]) -> list[str]:
        links = dict.fromkeys(link for uri in level for link in self.pages[uri].links)
        fresh = [link for link in links if link not in self.pages and self.wanted(link) and _may_have_text(link)]
        room = self.limit - len(self.pages)
        self.truncated |= len(fresh) > room
        return fresh[:room]

    def _visit(self, uri: str) -> Page:
        last = self.last(uri)
        try:
            fetched = self.get(uri, last.validators if last else Validators())
        except (RagError, Gone) as error:
            links = _links_of(_tree(*_last_content(last)), uri)
            return Page(uri, None, error, links, None, indexed=bool(last) or not isinstance(error, Forbidden))
        content, content_type = (fetched.content, fetched.content_type) if fetched else _last_content(last)
        address = fetched.metadata.get("redirected_to", uri) if fetched else uri
        if address != uri and not self.wanted(canonical(address)):
            away = SourceError(f"{shown(uri)} leads to {shown(address)}, outside of what is crawled")
            return Page(uri, None, away, (), None)
        tree = _tree(content, content_type)
        notes = _robots(tree)
        links = () if "nofollow" in notes else _links_of(tree, address)
        if fetched:
            self._path(uri).write_bytes(content)
        return Page(
            uri, fetched and replace(fetched, content=b""), None, links, digest(content), "noindex" not in notes
        )

    def _path(self, uri: str) -> Path:
        return self._folder / digest(uri, length=32)


def _last_content(last: Last | None) -> tuple[bytes, str | None]:
    """Return what the last fetch brought, and what the server called it; nothing where there is none, or it is lost."""
    if last is None:
        return b"", None
    try:
        return last.content(), last.content_type
    except StorageError:
        return b"", last.content_type


def _may_have_text(url: str) -> bool:
    kind = mimetypes.guess_type(unquote(urlsplit(url).path))[0] or ""
    return not kind.startswith(_NO_TEXT)


def _tree(content: bytes, content_type: str | None) -> HtmlElement | None:
    if not content or (content_type and not is_html(content_type)):
        return None
    try:
        return document_fromstring(content)
    except (LxmlError, ValueError):
        return None


def _links_of(tree: HtmlElement | None, base: str) -> tuple[str, ...]:
    """Return the addresses that a page links to, each once, in their order."""
    if tree is None:
        return ()
    base = next(iter(tree.xpath("//base/@href")), None) or base
    found: dict[str, None] = {}
    for link in tree.xpath("//a[@href and not(contains(@rel, 'nofollow'))]/@href | //area/@href | //frame/@src"):
        try:
            address = canonical(link, base)
        except ValueError:
            continue
        if is_web(address):
            found[address] = None
    return tuple(found)


def _robots(tree: HtmlElement | None) -> set[str]:
    """Return what the page's own <meta name="robots"> asks for."""
    contents = [] if tree is None else tree.xpath("//meta[translate(@name, 'ROBTS', 'robts')='robots']/@content")
    words = (word.strip().lower() for content in contents for word in content.split(","))
    return {note for word in words for note in _NOTES.get(word, "").split()}
