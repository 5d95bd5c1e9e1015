"""A real HTTP server on loopback whose pages are functions of the request."""

import os
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
import sqlalchemy
from sqlalchemy.pool import NullPool

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.core.schemas import RAW
from rag_platform.raw.scrape import scrape
from rag_platform.storage.blobs import Blobs
from tests.loopback import LoopbackHandler, LoopbackServer, running
from tests.postgres_server import server_user
from tests.sources import s3_server
from tests.sources.sakai_site import Sakai

SERVER_PATH = os.pathsep.join(("/usr/sbin", "/usr/local/sbin", os.environ.get("PATH", "")))


@dataclass
class Reply:
    body: bytes = b""
    status: int = 200
    headers: dict = field(default_factory=dict)


@dataclass
class Site:
    """Pages by path: bytes, a Reply, or a function of the handler that gives one."""

    address: str
    pages: dict = field(default_factory=dict)
    asked: list = field(default_factory=list)
    missing: object = None
    """Asked for the body of a path that is not among the pages."""

    def url(self, path="/"):
        return self.address + path

    def count(self, path):
        return Counter(self.asked)[path]


class Handler(LoopbackHandler):
    def do_GET(self):
        site = self.server.site
        site.asked.append(self.path)
        reply = site.pages.get(self.path, site.missing)
        if reply is site.missing:
            reply = site.missing(self.path) if site.missing else Reply(b"nothing here", 404)
        if callable(reply):
            reply = reply(self)
        if isinstance(reply, bytes):
            reply = Reply(reply)
        if reply is None:
            return  # the page wrote its own answer
        self.answer(reply.body, reply.status, {"content-type": "text/html; charset=utf-8", **reply.headers})

    def do_POST(self):
        self.body()
        self.do_GET()


@pytest.fixture
def site():
    server = LoopbackServer(Handler)
    server.handle_error = lambda *args: None  # a client that hangs up is part of the tests
    server.site = Site(server.address)
    with running(server):
        yield server.site


@pytest.fixture
def sakai():
    portal = Sakai()
    yield portal
    portal.close()


@pytest.fixture
def reply():
    return Reply


@pytest.fixture
def local():
    """Settings that may read loopback."""
    return FetchSettings(allow_private=True, timeout=60)


@pytest.fixture
def shelf():
    """A bucket on an S3 server of our own, and the settings with which it is read."""
    with s3_server.serving() as server:
        server.bucket.settings = {
            "url": "s3://shelf/books",
            "endpoint_url": server.address,
            "options": {"key": "reader", "secret": "secret"},
        }
        yield server.bucket


@pytest.fixture(scope="session")
def mariadb():
    """The address of a MariaDB server that lives as long as the tests."""
    found = next((path for name in ("mariadbd", "mysqld") if (path := shutil.which(name, path=SERVER_PATH))), None)
    if found is None:
        pytest.skip("no MariaDB server is installed")
    user = server_user()
    folder = Path(tempfile.mkdtemp(prefix="my"))
    (folder / "data").mkdir()
    for path in (folder, folder / "data"):
        shutil.chown(path, user)
    quick = ["--skip-log-bin", "--innodb-flush-log-at-trx-commit=0", "--innodb-log-file-size=4M"]
    alone = ["--skip-networking", "--skip-grant-tables", f"--socket={folder}/socket", f"--pid-file={folder}/pid"]
    command = [found, "--no-defaults", f"--datadir={folder}/data", *quick, *alone]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, user=user, cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        _wait_for(folder / "socket", server)
        engine = sqlalchemy.create_engine(f"mysql+pymysql://root@/?unix_socket={folder}/socket", poolclass=NullPool)
        with engine.begin() as connection:
            connection.exec_driver_sql("create database desk character set utf8mb4")
        yield f"mysql://root@/desk?unix_socket={folder}/socket"
    finally:
        server.kill()
        server.wait()
        shutil.rmtree(folder)


def _wait_for(path, server):
    for _ in range(1200):
        if path.exists() or server.poll() is not None:
            return
        time.sleep(0.1)


@pytest.fixture
def bench(tmp_path):
    """Scrape a source on top of what the last scrape left; `table` is what there is now."""

    def bench(source, **options):
        options = {"source_id": "s", "run_id": "r", "max_deleted_share": 0.2, **options}
        options = {"now": datetime(2026, 3, 2, tzinfo=UTC), **options}
        done = scrape(source, bench.table, bench.blobs, **options)
        bench.table = done.table
        return done.tally

    bench.blobs = Blobs(tmp_path / "blobs")
    bench.table = pl.DataFrame(schema=RAW)
    return bench
