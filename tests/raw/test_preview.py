"""A preview lists what a sync would read, within its time, by the same rules, and keeps nothing."""

import sqlite3
import time
from contextlib import closing

import pytest

from rag_platform.raw.preview import PreviewProcess
from tests.loopback import LoopbackHandler, LoopbackServer, running

PAGE = "<html><head><title>Page {0}</title></head><body><a href='/{1}.html'>on</a></body></html>"


@pytest.fixture
def site():
    class Handler(LoopbackHandler):
        def do_GET(self):
            if self.path.startswith("/slow"):
                time.sleep(20)
            number = self.path.strip("/").removesuffix(".html")
            known = number.isdigit()
            body = PAGE.format(number, int(number) + 1).encode() if known else b""
            self.answer(body, 200 if known else 404, {"content-type": "text/html"})

    with running(LoopbackServer(Handler)) as server:
        yield server.address


def preview(*given):
    """Preview a source with all the time that a busy machine may need."""
    return PreviewProcess(*given, seconds=240).wait()


def test_a_folder_is_listed_and_nothing_is_kept(tmp_path):
    (tmp_path / "docs").mkdir()
    for number in range(40):
        (tmp_path / "docs" / f"{number:02}.md").write_text("x")
    found = preview(tmp_path, {"id": "d", "kind": "folder", "path": "docs"})
    assert (found.count, found.cut, found.error) == (40, False, None)
    assert found.items[0] == ("d/00.md", None)
    assert [path.name for path in tmp_path.iterdir()] == ["docs"]


def test_rows_have_titles_and_a_password_is_known_to_the_preview_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("DESK_PASSWORD", "from-the-environment")
    with closing(sqlite3.connect(tmp_path / "d.sqlite")) as connection:
        connection.executescript("create table t (id, a); insert into t values (1, 'Lamp'), (2, 'Door');")
    table = {"id": "t", "kind": "sql", "query": "select * from t", "key": "id", "title": "{a}", "template": "{a}"}
    found = preview(tmp_path, table | {"url": "sqlite:///${secret:place}"}, {"place": "d.sqlite"})
    assert [title for _, title in found.items] == ["Lamp", "Door"]
    refused = preview(tmp_path, table | {"url": "sqlite:///${DESK_PASSWORD}"})
    assert "DESK_PASSWORD is not set" in refused.error


def test_private_addresses_are_refused_unless_said_and_a_crawl_visits_few_pages(tmp_path, site):
    table = {"id": "w", "kind": "web", "crawl": [f"{site}/1.html"], "depth": 100}
    assert "not public" in preview(tmp_path, table).error
    found = preview(tmp_path, table | {"fetch": {"allow_private": True}})
    assert (found.count, found.cut) == (25, True)


def test_a_slow_source_is_given_up(tmp_path, site):
    table = {"id": "w", "kind": "web", "sitemap": f"{site}/slow.xml", "fetch": {"allow_private": True}}
    preview = PreviewProcess(tmp_path, table, seconds=4)
    assert preview.result() is None  # nobody waits for it
    assert "within 4 seconds" in preview.wait().error
