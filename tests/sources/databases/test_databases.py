"""Each dialect: only read, limited in time, exact about what changed; and what a cursor column saves."""

import random
import sqlite3
import sys
from datetime import UTC, datetime, timedelta

import duckdb
import polars as pl
import pytest
import sqlalchemy

from rag_platform.core.errors import MissingExtra, SourceError
from rag_platform.core.ports import Validators
from rag_platform.core.schemas import RAW
from rag_platform.sources.databases.sql import Sql, SqlSource

ROWS = "select 1 as id, 'one' as body union all select 2, 'two'"
SLOW = {
    "sqlite": "with recursive n(id) as (select 1 union all select id + 1 from n) select max(id) as id from n",
    "duckdb": "select count(*) as id from range(1000000) a, range(1000000) b where a.range * b.range % 7 = 3",
    "postgres": "select 1 as id, pg_sleep(60)::text",
    "mariadb": "select 1 as id, sleep(60)",
}


class Database:
    """A database with a table of posts, and the source that reads it."""

    def __init__(self, name, url, home):
        self.name, self.url, self.home = name, url, home
        self.run("drop table if exists posts")
        self.run("create table posts (id integer, body varchar(99), changed varchar(40))")

    def run(self, command):
        if self.name in ("sqlite", "duckdb"):
            library = sqlite3 if self.name == "sqlite" else duckdb
            connection = library.connect(self.home / self.url.rpartition("/")[2])
            connection.execute(command).fetchall()
            connection.commit()
            connection.close()
            return
        address = self.url.replace("mysql:", "mysql+pymysql:")
        engine = sqlalchemy.create_engine(address, poolclass=sqlalchemy.NullPool)
        with engine.begin() as connection:
            connection.exec_driver_sql(command)

    def put(self, *rows):
        values = ", ".join(f"({number}, '{body}', '{changed}')" for number, body, changed in rows)
        self.run(f"delete from posts where id in ({', '.join(str(row[0]) for row in rows)})")
        self.run(f"insert into posts values {values}")

    def source(self, **options):
        options = {"query": "select * from posts", "key": "id", "template": "{body}", **options}
        return Sql(SqlSource(id="posts", kind="sql", url=self.url, **options), self.home, environ={})


def open_database(name, tmp_path, request):
    files = {"sqlite": "sqlite:///posts.db", "duckdb": "duckdb:///posts.duckdb"}
    return Database(name, files.get(name) or request.getfixturevalue(name), tmp_path)


@pytest.fixture(params=["sqlite", "duckdb", "postgres", "mariadb"])
def database(request, tmp_path):
    return open_database(request.param, tmp_path, request)


@pytest.fixture
def lite(request, tmp_path):
    return open_database("sqlite", tmp_path, request)


@pytest.fixture
def sync(bench):
    """Scrape a source on top of what the last scrape left, letting much go."""
    return lambda source: bench(source, max_deleted_share=0.9)


def texts(bench, table=None):
    rows = (bench.table if table is None else table).filter(pl.col("sha256").is_not_null())
    return {row["uri"]: bench.blobs.get(row["sha256"]).decode() for row in rows.iter_rows(named=True)}


def first_sync(bench, source):
    """The texts that a first sync of the source gives."""
    kept, bench.table = bench.table, pl.DataFrame(schema=RAW)
    bench(source)
    bench.table, found = kept, texts(bench)
    return found


@pytest.fixture
def asked():
    """The statements that databases are asked, with the number of their parameters."""
    statements = []

    def note(connection, cursor, statement, parameters, context, executemany):
        statements.append((statement, len(parameters or ())))

    sqlalchemy.event.listen(sqlalchemy.Engine, "before_cursor_execute", note)
    yield statements
    sqlalchemy.event.remove(sqlalchemy.Engine, "before_cursor_execute", note)


def test_nothing_can_be_written(database):
    database.put((1, "one", ""))
    with pytest.raises(SourceError, match=r"(?i)read.?only|only reads|syntax error at or near .delete"):
        database.source(query="delete from posts returning id, body").list()
    assert len(database.source().list().items) == 1


def test_a_query_that_takes_too_long_is_stopped(database):
    began = datetime.now(UTC)
    with pytest.raises(SourceError, match=r"(?i)interrupted|timeout|max_statement_time"):
        database.source(query=SLOW[database.name], template="{id}", timeout=0.3).list()
    assert datetime.now(UTC) - began < timedelta(seconds=10)


