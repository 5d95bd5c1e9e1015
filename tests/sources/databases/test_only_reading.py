"""A query reads what its database holds: it writes nothing, reaches nothing else, and ends."""

import hashlib
import socket
import sqlite3
import threading
import time

import duckdb
import pytest
import sqlalchemy

from rag_platform.core.errors import SourceError
from rag_platform.sources.databases import connections, timed_reading
from rag_platform.sources.databases.sql import Sql, SqlSource

SECRET = "the secret beside"


@pytest.fixture
def folder(tmp_path):
    """A workspace with a SQLite and a DuckDB file, and a file beside that no query may read."""
    for library, name in ((sqlite3, "posts.sqlite"), (duckdb, "posts.duckdb")):
        with library.connect(tmp_path / name) as connection:
            connection.execute("create table posts (id integer, body varchar)").fetchall()
            connection.execute("insert into posts values (1, 'one'), (2, 'two')").fetchall()
        connection.close()
    (tmp_path / "beside.csv").write_text(f"id,body\n1,{SECRET}\n")
    return tmp_path


def ask(folder, url, query, **options):
    """What a source with this query shows."""
    options = {"key": "id", "template": "{body}", **options}
    source = Sql(SqlSource(id="posts", kind="sql", url=url, query=query, **options), folder, environ={})
    return [item.content.decode() for item in source.list().items]


def state(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}


SQLITE = [
    "vacuum into '{folder}/copy.sqlite'",
    "attach '{folder}/new.sqlite' as new",
    "pragma journal_mode = wal",
    "pragma user_version = 7",
    "create temp table t as select 1 as id",
    "select load_extension('{folder}/beside.csv') as id, '' as body",
    "select 1 as id, 'x' as body; delete from posts",
    "select 1 as id, file as body from pragma_database_list",
    "insert into posts values (3, 'three') returning id, body",
]
DUCKDB = [
    "copy posts to '{folder}/copy.csv'",
    "select 1 as id, content as body from read_text('{folder}/beside.csv')",
    "select 1 as id, file as body from glob('{folder}/*.csv')",
    "select * from '{folder}/beside.csv'",
    "select * from read_csv('{folder}/beside.csv')",
    "install httpfs",
    "load httpfs",
    "attach '{folder}/new.duckdb' as new",
    "attach ':memory:' as new",
    "pragma memory_limit = '1GB'",
    "set enable_external_access = true",
    "reset lock_configuration",
    "select 1 as id, getenv('HOME') as body",
    "select 1 as id, 'x' as body; set threads = 1",
    "create temp table t as select 1 as id, '' as body",
    "export database '{folder}/copy'",
    "set variable a = 1",
    "checkpoint",
    "call enable_logging()",
]


@pytest.mark.parametrize(
    ("url", "query"),
    [("sqlite:///posts.sqlite", query) for query in SQLITE] + [("duckdb:///posts.duckdb", query) for query in DUCKDB],
)
def test_a_query_of_a_file_does_nothing_but_select(folder, url, query):
    before = state(folder)
    with pytest.raises(SourceError, match=r"posts|only reads") as refused:
        ask(folder, url, query.format(folder=folder))
    assert SECRET not in str(refused.value)
    assert state(folder) == before
    assert ask(folder, url, "select * from posts order by id") == ["one", "two"]


@pytest.mark.parametrize("options", ["access_mode=read_write", "enable_external_access=true", "lock_configuration=0"])
def test_what_an_address_says_beside_opens_nothing(folder, options):
    with pytest.raises(SourceError, match="disabled by configuration"):
        ask(folder, f"duckdb:///posts.duckdb?{options}", f"select * from read_csv('{folder}/beside.csv')")


def test_what_a_select_may_use_it_may_use(folder):
    with sqlite3.connect(folder / "posts.sqlite") as connection:
        connection.executescript("""
            create virtual table words using fts5 (body);
            insert into words values ('hello world');
            create view seen as select rowid as id, body from words;
            create virtual table places using rtree (id, west, east);
            insert into places values (7, 1, 2);
        """)
    connection.close()
    for query, shown in (
        ("select rowid as id, snippet(words, 0, '', '', '', 9) as body from words where words match 'hello'", "hello"),
        ("select * from seen", "hello"),
        ("select id, east as body from places", "2.0"),
        ("select key as id, value as body from json_each('[5]')", "5"),
        (
            "with recursive n(id) as (select 1 union all select id + 1 from n limit 3) select id, 1 as body from n",
            "1",
        ),
    ):
        assert ask(folder, "sqlite:///posts.sqlite", query)[0].startswith(shown)


