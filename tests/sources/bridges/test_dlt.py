"""Sources of dlt, read by the real library in its process: a REST API, a database, files, and what goes wrong."""

import importlib.util
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest

from rag_platform.config.source_kinds import Context, settings_of
from rag_platform.core.errors import SourceError
from rag_platform.core.ports import Last, Validators
from rag_platform.core.schemas import RAW
from rag_platform.pipeline.stages import Pipeline
from rag_platform.raw.scrape import scrape
from rag_platform.sources.bridges.dlt_source import Dlt
from rag_platform.storage.blobs import Blobs
from rag_platform.workspace import open_workspace
from tests.sources.bridges.process_contract import ProcessContract

pytestmark = pytest.mark.skipif(not importlib.util.find_spec("dlt"), reason="dlt is not installed")


class Synced:
    """A source and the table that syncs of it leave; each sync opens the source anew."""

    def __init__(self, home, **settings):
        self.home, self.blobs = home, Blobs(home / "blobs")
        self.settings = settings_of({"id": "here", "kind": "dlt", **settings})
        self.table = pl.DataFrame(schema=RAW)

    def open(self):
        return Dlt(self.settings, Context(self.home, last=self.last, secrets={"token": "s3cret"}))

    def last(self, uri):
        rows = self.table.filter((pl.col("uri") == uri) & pl.col("sha256").is_not_null())
        return Last(Validators(), None, bytes) if rows.height else None

    def sync(self, source=None, settled=True):
        source = source or self.open()
        given = {"source_id": "here", "now": datetime(2026, 3, 2, tzinfo=UTC), "run_id": "r", "max_deleted_share": 0.9}
        done = scrape(source, self.table, self.blobs, **given)
        self.table = done.table
        if settled:
            source.settled()
        return {name: count for name, count in done.tally.to_dict().items() if count}

    @property
    def texts(self):
        rows = self.table.filter(pl.col("status") == "ok").sort("uri")
        return {row["uri"]: self.blobs.get(row["sha256"]).decode() for row in rows.iter_rows(named=True)}


@pytest.fixture
def api(site, reply):
    """A REST API: posts in pages of two, those from `since` on, for whoever has the token."""
    posts = {}

    def page(request):
        if request.headers["authorization"] != "Bearer s3cret":
            return reply(b"who are you?", 401)
        asked = {name: values[0] for name, values in parse_qs(urlsplit(request.path).query).items()}
        there = [post for post in posts.values() if post["edited"] >= asked.get("since", "")]
        there.sort(key=lambda one: one["edited"])
        start = int(asked.get("offset", 0))
        answer = {"posts": there[start : start + 2], "total": len(there)}
        return reply(json.dumps(answer).encode(), headers={"content-type": "application/json"})

    site.missing = lambda path: page
    site.posts = posts
    return site


def post(number, day, text="text", **more):
    return {"id": number, "title": f"Post {number}", "body": text, "edited": f"2026-03-0{day}T10:00:00Z", **more}


def rest_api(api, **resource):
    return {
        "source": "rest_api",
        "template": "{body}\n\nby {user.name}",
        "updated_at": "edited",
        "arguments": {
            "client": {
                "base_url": api.url("/api/"),
                "auth": {"type": "bearer", "token": "${secret:token}"},
                "paginator": {"type": "offset", "limit": 2, "total_path": "total"},
            },
            "resources": [
                {
                    "name": "posts",
                    "primary_key": "id",
                    "columns": {"deleted": {"data_type": "bool", "hard_delete": True}},
                    "endpoint": {"path": "posts", "data_selector": "posts", **resource},
                }
            ],
        },
    }


def test_a_rest_api_is_read_by_its_cursor_and_from_the_beginning(tmp_path, api):
    for number in (1, 2, 3):
        api.posts[number] = post(number, number, user={"name": "Ann"})
    since = {"incremental": {"cursor_path": "edited"}, "params": {"since": "{incremental.start_value}"}}
    since["incremental"]["initial_value"] = "2026-01-01"
    synced = Synced(tmp_path, **rest_api(api, **since))
    assert synced.sync() == {"seen": 3, "new": 3}
    assert synced.texts["dlt://here/1"] == "text\n\nby Ann"
    known = {"type": "document", "title": "Post 1", "updated_at": "2026-03-01T10:00:00+00:00"}
    assert json.loads(synced.table["metadata"][0]) == known

    api.posts[2], api.posts[3], api.posts[4] = post(2, 4, "edited"), post(3, 4, deleted=True), post(4, 5, "new")
    del api.posts[1]
    api.asked.clear()
    changes = {"seen": 3, "new": 1, "changed": 1, "gone": 1}
    assert synced.sync(settled=False) == changes  # killed before it was settled
    assert "since=2026-03-03" in api.asked[0]
    assert synced.sync() == {"seen": 2, "unchanged": 2}
    assert [*synced.texts] == ["dlt://here/1", "dlt://here/2", "dlt://here/4"]  # no cursor tells that 1 was deleted

    api.posts[2], api.posts[5], before = post(2, 6, "again"), post(5, 7), synced.table
    assert synced.sync()["new"] == 1
    synced.table = before  # the newest table was damaged, and the one before it took its place
    assert synced.sync()["new"] == 1


