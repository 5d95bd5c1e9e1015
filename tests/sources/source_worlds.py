"""A small world for each kind of source: documents that can be put and removed, and the source that reads them."""

import inspect
import json
import os
import sqlite3
import subprocess
import weakref
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape

import duckdb
import fsspec
import sqlalchemy

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.config.source_kinds import Context
from rag_platform.config.vault import Vault
from rag_platform.core.ports import nothing
from rag_platform.sources.databases.sql import Sql, SqlSource
from rag_platform.sources.files.folder import Folder, FolderSource
from rag_platform.sources.files.objects import Objects, ObjectsSource
from rag_platform.sources.http.cookies import Cookie
from rag_platform.sources.in_memory import Memory
from rag_platform.sources.portals.source import Portal, PortalSource
from rag_platform.sources.repositories.git import Git, GitSource
from rag_platform.sources.stores.settings import StoreSource
from rag_platform.sources.stores.vector_store import VectorStore
from rag_platform.sources.uploads.source import Upload, UploadSource, collections_of
from rag_platform.sources.web.feed import Feed, FeedSource
from rag_platform.sources.web.website import Web, WebSource
from rag_platform.sources.webdav.webdav_files import WebDav, WebDavSource
from tests.loopback import running
from tests.sources.webdav.test_webdav import Served


class FolderWorld:
    deletes = True
    refetches = False

    def __init__(self, tmp_path, **_):
        self.root = tmp_path / "files"
        self.root.mkdir()

    def put(self, name, text):
        path = self.root / f"{name}.md"
        path.write_text(text)
        self.ticks = getattr(self, "ticks", 0) + 1
        os.utime(path, ns=(self.ticks * 10**9, self.ticks * 10**9))  # two edits within one tick of the clock

    def remove(self, name):
        (self.root / f"{name}.md").unlink()

    def source(self):
        return Folder(FolderSource(id="here", kind="folder", path=self.root), self.root)

    def break_down(self):
        self.root.rename(self.root.with_name("elsewhere"))


class GitWorld(FolderWorld):
    """Files that somebody commits, in a repository."""

    def __init__(self, tmp_path, **_):
        super().__init__(tmp_path)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments):
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *arguments], cwd=self.root, check=True, capture_output=True)

    def put(self, name, text):
        (self.root / f"{name}.md").write_text(text)

    def source(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "what changed")
        return Git(GitSource(id="here", kind="git", url=str(self.root)), Context(self.root.parent))

    def break_down(self):
        self.source = lambda: Git(GitSource(id="here", kind="git", url=str(self.root / "none")), Context(self.root))


class WebDavWorld(FolderWorld):
    """Files that a WebDAV server has."""

    def __init__(self, tmp_path, **_):
        super().__init__(tmp_path)
        self.server = Served(self.root)
        served = running(self.server.server)
        served.__enter__()
        self.stop = weakref.finalize(self, served.__exit__, None, None, None)

    def source(self):
        fetch = FetchSettings(allow_private=True, retries=0)
        given = {"url": self.server.url, "user": "ada", "password": "${CLOUD}", "fetch": fetch}
        return WebDav(WebDavSource(id="here", kind="webdav", **given), Context(self.root, environ={"CLOUD": "x:y"}))

    def break_down(self):
        self.server.broken |= {"/dav", "/dav/"}


class SiteWorld:
    """Pages with entity tags, on a real server."""

    deletes = True
    refetches = True
    last = staticmethod(nothing)

    def __init__(self, site, reply, local, **_):
        self.site, self.reply, self.fetch, self.texts = site, reply, local, {}
        self.publish()

    def put(self, name, text):
        self.texts[name] = text
        tag = f'"{hash(text)}"'
        page = self.reply(text.encode(), headers={"etag": tag})
        unchanged = self.reply(status=304)
        self.site.pages[f"/{name}"] = lambda r: unchanged if r.headers["if-none-match"] == tag else page
        self.publish()

    def remove(self, name):
        del self.texts[name], self.site.pages[f"/{name}"]
        self.publish()

    def publish(self):
        pass


