"""What a portal holds -> items: a page of our own for each entry, an address for each file."""

import html
import mimetypes
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

import lxml.etree
import lxml.html

from rag_platform.core.ids import digest
from rag_platform.core.ports import Item
from rag_platform.core.urls import canonical, is_web
from rag_platform.sources.dates import iso_utc

HARMFUL = re.compile(
    r"log-?_?(out|off)|sign-?_?out|delete|remove|unjoin|unsubscribe|edit|revise|doNew|reset", re.IGNORECASE
)
"""In addresses of links that do something instead of showing something."""
HREF = re.compile(r"""\bhref\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
PAGES = {"text/html", "application/xhtml+xml"}
SILENT = ("audio/", "video/")
"""Types that hold no text."""


@dataclass(frozen=True, slots=True)
class File:
    """A file that the portal names."""

    url: str
    title: str = ""
    mark: str | None = None
    """Changes when the file does; None: only a fetch can tell."""
    kind: str | None = None
    """Its media type, where the portal says one."""
    author: str | None = None
    published_at: str | None = None
    updated_at: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """An announcement, a lesson, a test: something that has a text but no address of its own."""

    uri: str
    type: str
    title: str
    body: str = ""
    """HTML."""
    facts: Mapping[str, str | None] = field(default_factory=dict)
    """Shown above the text: when it is due, for instance."""
    author: str | None = None
    published_at: str | None = None
    updated_at: str | None = None
    files: Sequence[File] = ()


@dataclass(slots=True)
class Found:
    """What reading a portal has brought so far."""

    items: dict[str, Item] = field(default_factory=dict)
    failed: list[tuple[str, str]] = field(default_factory=list)
    unlisted: list[str] = field(default_factory=list)
    complete: bool = True
    pages: set[str] = field(default_factory=set)
    """Uris of files that are pages: for others a page is no content."""

    def add(self, entry: Entry, tags: Sequence[str]) -> None:
        """Add an entry and the files that belong to it."""
        facts = _facts(
            entry.type, entry.title, entry.author, entry.published_at, entry.updated_at, [t for t in tags if t]
        )
        content = _page(entry).encode("utf-8", "replace")
        mark = digest(content, repr(sorted(facts.items())))
        self.items.setdefault(entry.uri, Item(entry.uri, mark, facts, content))
        for file in (*entry.files, *_linked(entry)):
            self.add_file(file, tags)

    def add_file(self, file: File, tags: Sequence[str], type: str = "resource") -> None:  # noqa: A002
        """Add a file; it is fetched when its mark has changed."""
        kind = file.kind if file.kind and "/" in file.kind else mimetypes.guess_type(urlsplit(file.url).path)[0] or ""
        if not is_web(file.url) or kind.startswith(SILENT):
            return
        uri = canonical(file.url)
        if kind in PAGES:
            self.pages.add(uri)
        facts = _facts(type, file.title, file.author, file.published_at, file.updated_at, [t for t in tags if t])
        self.items.setdefault(uri, Item(uri, file.mark, facts))


def moment(value: Any) -> str | None:
    """Read a date in any of the forms that Sakai has: seconds, milliseconds, objects, digits, text."""
    if isinstance(value, Mapping):
        if value.get("epochSecond") is not None:
            return moment(value["epochSecond"])
        return moment(value.get("epochMilli") or value.get("time"))
    if isinstance(value, str) and re.fullmatch(r"\d{14}(\d{3})?", value):
        return datetime.strptime(value[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC).isoformat()
    if isinstance(value, str) and re.fullmatch(r"-?\d+", value):
        value = int(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return iso_utc(value / 1000 if abs(value) > 1e11 else value) if value > 0 else None
    return iso_utc(value)


def readable(date: str | None) -> str | None:
    """Write a date for people."""
    return f"{datetime.fromisoformat(date):%Y-%m-%d %H:%M} UTC" if date else None


def text_mark(page: str | bytes) -> str:
    """Return what changes when a page's text does: tokens and times in its markup differ with every visit."""
    try:
        tree = lxml.html.document_fromstring(page)
    except (lxml.etree.LxmlError, ValueError):
        return digest(page)
    for element in tree.xpath("//script | //style | //template | //noscript | //comment()"):
        element.drop_tree()
    return digest(" ".join(tree.text_content().split()), *sorted(tree.xpath("//title/text()")))


def attachments(given: Any, base: str) -> list[File]:
    """Read a list of attachments: objects or bare addresses. An attachment never changes under its address."""
    files = []
    for entry in given if isinstance(given, list) else ():
        one = entry if isinstance(entry, Mapping) else {"url": entry}
        url = one.get("url") or one.get("ref") or one.get("id")
        if not isinstance(url, str) or not url:
            continue
        size = one.get("size") or one.get("contentLength")
        mark = digest(url, str(size)) if size else None
        kind = one.get("mimeType") or one.get("type")
        name = str(one.get("name") or one.get("title") or url.rpartition("/")[2])
        files.append(File(_absolute(url, base), name, mark, kind if isinstance(kind, str) else None))
    return [file for file in files if same_host(file.url, base)]


def links(page: str, base: str) -> list[str]:
    """Return the addresses that a page leads to on its own host, without those that do something."""
    found = []
    for href in HREF.findall(page):
        try:
            url = canonical(html.unescape(href), base)
        except ValueError:
            continue
        if same_host(url, base) and not HARMFUL.search(urlsplit(url).path + "?" + urlsplit(url).query):
            found.append(url)
    return list(dict.fromkeys(found))


def same_host(url: str, base: str) -> bool:
    """Return whether an address is of the same host: cookies go nowhere else."""
    return is_web(url) and urlsplit(url).netloc.lower() == urlsplit(base).netloc.lower()


def is_file(url: str) -> bool:
    """Return whether an address looks like a file rather than a page."""
    kind = mimetypes.guess_type(urlsplit(url).path)[0]
    return kind is not None and kind not in PAGES and not kind.startswith("application/x-httpd")


def _absolute(url: str, base: str) -> str:
    if url.startswith(("/attachment/", "/group/", "/user/", "/group-user/", "/private/", "/public/")):
        url = f"/access/content{url}"  # an id of Sakai's content, not an address
    return urljoin(base, url)


def _linked(entry: Entry) -> Iterable[File]:
    """Name the files that a text links to."""
    return [File(url, url.rpartition("/")[2]) for url in links(entry.body, entry.uri) if "/access/content/" in url]


def _facts(
    type_: str,
    title: str,
    author: str | None,
    published_at: str | None,
    updated_at: str | None,
    tags: Sequence[str],
) -> dict[str, Any]:
    facts = {
        "type": type_,
        "title": " ".join(title.split()),
        "author": author,
        "published_at": published_at,
        "updated_at": updated_at,
        "tags": list(tags),
    }
    return {name: value for name, value in facts.items() if value}


def _page(entry: Entry) -> str:
    lines = [
        f"<p>{html.escape(name)}: {html.escape(value)}</p>" for name, value in entry.facts.items() if value is not None
    ]
    title = html.escape(entry.title)
    return (
        f'<!doctype html>\n<html>\n<head><meta charset="utf-8"><title>{title}</title></head>\n<body><article>\n'
        f"<h1>{title}</h1>\n" + "\n".join([*lines, entry.body]) + "\n</article></body>\n</html>\n"
    )