def test_a_changed_schema_names_what_is_missing_and_what_there_is(database):
    for options in ({"query": "select id, text from posts"}, {"query": "select id, text from posts", "cursor": "id"}):
        with pytest.raises(SourceError, match=r"text.*posts \(id, body, changed\).*Nothing was changed"):
            database.source(**options).list()
    database.run("drop table posts")
    with pytest.raises(SourceError, match=r"posts.*of the tables that the query names there are: none"):
        database.source().list()


@pytest.mark.parametrize("option", ["key", "cursor", "published_at"])
def test_a_column_that_the_settings_name_and_the_query_lacks(database, option):
    with pytest.raises(SourceError, match="no column nr; it has: id, body, changed"):
        database.source(**{"cursor": "changed", option: "nr"}).list()


def test_only_the_rows_whose_cursor_moved_are_read(database, sync, bench, asked):
    database.put(*((n, f"text {n}", f"2026-03-02 10:{n:02}:00") for n in range(40)))
    source = {"cursor": "changed", "title": "Post {id}", "tags": ["even:{id}"]}
    assert sync(database.source(**source)).new == 40
    asked.clear()
    database.put((3, "edited", "2026-03-02 11:00:00"), (40, "text 40", "2026-03-02 09:00:00"))
    database.run("delete from posts where id = 5")
    tally = sync(database.source(**source))
    assert (tally.new, tally.changed, tally.gone, tally.failed) == (1, 1, 1, ())
    # those two, and the two of the first sync's last minute, which could still change without a sign
    assert sum(count for statement, count in asked if " in (" in statement.lower()) == 4
    assert texts(bench) == first_sync(bench, database.source(**source))
    assert '"title": "Post 3"' in bench.table.filter(uri="sql://posts/3")["metadata"].item()


def test_many_rows_are_read_with_few_queries(lite, sync, bench, asked):
    lite.put(*((n, f"text {n}", f"2026-03-02 {n // 60:02}:{n % 60:02}:00") for n in range(500)))
    sync(lite.source(cursor="changed"))
    assert sum(" in (" in statement.lower() for statement, _ in asked) == 3
    assert len(texts(bench)) == 500


def test_a_second_edit_in_the_same_second_is_found(lite, sync):
    lite.put((1, "one", "2026-03-02 10:00:00"), (2, "two", "2026-03-02 10:00:30"), (3, "three", "2026-03-02 08:00:00"))
    source = {"cursor": "changed", "overlap": 60}
    sync(lite.source(**source))
    lite.put((2, "two, again", "2026-03-02 10:00:30"), (1, "one, again", "2026-03-02 10:00:00"))
    assert sync(lite.source(**source)).changed == 2


def test_a_late_commit_with_an_older_time_is_found(lite, sync):
    lite.put((1, "one", "2026-03-02 10:00:00"), (2, "two", "2026-03-02 12:00:00"))
    sync(lite.source(cursor="changed"))
    lite.put((1, "one, again", "2026-03-02 10:30:00"), (3, "three", "2026-03-01 10:00:00"))
    tally = sync(lite.source(cursor="changed"))
    assert (tally.new, tally.changed) == (1, 1)


def test_a_time_in_the_future_does_not_hide_edits_of_today(lite, sync):
    now = datetime.now(UTC).isoformat()
    lite.put((1, "one", now), (2, "two", "2999-01-01 00:00:00"))
    sync(lite.source(cursor="changed"))
    lite.put((1, "one, again", now))
    assert sync(lite.source(cursor="changed")).changed == 1


def test_rows_without_a_cursor_are_read_every_time(lite, sync):
    lite.put((1, "one", "2026-03-02 10:00:00"))
    lite.run("insert into posts values (2, 'two', null)")
    sync(lite.source(cursor="changed"))
    lite.run("update posts set body = 'two, again' where id = 2")
    assert sync(lite.source(cursor="changed")).changed == 1


def test_other_settings_make_other_documents_of_rows_that_did_not_change(lite, sync, bench):
    lite.put((1, "one", "2026-03-01"), (2, "two", "2026-03-02"))
    sync(lite.source(cursor="changed"))
    assert sync(lite.source(cursor="changed", template="# {body}")).changed == 2
    assert texts(bench)["sql://posts/1"] == "# one"


def test_one_row_that_cannot_be_read_does_not_stop_the_others(sync, request, tmp_path):
    database = open_database("postgres", tmp_path, request)
    database.put(*((n, str(n % 50), f"{n}") for n in range(1, 121)))
    query = "select id, (100 / body::int)::text as body, changed from posts"
    tally = sync(database.source(query=query, cursor="changed"))
    assert [(uri, "division by zero" in reason) for uri, reason in tally.failed] == [
        ("sql://posts/100", True),
        ("sql://posts/50", True),
    ]
    assert tally.new == 118


