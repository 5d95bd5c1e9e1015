"""What is out there: a news feed with its pages, a website, folders, a database; and a workspace that reads them.

All of it lies below the workspace's folder, so that it is copied with it. One server on loopback serves the copy that
is tried just now.
"""

import html
import json
import pickle
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http.server import ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread

from benchmarks.accidents.texts import Page, texts
from examples.feed_server import _Handler

FIRST_DAY = datetime(2025, 3, 1, tzinfo=UTC)
SIZES = {"news": 12, "site": 10, "guide": 18, "staff": 5, "desk": 20, "berichte": 14}
"""Documents of each source at first; `staff` is the restricted folder of `guide`, and as many are private."""
PRIVATE = "private: true\nowner: ann\n"
_ASKED = 10
"""Questions of people, about tickets."""
MENU = [
    "Home",
    "About",
    "us",
    "Archive",
    "Subscribe",
    "Newsletter",
    "Imprint",
    "Privacy",
    "Contact",
    "Jobs",
    "Log",
    "in",
]
_TEMPLATE = """<!doctype html><html lang="en"><head><title>{title}</title>{head}</head><body>
<header><nav><ul>{menu}</ul></nav></header>
<main><article><h1>{title}</h1>{body}</article></main>
<aside><h3>Most read</h3><ul>{aside}</ul></aside><footer><p>{footer}</p></footer></body></html>"""
_SETTINGS = """
[[sources]]
id = "news"
kind = "feed"
urls = ["{server}/feed.xml"]
fetch = {{ allow_private = true, delay = 0 }}
{site}
[[sources]]
id = "guide"
kind = "folder"
path = "world/guide"
rules = [{{ match = "staff/**", principals = ["group:staff"] }}]

[[sources]]
id = "desk"
kind = "sql"
url = "sqlite:///world/desk.sqlite"
query = "select id, subject, body, status, opened_at, changed_at from tickets"
key = "id"
title = "{{subject}}"
template = '''
Ticket {{id}}, {{status}}.

{{body}}
'''
published_at = "opened_at"
updated_at = "changed_at"

[[sources]]
id = "berichte"
kind = "folder"
path = "world/berichte"
{papers}
[gate]
questions = ["world/people.jsonl"]
synthetic = 20
"""
_SITE = """
[[sources]]
id = "site"
kind = "web"
sitemap = "{server}/sitemap.xml"
fetch = {{ allow_private = true, delay = 0 }}
"""
_PAPERS = """
[[sources]]
id = "papers"
kind = "folder"
path = "world/papers"
"""