def test_the_platforms_own_data_is_no_source(folder):
    (folder / "data").mkdir()
    (folder / "posts.sqlite").rename(folder / "data" / "app.sqlite")
    (folder / "link.sqlite").symlink_to(folder / "data" / "app.sqlite")
    for address in ("sqlite:///data/app.sqlite", "sqlite:///link.sqlite"):
        with pytest.raises(SourceError, match="workspace's own data"):
            ask(folder, address, "select * from posts")


def test_more_rows_or_bytes_than_the_settings_allow(folder):
    query = "select range as id, 'text' as body from range(3000)"
    assert len(ask(folder, "duckdb:///posts.duckdb", query)) == 3000
    for limit in ({"max_rows": 2999}, {"max_bytes": 11_999}, {"max_rows": 10, "cursor": "id"}):
        with pytest.raises(SourceError, match=f"more than {next(iter(limit))}"):
            ask(folder, "duckdb:///posts.duckdb", query, **limit)


@pytest.mark.parametrize(
    ("url", "query"),
    [
        ("duckdb:///posts.duckdb", "select levenshtein(repeat('a', 60000), repeat('b', 60000)) as id, '' as body"),
        ("sqlite:///posts.sqlite", "select length(zeroblob(1e9)) as id, '' as body"),
    ],
)
def test_a_function_that_asks_nobody_is_left_alone(folder, monkeypatch, url, query):
    monkeypatch.setattr(timed_reading, "GRACE", 0.1)
    began = time.monotonic()
    with pytest.raises(SourceError, match=r"took longer than `timeout`|too big"):
        ask(folder, url, query, timeout=0.3)
    assert time.monotonic() - began < 8


def test_rows_without_end_end(folder):
    others = set(threading.enumerate())
    query = "with recursive n(id) as (select 1 union all select id + 1 from n) select id, 'x' as body from n"
    with pytest.raises(SourceError, match="took longer than `timeout`"):
        ask(folder, "sqlite:///posts.sqlite", query, timeout=0.3)
    with pytest.raises(SourceError, match="more than max_rows"):
        ask(folder, "sqlite:///posts.sqlite", query, max_rows=5000)
    assert not [thread for thread in set(threading.enumerate()) - others if thread.name == timed_reading.NAME]