def test_a_workspace_goes_on_from_the_cursor_and_a_full_sync_begins_anew(tmp_path):
    def write(*commands):
        with sqlite3.connect(tmp_path / "notes.db") as connection:
            for command in commands:
                connection.execute(command)
        connection.close()

    write(
        "create table notes (id integer primary key, text text, edit integer)",
        "insert into notes values (1, 'one', 1), (2, 'two', 2), (3, 'three', 3)",
    )
    (tmp_path / "rag.toml").write_text(
        '[[sources]]\nid = "notes"\nkind = "dlt"\nsource = "sql_table"\n'
        'arguments = { credentials = "sqlite:///notes.db", table = "notes" }\nincremental = { cursor_path = "edit" }\n'
    )
    pipeline = Pipeline(open_workspace(tmp_path))
    assert pipeline.fetch("notes").tally.new == 3
    write("delete from notes where id = 1", "update notes set text = 'TWO', edit = 4 where id = 2")
    plan = pipeline.plan("notes")
    assert (plan.seen, plan.changed, plan.gone, plan.incomplete) == (1, 1, 0, True)
    whole = pipeline.fetch("notes", full=True).tally
    assert (whole.seen, whole.gone) == (2, 1)


def test_a_database_is_listed_whole(tmp_path):
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.execute("create table goods (code text primary key, name text, price decimal(6, 2), until date)")
        rows = [("a/1", "Lamp", 12.5, "2026-05-01"), ("b", "Chair", 80, None)]
        connection.executemany("insert into goods values (?, ?, ?, ?)", rows)
    connection.close()
    goods = {"credentials": "sqlite:///shop.db", "table_names": ["goods"]}
    synced = Synced(tmp_path, source="sql_database", arguments=goods)
    listing = synced.open().list()
    assert [item.content.decode() for item in listing.items] == [
        "**code**: a/1\n\n**name**: Lamp\n\n**price**: 12.50\n\n**until**: 2026-05-01",
        "**code**: b\n\n**name**: Chair\n\n**price**: 80.00",
    ]
    assert [item.uri for item in listing.items] == ["dlt://here/a%2F1", "dlt://here/b"]
    assert listing.complete


def test_files_are_read(tmp_path):
    (tmp_path / "files").mkdir()
    for name in ("one", "two"):
        (tmp_path / "files" / f"{name}.md").write_text(f"text of {name}" * 200)
    files = {"bucket_url": (tmp_path / "files").as_uri(), "file_glob": "**/*.md"}
    synced = Synced(tmp_path, source="filesystem", arguments=files, max_bytes=5000)  # too little for both at once
    assert synced.sync() == {"seen": 2, "new": 2}
    assert synced.texts == {f"dlt://here/{name}.md": f"text of {name}" * 200 for name in ("one", "two")}


def test_a_source_of_several_resources_wants_to_know_which(tmp_path):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "our_source.py").write_text(OWN)
    with pytest.raises(SourceError, match="set `resource` to one of first, second"):
        Synced(tmp_path, source="our_source:several", code="code").open().list()


OWN = """
import dlt

@dlt.source
def several():
    return dlt.resource([], name="first"), dlt.resource([], name="second")
"""


class TableWorld:
    """Rows of a database that a source of dlt reads."""

    deletes, refetches = True, False

    def __init__(self, home):
        self.home = home
        self.run("create table notes (name text primary key, body text)")

    def run(self, *command):
        with closing(sqlite3.connect(self.home / "notes.db")) as connection, connection:
            connection.execute(*command)

    def put(self, name, text):
        self.run("insert or replace into notes values (?, ?)", (name, text))

    def remove(self, name):
        self.run("delete from notes where name = ?", (name,))

    def source(self):
        given = {"credentials": f"sqlite:///{self.home}/notes.db", "table": "notes"}
        return Synced(self.home, source="sql_table", key="name", template="{body}", arguments=given).open()

    def break_down(self):
        (self.home / "notes.db").unlink()


class TestDlt(ProcessContract):
    @pytest.fixture
    def world(self, tmp_path):
        return TableWorld(tmp_path)