@dataclass
class World:
    """The sources' contents; `save` puts them where they are served."""

    home: Path
    server: str
    pages: dict[str, dict[str, Page]] = field(default_factory=dict)
    day: int = 0
    used: dict[str, int] = field(default_factory=dict)
    """How many pages of each pool are in use."""
    first: dict[str, dict[str, Page]] = field(default_factory=dict)
    """The pages of the first day."""

    @classmethod
    def create(cls, home: Path, server: str) -> "World":
        """Write a workspace and all that it reads."""
        world, pools = cls(home, server), texts()
        for source, pool in POOLS.items():
            size = SIZES[source]
            pages = {_name(source, number): page for number, page in enumerate(getattr(pools, pool)[:size])}
            world.used[pool] = size
            world.pages[source] = pages
        for name in [*world.pages["guide"]][SIZES["staff"] :][: SIZES["staff"]]:
            world.pages["guide"][name] = replace(world.pages["guide"][name], head=PRIVATE)
        world.pages["berichte"] = {
            f"{number}.md": page for number, page in enumerate(pools.german[-SIZES["berichte"] :])
        }  # on other things than the tickets
        world.pages["papers"] = {f"{page.title}.pdf": page for page in pools.papers}
        world.pages = {source: pages for source, pages in world.pages.items() if pages}
        site, papers = (text if name in world.pages else "" for name, text in (("site", _SITE), ("papers", _PAPERS)))
        home.mkdir(parents=True, exist_ok=True)
        (home / "rag.toml").write_text(_SETTINGS.format(server=server, site=site.format(server=server), papers=papers))
        world.first = {source: dict(pages) for source, pages in world.pages.items()}
        world.save()
        world._ask()
        return world

    @classmethod
    def load(cls, home: Path) -> "World":
        """Return what was saved, where it lies now."""
        world: World = pickle.loads((home / "world" / "world.pickle").read_bytes())
        world.home = home
        return world

    def fresh(self, pool: str) -> Page:
        """Return a page of a pool that is not in use yet."""
        pages, number = getattr(texts(), pool), self.used.get(pool, 0)
        self.used[pool] = number + 1
        return pages[number % len(pages)]

    def save(self) -> None:
        """Serve the pages as they are now; what has not changed keeps its file."""
        root = self.home / "world"
        for source in self.pages.keys() - {"news", "site", "desk"}:
            _mirror(root / source, {name: _file(page) for name, page in self.pages[source].items()})
        for source in ("news", "site"):
            pages = self.pages.get(source, {})
            _mirror(root / "www" / source, {f"{name}.html": served(page) for name, page in pages.items()})
        _mirror(root / "www", {"feed.xml": self._feed().encode(), "sitemap.xml": self._sitemap().encode()}, deep=False)
        self._tickets(root / "desk.sqlite")
        (root / "world.pickle").write_bytes(pickle.dumps(self))

    def restricted(self) -> list[str]:
        """Return the titles of what not everyone may read."""
        pages = self.first["guide"].items()
        return [page.title for name, page in pages if name.startswith("staff/") or page.head]

    def settings(self, old: str, new: str) -> None:
        """Change rag.toml."""
        path = self.home / "rag.toml"
        text = path.read_text()
        if old not in text:
            raise ValueError(f"rag.toml has no {old!r}")
        path.write_text(text.replace(old, new))

    def _feed(self) -> str:
        entries = "".join(
            f"<entry><id>{self.server}/news/{name}.html</id><title>{html.escape(page.title)}</title>"
            f'<link href="{self.server}/news/{name}.html"/>{_dates(page)}'
            f"<summary>{html.escape(page.text[:150])}</summary></entry>"
            for name, page in self.pages["news"].items()
        )
        return (
            '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>'
            f"<id>{self.server}/feed.xml</id><updated>{_date(self.day)}</updated>{entries}</feed>"
        )

    def _sitemap(self) -> str:
        urls = "".join(f"<url><loc>{self.server}/site/{name}.html</loc></url>" for name in self.pages.get("site", {}))
        return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'

    def _tickets(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("drop table if exists tickets")
            columns = "id text primary key, subject text, body text, status text, opened_at text, changed_at text"
            database.execute(f"create table tickets ({columns})")
            for name, page in self.pages["desk"].items():
                database.execute("insert into tickets values (?, ?, ?, ?, ?, ?)", tuple(row_of(name, page).values()))

    def _ask(self) -> None:
        """Write questions of people about the tickets."""
        names = list(self.pages["desk"])
        asked = [(names[number], *more) for number, *more in texts().questions if number < len(names)][:_ASKED]
        rows = [
            {"id": f"desk-{name}", "question": question, "relevant": [{"uri": f"sql://desk/{name}", "quote": quote}]}
            for name, question, quote in asked
        ]
        (self.home / "world" / "people.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


POOLS = {"news": "articles", "site": "websites", "guide": "guides", "desk": "english"}
"""Of which texts each source takes its pages."""


def _name(source: str, number: int) -> str:
    endings = {"guide": f"staff/{number}.md" if number < SIZES["staff"] else f"{number}.md", "desk": f"{1000 + number}"}
    return endings.get(source, f"{source}-{number}")


def served(page: Page) -> bytes:
    """Return a page of the web as its server gives it."""
    if page.file is not None:
        return page.file
    return (page.raw if page.raw is not None else in_template(page.title, page.text, _meta(page))).encode()


def in_template(title: str, text: str, head: str = "", body: str | None = None) -> str:
    """Return a page of the news site, with its menus; `body` in place of the paragraphs."""
    paragraphs = "".join(f"<p>{html.escape(part)}</p>" for part in text.split("\n\n") if part.strip())
    menu = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in MENU)
    chance = Random(7)
    aside = "".join(f'<li><a href="/{n}">{html.escape(p.title)}</a></li>' for n, p in _aside(chance))
    return _TEMPLATE.format(
        title=html.escape(title),
        head=head,
        menu=menu,
        aside=aside,
        body=paragraphs if body is None else body,
        footer="Published by the association. All rights reserved. Reproduction needs our consent in writing.",
    )


def _aside(chance: Random) -> list[tuple[int, Page]]:
    return [*enumerate(chance.sample(texts().unrelated, 4))]


def _meta(page: Page) -> str:
    return (
        f'<meta property="article:published_time" content="{_date(page.published)}">'
        f'<meta property="article:modified_time" content="{_date(page.updated)}">'
    )


def row_of(name: str, page: Page) -> dict[str, str | None]:
    """Return a ticket's columns; a page with JSON in `raw` names those that are otherwise."""
    row = {
        "id": name,
        "subject": page.title,
        "body": page.text,
        "status": "open" if page.updated % 3 else "closed",
        "opened_at": _date(page.published),
        "changed_at": _date(page.updated),
    }
    return row | (json.loads(page.raw) if page.raw else {})


def _file(page: Page) -> bytes:
    if page.file is not None:
        return page.file
    if page.raw is not None:
        return page.raw.encode()
    dates = f"date: {_date(page.published)}\nupdated: {_date(page.updated)}\n"
    head = f"---\ntitle: {json.dumps(page.title)}\n{dates}{page.head}---\n"
    return f"{head}\n# {page.title}\n\n{page.body}\n".encode()


def _mirror(folder: Path, files: dict[str, bytes], *, deep: bool = True) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in [path for path in folder.rglob("*") if deep and path.is_file()]:
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)


def _dates(page: Page) -> str:
    return f"<published>{_date(page.published)}</published><updated>{_date(page.updated)}</updated>"


def _date(day: int) -> str:
    return (FIRST_DAY + timedelta(days=day)).isoformat()


class Web:
    """The server; `home` is the workspace whose pages it serves."""

    def __init__(self) -> None:
        self.home = Path()
        self.address = ""

    @contextmanager
    def serving(self) -> Iterator["Web"]:
        """Serve while the block runs."""

        def handler(*args: object) -> _Handler:
            return _Handler(*args, directory=str(self.home / "world" / "www"))

        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            self.address = f"http://127.0.0.1:{server.server_port}"
            Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield self
            finally:
                server.shutdown()