class PagesWorld(SiteWorld):
    def source(self):
        urls = [self.site.url(f"/{name}") for name in self.texts]
        return Web(WebSource(id="pages", kind="web", urls=urls or ["http://127.0.0.1:1/"], fetch=self.fetch))

    def break_down(self):
        self.source = lambda: Web(WebSource(id="p", kind="web", sitemap=self.site.url("/none"), fetch=self.fetch))


class SitemapWorld(SiteWorld):
    def publish(self):
        urls = "".join(f"<url><loc>{self.site.url('/' + name)}</loc></url>" for name in self.texts)
        schema = "http://www.sitemaps.org/schemas/sitemap/0.9"
        self.site.pages["/sitemap.xml"] = f'<urlset xmlns="{schema}">{urls}</urlset>'.encode()

    def source(self):
        return Web(WebSource(id="map", kind="web", sitemap=self.site.url("/sitemap.xml"), fetch=self.fetch))

    def break_down(self):
        self.site.pages["/sitemap.xml"] = b"<html><p>Sorry"


class CrawlWorld(SiteWorld):
    refetches = False

    def publish(self):
        links = "".join(f'<a href="/{name}">{name}</a>' for name in self.texts)
        self.site.pages["/"] = f"<meta name=robots content=noindex>{links}".encode()

    def source(self):
        settings = WebSource(id="crawl", kind="web", crawl=[self.site.url("/")], fetch=self.fetch)
        return Web(settings, last=self.last)

    def break_down(self):
        self.site.pages["/"] = self.reply(b"<html><p>Sorry", 500)


class FeedWorld(SiteWorld):
    deletes = False
    refetches = False
    articles = True

    def publish(self):
        entries = "".join(
            f"<item><title>{name}</title><link>{self.site.url('/' + name)}</link><guid>{name}</guid>"
            f"<pubDate>{format_datetime(datetime(2026, 3, 2, tzinfo=UTC))}</pubDate>"
            f"<description>{escape(text)}</description></item>"
            for name, text in self.texts.items()
        )
        rss = f'<rss version="2.0"><channel><title>News</title>{entries}</channel></rss>'
        self.site.pages["/feed"] = self.reply(rss.encode(), headers={"content-type": "application/rss+xml"})

    def source(self):
        settings = FeedSource(
            id="news", kind="feed", urls=[self.site.url("/feed")], articles=self.articles, fetch=self.fetch
        )
        return Feed(settings)

    def break_down(self):
        self.site.pages["/feed"] = self.reply(b"<html><p>Sorry", 500)


class FeedTextWorld(FeedWorld):
    articles = False


class SqliteWorld:
    deletes = True
    refetches = False

    def __init__(self, tmp_path, **_):
        self.home = tmp_path
        self.url = "sqlite:///notes.db"
        with sqlite3.connect(tmp_path / "notes.db") as connection:
            connection.execute("create table notes (name text primary key, body text)")
        connection.close()

    def run(self, *commands):
        connection = sqlite3.connect(self.home / "notes.db")
        connection.execute("pragma synchronous = off")
        with connection:
            for command, values in commands:
                connection.execute(command, values)
        connection.close()

    def put(self, name, text):
        delete, insert = "delete from notes where name = ?", "insert into notes values (?, ?)"
        self.run((delete, (name,)), (insert, (name, text)))

    def remove(self, name):
        self.run(("delete from notes where name = ?", (name,)))

    def source(self):
        settings = SqlSource(
            id="notes",
            kind="sql",
            url=self.url,
            query="select name, body from notes",
            key="name",
            template="{body}",
            title="{name}",
        )
        return Sql(settings, self.home, environ={})

    def break_down(self):
        (self.home / "notes.db").unlink()


