"""The demo: its feed server, its database, and the whole of it in a workspace of its own."""

import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import feedparser
import pytest

from examples.demo import make_database
from examples.feed_server import serving
from tests.loopback import free_port

ROOT = Path(__file__).resolve().parent.parent
FEED = ROOT / "examples" / "feed"


def get(port: int, path: str, **headers: str):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    return urllib.request.urlopen(request, timeout=5)


# --- the feed -----------------------------------------------------------------------------------------


def test_the_feed_is_well_formed_and_its_pages_are_there():
    feed = feedparser.parse((FEED / "feed.xml").read_bytes())
    assert not feed.bozo
    assert len(feed.entries) == 8
    for entry in feed.entries:
        page = FEED / entry.link.split("/", 3)[3]
        assert entry.title.replace("&", "&amp;") in page.read_text(encoding="utf-8")


def test_an_unchanged_file_costs_a_304():
    with serving(FEED, 0) as port:
        with get(port, "/feed.xml") as first:
            tag = first.headers["ETag"]
            assert first.headers["Last-Modified"]
            assert first.headers["Content-Type"] == "application/atom+xml"
            assert first.read() == (FEED / "feed.xml").read_bytes()
        with pytest.raises(urllib.error.HTTPError) as unchanged:
            get(port, "/feed.xml", **{"If-None-Match": tag})
        unchanged.value.close()
        assert unchanged.value.code == 304
        with get(port, "/feed.xml", **{"If-None-Match": '"other"'}) as again:
            assert again.status == 200


@pytest.mark.parametrize("path", ["/", "/news/", "/../demo.py", "/%2e%2e/demo.py", "/absent.html"])
def test_nothing_but_the_files_is_served(path):
    with serving(FEED, 0) as port, pytest.raises(urllib.error.HTTPError) as refused:
        get(port, path)
    refused.value.close()
    assert refused.value.code == 404


def test_a_feed_that_is_served_already_is_used():
    with serving(FEED, 0) as port:
        with serving(FEED, port) as same:
            assert same == port
        with get(port, "/feed.xml") as still:
            assert still.status == 200


def test_a_port_of_somebody_else_is_an_error():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))  # bound and not listening: a connection is refused
        with pytest.raises(OSError, match="in use"), serving(FEED, other.getsockname()[1]):
            pass


# --- the database -------------------------------------------------------------------------------------


def test_the_database_is_made_once(tmp_path):
    path = tmp_path / "demo.sqlite"
    make_database(path, ROOT / "examples" / "desk.sql")
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("select count(*) from tickets").fetchone() == (12,)
        connection.execute("delete from tickets where id > 105")
        connection.commit()
    make_database(path, ROOT / "examples" / "desk.sql")
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("select count(*) from tickets").fetchone() == (5,)


# --- the whole demo -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of what the demo needs, at a port of its own, with few questions and what answers them of the handbook."""
    copy = tmp_path_factory.mktemp("checkout")
    for folder in ("examples", "evals"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "docs").mkdir()
    for name in ("getting-started.md", "evaluation.md", "troubleshooting.md"):
        shutil.copy(ROOT / "docs" / name, copy / "docs")
    for name in ("rag.toml", "dagster.yaml"):
        shutil.copy(ROOT / name, copy)
    port = str(free_port())
    for path in (copy / "rag.toml", copy / "examples/feed/feed.xml"):
        text = path.read_text(encoding="utf-8").replace("8599", port)
        path.write_text(re.sub(r"floors = .*", "", text), encoding="utf-8")  # it is meant for all questions
    questions = copy / "evals/questions/handbook.jsonl"
    questions.write_text("".join(questions.read_text(encoding="utf-8").splitlines(keepends=True)[:5]), encoding="utf-8")
    return copy


def demo(checkout: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, "-m", "examples.demo"],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(1300)
def test_the_demo_publishes_answers_and_finds_nothing_to_do_the_second_time(checkout):
    first = demo(checkout)
    assert "published" in first
    assert "the live version stays" in first
    assert "handbook/evaluation.md" in first
    assert "make up" in first
    second = demo(checkout)
    assert "0 embedded" in second
    assert "nothing changed" in second
    log = (checkout / "data/index/log.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["before"] for line in log] == [None]