def test_a_connection_lost_in_the_middle_of_the_listing_deletes_nothing(sync, bench, postgres, request, tmp_path):
    database = open_database("postgres", tmp_path, request)
    database.put((1, "one", ""), (2, "two", ""))
    sync(database.source())
    before = bench.table
    end = "case when n = 50000 then pg_terminate_backend(pg_backend_pid())::text end"
    query = f"select n as id, {end} as body from generate_series(3, 100000) n"
    with pytest.raises(SourceError, match="terminating connection"):
        sync(database.source(query=query))
    assert bench.table.equals(before)


def test_a_database_that_goes_while_it_is_read_costs_one_try(lite, sync, bench, asked):
    lite.put(*((n, f"text {n}", str(n)) for n in range(300)))
    sync(lite.source(cursor="changed"))
    lite.run("update posts set body = 'edited', changed = changed || '!'")
    source = lite.source(cursor="changed")
    listing = source.list()
    (lite.home / "posts.db").rename(lite.home / "elsewhere.db")
    source.list = lambda: listing
    done = sync(source)
    assert len(done.failed) == 300
    assert "there is no SQLite file" in done.failed[0][1]
    assert texts(bench)["sql://posts/7"] == "text 7"


def test_any_history_gives_what_a_first_sync_gives(lite, sync, bench):
    chance = random.Random(3)
    for step in range(1, 30):
        for _ in range(chance.randint(1, 4)):
            number = chance.randint(1, 12)
            if chance.random() < 0.3:
                lite.run(f"delete from posts where id = {number}")
            else:
                lite.put((number, f"text of step {step}", f"2026-03-02 10:00:{step:02}"))
        lite.put((0, "always", "2026-03-02 09:00:00"))
        sync(lite.source(cursor="changed", overlap=5))
        assert texts(bench) == first_sync(bench, lite.source())


def test_a_row_that_went_after_the_listing_is_reported(lite):
    lite.put((1, "one", "1"), (2, "two", "2"))
    source = lite.source(cursor="changed")
    listing = source.list()
    listing.expect(listing.items)
    lite.run("delete from posts where id = 1")
    with pytest.raises(SourceError, match="went while the source was read"):
        source.fetch(listing.items[0], Validators())
    assert source.fetch(listing.items[1], Validators()).content == b"two"


@pytest.mark.parametrize(
    ("url", "package", "extra"),
    [("mysql://a@b/c", "pymysql", "mysql"), ("duckdb:///posts.duckdb", "duckdb_engine", "duckdb")],
)
def test_a_missing_driver_of_ours_names_its_extra(tmp_path, monkeypatch, url, package, extra):
    (tmp_path / "posts.duckdb").touch()
    monkeypatch.setitem(sys.modules, package, None)
    source = Sql(SqlSource(id="p", kind="sql", url=url, query=ROWS, key="id", template="{body}"), tmp_path, environ={})
    with pytest.raises(MissingExtra, match=rf"pip install .*\[{extra}\]"):
        source.list()


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("bigint", "1, 5000000000"),
        ("uuid", "gen_random_uuid(), gen_random_uuid()"),
        ("mood", "'glad', 'sad'"),
        ("timestamptz", "now(), '2026-03-02 10:00+02'"),
        ("numeric", "1.50, 2"),
        ("bytea", r"'\xff00'::bytea, '\xff01'::bytea"),
        ("boolean", "true, false"),
    ],
)
def test_keys_of_any_type_find_their_rows(postgres, tmp_path, kind, keys):
    engine = sqlalchemy.create_engine(postgres, poolclass=sqlalchemy.NullPool)
    with engine.begin() as connection:
        for command in (
            "drop table if exists things",
            "drop type if exists mood",
            "create type mood as enum ('glad', 'sad')",
            f"create table things (id {kind}, n int, body serial)",
            f"insert into things select unnest(array[{keys}]::{kind}[]), 1",
        ):
            connection.exec_driver_sql(command)
    options = {"query": "select * from things", "key": "id", "cursor": "n", "template": "thing {body}"}
    source = Sql(SqlSource(id="things", kind="sql", url=postgres, **options), tmp_path, environ={})
    listing = source.list()
    listing.expect(listing.items)
    texts = {source.fetch(item, Validators()).content for item in listing.items}
    assert len(texts) == 2
    assert not listing.failed