class PostgresWorld(SqliteWorld):
    def __init__(self, tmp_path, postgres, **_):
        self.home, self.url = tmp_path, postgres
        self.engine = sqlalchemy.create_engine(postgres, poolclass=sqlalchemy.NullPool)
        self.run(("drop table if exists notes", ()), ("create table notes (name text primary key, body text)", ()))

    def run(self, *commands):
        with self.engine.begin() as connection:
            for command, values in commands:
                connection.exec_driver_sql(command.replace("?", "%s"), tuple(values))

    def break_down(self):
        self.run(("drop table notes", ()))


class Waiting:
    """Writes when somebody reads, all at once: to connect a thousand times takes longer than a test may."""

    waiting = ()

    def run(self, *commands):
        self.waiting = (*self.waiting, *commands)

    def source(self):
        super().run(*self.waiting)
        self.waiting = ()
        return super().source()


class MariaWorld(Waiting, PostgresWorld):
    def __init__(self, tmp_path, mariadb, **_):
        self.home, self.url = tmp_path, mariadb
        address = mariadb.replace("mysql:", "mysql+pymysql:")
        self.engine = sqlalchemy.create_engine(address, poolclass=sqlalchemy.NullPool)
        self.run(("drop table if exists notes", ()), ("create table notes (name varchar(99), body text)", ()))


class DuckdbFile(SqliteWorld):
    def __init__(self, tmp_path, **_):
        self.home, self.url = tmp_path, "duckdb:///notes.duckdb"
        self.run(("create table notes (name text primary key, body text)", ()))

    def run(self, *commands):
        with duckdb.connect(self.home / "notes.duckdb") as connection:
            for command, values in commands:
                connection.execute(command, values).fetchall()

    def break_down(self):
        (self.home / "notes.duckdb").unlink()


class DuckdbWorld(Waiting, DuckdbFile):
    pass


class CursorWorld(SqliteWorld):
    """Rows with a number that each edit raises."""

    newest = 1
    edits = 0

    def __init__(self, tmp_path, **_):
        super().__init__(tmp_path)
        self.run(("alter table notes add column edit integer", ()))

    def put(self, name, text):
        self.edits += 1
        delete, insert = "delete from notes where name = ?", "insert into notes values (?, ?, ?)"
        self.run((delete, (name,)), (insert, (name, text, self.edits)))

    def source(self):
        settings = SqlSource(
            id="notes",
            kind="sql",
            url=self.url,
            query="select name, body, edit from notes;",
            key="name",
            cursor="edit",
            template="{body}",
            title="{name}",
        )
        return Sql(settings, self.home, environ={})


class BucketWorld:
    """Objects on an S3 server, which lists them in pages of two."""

    deletes = True
    refetches = False

    def __init__(self, shelf, **_):
        self.shelf = shelf

    def put(self, name, text):
        self.shelf.objects[f"books/{name}.txt"] = text.encode()

    def remove(self, name):
        del self.shelf.objects[f"books/{name}.txt"]

    def source(self):
        return Objects(ObjectsSource(id="shelf", kind="objects", **self.shelf.settings), environ={})

    def break_down(self):
        self.shelf.faults[2] = [403]


class StorageWorld(BucketWorld):
    """Objects in a storage that lists one folder at a time."""

    def __init__(self, tmp_path, **_):
        self.url = f"memory://{tmp_path}/here"
        self.storage = fsspec.filesystem("memory")

    def put(self, name, text):
        self.storage.pipe_file(f"{self.url}/{name}/{name}.txt", text.encode())

    def remove(self, name):
        self.storage.rm(f"{self.url}/{name}", recursive=True)

    def source(self):
        return Objects(ObjectsSource(id="here", kind="objects", url=self.url), environ={})

    def break_down(self):
        self.storage.mv(self.url, self.url + "-moved", recursive=True)


