"""One DuckDB for all that a process opens: nobody meets what others have opened, and nothing stays open."""

from concurrent.futures import ThreadPoolExecutor

import polars as pl
import psutil
import pytest

from rag_platform.storage.columnar import duckdb_instance
from rag_platform.storage.columnar.duckdb_instance import MemoryDatabase, connected, opened


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "it's.duckdb"
    write(path, [1, 2, 3])
    return path


def write(path, values):
    with opened(path) as connection:
        connection.register("frame", pl.DataFrame({"value": values}))
        connection.execute("create table kept as select * from frame").fetchall()
        connection.unregister("frame")


def names():
    with connected() as connection:
        return {name for (name,) in connection.execute("select database_name from duckdb_databases()").fetchall()}


def is_open(path):
    return str(path) in {one.path for one in psutil.Process().open_files()}


def test_a_file_is_read_by_several_at_once_and_closed_with_the_last(file):
    before, shown = names(), []
    databases = [MemoryDatabase() for _ in range(2)]
    for number, database in enumerate(databases):
        name = database.attach(file)
        with database.connect() as connection:
            connection.execute(f"create view shown as select value + {number} as value from {name}.kept").fetchall()
            shown.append(connection.execute("from shown").fetchall())
    assert shown == [[(1,), (2,), (3,)], [(2,), (3,), (4,)]]
    del database, databases[0]
    assert is_open(file)
    with databases[0].connect() as connection:
        assert connection.execute("from shown").fetchall() == shown[1]
    databases.clear()
    assert not is_open(file) and names() == before


def test_a_query_that_goes_on_outlives_its_database(file):
    database = MemoryDatabase()
    name = database.attach(file)
    with database.connect() as connection:
        reading = connection.execute(f"select value from {name}.kept")
        del database
        assert reading.fetchall() == [(1,), (2,), (3,)]


def test_what_fails_leaves_nothing_attached(file):
    before = names()
    with pytest.raises(Exception, match="nothing"), opened(file) as connection:
        connection.execute("from nothing")
    file.write_bytes(b"no database")
    with pytest.raises(Exception, match="not a valid DuckDB"), opened(file, read_only=True):
        pass
    assert names() == before and not is_open(file)


def test_many_threads_write_read_and_let_go(tmp_path):
    before = names()

    def work(number):
        path = tmp_path / f"{number}.duckdb"
        write(path, [number] * 100)
        database = MemoryDatabase()
        name = database.attach(path)
        with database.connect() as connection:
            return connection.execute(f"select distinct value from {name}.kept").fetchall()

    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(work, range(40))] == [[(number,)] for number in range(40)]
    assert names() == before


def test_an_instance_that_answers_nothing_more_is_replaced(file, monkeypatch):
    monkeypatch.setattr(duckdb_instance, "_instances", [])  # that of other tests goes on
    database = MemoryDatabase()
    database.attach(file)
    duckdb_instance._instances[-1].close()
    with opened(file, read_only=True) as connection:
        assert connection.execute("select sum(value) from kept").fetchall() == [(6,)]
    del database  # what was attached to the other is let go without a word