@pytest.mark.parametrize("kind", ["postgres", "mysql"])
def test_a_server_that_accepts_and_says_nothing(folder, monkeypatch, kind):
    monkeypatch.setattr(timed_reading, "GRACE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        began = time.monotonic()
        with pytest.raises(SourceError, match="timeout"):
            ask(folder, f"{kind}://a:b@127.0.0.1:{server.getsockname()[1]}/desk", "select 1 as id", timeout=0.3)
    assert time.monotonic() - began < 8


# --- servers ------------------------------------------------------------------------------------------


@pytest.fixture
def desk(postgres):
    """A PostgreSQL table, as those who own it see it, and the address of somebody who may only read it."""
    engine = sqlalchemy.create_engine(postgres, poolclass=sqlalchemy.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as owner:
        for command in (
            "drop table if exists desk",
            "create table desk (id integer, body text)",
            "insert into desk values (1, 'one'), (2, 'two')",
            "create sequence if not exists counter",
            "drop role if exists rag_reader",
            "create role rag_reader login",
            "grant select on desk to rag_reader",
        ):
            owner.exec_driver_sql(command)
        yield owner, postgres.replace("reader@", "rag_reader@")
        owner.exec_driver_sql("drop owned by rag_reader")


POSTGRES = [
    "select id, body from desk; delete from desk",
    "select 1 as id, '' as body; commit; begin read write; delete from desk",
    "select id, body from desk) as x; delete from desk; select * from (select id, body from desk",
    "with gone as (delete from desk returning id, body) select * from gone",
    "delete from desk returning id, body",
    "select id, body from desk for update",
    "select nextval('counter') as id, '' as body",
    "select set_config('transaction_read_only', 'off', false) as id, '' as body",
    "select * into copied from desk",
    "copy desk to '/tmp/copied.csv'",
    "copy desk to program 'cat > /tmp/copied.csv'",
    "do $$ begin delete from desk; end $$",
    "set transaction read write",
]


@pytest.mark.parametrize("query", POSTGRES)
def test_postgres_does_nothing_but_select_even_for_its_superuser(folder, desk, postgres, query):
    owner, _ = desk
    for options in ({}, {"cursor": "id"}):
        with pytest.raises(SourceError, match="could not be read"):
            ask(folder, postgres, query, **options)
        assert owner.exec_driver_sql("select body from desk order by id").scalars().all() == ["one", "two"]


@pytest.mark.parametrize(
    "query",
    [
        "select 1 as id, pg_read_file('/etc/passwd') as body",
        "select 1 as id, pg_ls_dir('/etc') as body",
        "select 1 as id, lo_import('/etc/passwd')::text as body",
        "select 1 as id, passwd as body from pg_shadow",
    ],
)
def test_a_role_that_may_only_read_reads_no_file_of_the_server(folder, desk, query):
    _, reader = desk
    with pytest.raises(SourceError, match="permission denied"):
        ask(folder, reader, query)
    assert ask(folder, reader, "select * from desk order by id") == ["one", "two"]


def test_another_driver_of_the_same_database_is_not_asked():
    assert connections.parse("postgresql+psycopg2://a@b/c").drivername == "postgresql+psycopg"
    assert connections.parse("mysql+mysqldb://a@b/c").drivername == "mysql+pymysql"


def test_a_query_that_lifts_its_own_limit_is_stopped(folder, desk):
    _, reader = desk
    query = "select 1 as id, pg_sleep(20)::text || set_config('statement_timeout', '0', false) as body"
    began = time.monotonic()
    with pytest.raises(SourceError, match="timeout"):
        ask(folder, reader, query, timeout=0.3)
    assert time.monotonic() - began < 8


def test_a_role_that_may_more_than_read_is_named(folder, desk, postgres):
    owner, reader = desk
    owner.exec_driver_sql("alter table desk owner to reader")

    def warned(url):
        options = {"key": "id", "template": "{body}", "query": "select * from desk"}
        return " ".join(Sql(SqlSource(id="d", kind="sql", url=url, **options), folder, environ={}).warnings())

    assert warned(reader) == ""
    assert "is a superuser" in warned(postgres)
    owner.exec_driver_sql("grant update on desk to rag_reader")
    owner.exec_driver_sql("grant pg_read_server_files to rag_reader")
    assert warned(reader).startswith(
        "the role of the address may use files or programs of the server (pg_read_server_files), may write: make one"
    )


MARIADB = [
    "select 1 as id, '' as body into outfile '{folder}/copied'",
    "select 1 as id, '' as body into/**/dumpfile '{folder}/copied'",
    "select 1 as id, '' as body /*! into outfile '{folder}/copied' */",
    "select 1 as id, load_file('{folder}/beside.csv') as body",
    "select 1 as id, '' as body; delete from desk",
    "delete from desk returning id, body",
    "set statement max_statement_time = 0 for select 1 as id, '' as body",
    "do sleep(1)",
    "handler desk open",
    "load data infile '{folder}/beside.csv' into table desk",
    "create temporary table copied as select * from desk",
]


@pytest.mark.parametrize("query", MARIADB)
def test_mariadb_does_nothing_but_select(folder, mariadb, query):
    folder.chmod(0o777)
    (folder / "beside.csv").chmod(0o644)
    engine = sqlalchemy.create_engine(mariadb.replace("mysql:", "mysql+pymysql:"), poolclass=sqlalchemy.NullPool)
    with engine.begin() as owner:
        owner.exec_driver_sql("create or replace table desk (id integer, body text)")
        owner.exec_driver_sql("insert into desk values (1, 'one'), (2, 'two')")
    before = state(folder)
    for address in (mariadb, f"{mariadb}&client_flag=65536&local_infile=1"):
        with pytest.raises(SourceError) as refused:
            ask(folder, address, query.format(folder=folder))
        assert SECRET not in str(refused.value)
    assert state(folder) == before
    assert ask(folder, mariadb, "select * from desk order by id") == ["one", "two"]