class UploadWorld:
    deletes = True
    refetches = False

    def __init__(self, tmp_path, **_):
        self.data = tmp_path / "data"
        self.settings = UploadSource(id="teaching", kind="upload")
        self.collections = collections_of(self.settings, self.data)
        self.collections.create("Physics")

    def put(self, name, text):
        self.collections.add("physics", f"{name}.md", [text.encode()])

    def remove(self, name):
        self.collections.remove("physics", f"{name}.md")

    def source(self):
        return Upload(collections_of(self.settings, self.data))

    def break_down(self):
        for path in (self.data / "uploads" / "teaching").glob("collections.sqlite*"):
            path.write_bytes(b"nothing that was ever a database")


class PortalWorld:
    """Announcements of a Sakai-like portal, read with imported cookies."""

    deletes = True
    refetches = False

    def __init__(self, tmp_path, sakai, **_):
        self.sakai = sakai
        sakai.announcements = []
        sessions = Vault(tmp_path / "sessions.enc", key_file=tmp_path / "key")
        self.context = Context(tmp_path, sessions=sessions)
        self.source().session.adopt([Cookie("JSESSIONID", sakai.log_in_by_hand(), "127.0.0.1")])

    def put(self, name, text):
        kept = [one for one in self.sakai.announcements if one["id"] != name]
        self.sakai.announcements = [*kept, self.sakai.announcement(name, name, text)]

    def remove(self, name):
        self.sakai.announcements = [one for one in self.sakai.announcements if one["id"] != name]

    def source(self):
        fetch = FetchSettings(allow_private=True, retries=0)
        given = {"profile": "sakai", "tools": ["announcement"], "fetch": fetch}
        return Portal(PortalSource(id="uni", kind="portal", url=self.sakai.url, **given), self.context)

    def break_down(self):
        self.sakai.broken["/direct/"] = 500


class MemoryWorld:
    deletes = True
    refetches = False

    def __init__(self, **_):
        self.memory = Memory({})

    def put(self, name, text):
        self.memory.documents[name] = text.encode()

    def remove(self, name):
        del self.memory.documents[name]

    def source(self):
        return self.memory

    def break_down(self):
        self.memory.down = True


class StoreWorld:
    """Rows that another system has exported."""

    deletes = True
    refetches = False

    def __init__(self, tmp_path, **_):
        self.home, self.rows = tmp_path, {}
        self.write()

    def put(self, name, text):
        self.rows[name] = text
        self.write()

    def remove(self, name):
        del self.rows[name]
        self.write()

    def write(self):
        lines = (json.dumps({"_id": name, "text": text}) for name, text in self.rows.items())
        (self.home / "rows.jsonl").write_text("".join(f"{line}\n" for line in lines))

    def source(self):
        settings = StoreSource(id="rows", kind="store", format="jsonl", place="rows.jsonl")
        return VectorStore(settings, Context(self.home))

    def break_down(self):
        (self.home / "rows.jsonl").unlink()


WORLDS = {
    "folder": FolderWorld,
    "git": GitWorld,
    "pages": PagesWorld,
    "sitemap": SitemapWorld,
    "crawl": CrawlWorld,
    "feed": FeedWorld,
    "feed text": FeedTextWorld,
    "sqlite": SqliteWorld,
    "postgres": PostgresWorld,
    "mariadb": MariaWorld,
    "duckdb": DuckdbWorld,
    "cursor": CursorWorld,
    "bucket": BucketWorld,
    "storage": StorageWorld,
    "upload": UploadWorld,
    "portal": PortalWorld,
    "memory": MemoryWorld,
    "store": StoreWorld,
}

SERVED = {"webdav": WebDavWorld}
"""Worlds whose servers are too slow for thousands of syncs."""


def make(request, tmp_path):
    """Make the world that a test's parameter names, with the servers that it asks for."""
    world = (WORLDS | SERVED)[request.param]
    servers = inspect.signature(world).parameters.keys() - {"tmp_path", "_"}
    return world(tmp_path=tmp_path, **{name: request.getfixturevalue(name) for name in servers})
