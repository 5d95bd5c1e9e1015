"""Hostile queries of SQL sources: nothing is written, nothing outside is read, none runs for ever."""

import hashlib
import random
import sqlite3
import time
from pathlib import Path

import duckdb

from benchmarks.attack.outcome import Budget, Outcome
from rag_platform.core.errors import RagError
from rag_platform.sources.databases.sql import Sql, SqlSource

SECRET = "the-secret-beside"
TIMEOUT, PATIENCE = 0.5, 30.0
"""Seconds: a query's limit, and after which it counts as one that does not end."""
INNER = [
    "select * from posts",
    "delete from posts returning *",
    "insert into posts values (9, 'x') returning *",
    "select id, load_extension('{folder}/beside.csv') as body from posts",
    "select 1 as id, content as body from read_text('{folder}/beside.csv')",
    "select * from read_csv('{folder}/beside.csv')",
    "select * from '{folder}/beside.csv'",
    "select 1 as id, file as body from glob('{folder}/*')",
    "copy posts to '{folder}/new.csv'",
    "vacuum into '{folder}/new.sqlite'",
    "attach '{folder}/new.db' as new",
    "pragma journal_mode = wal",
    "pragma user_version = 9",
    "create temp table t as select 1 as id",
    "set enable_external_access = true",
    "export database '{folder}/new'",
    "install httpfs",
    "select 1 as id, getenv('HOME') as body",
    "with recursive n(id) as (select 1 union all select id + 1 from n) select max(id) as id, 'x' as body from n",
    "select count(*) as id, 'x' as body from range(1000000) a, range(1000000) b where a.range * b.range % 7 = 3",
    "select 1 as id, repeat('x', 1000000000) as body",
    "select 1 as id, printf('%.*c', 1000000000, 'x') as body",
]
WRAPPED = [
    "{0}",
    "{0};{1}",
    "{0}; {1} --",
    "select * from ({0}) as x",
    "with y as ({0}) select * from y",
    "/* */ {0}",
    "{0} union all {1}",
]


def run(chance: random.Random, budget: Budget) -> list[Outcome]:
    """Ask random combinations of hostile statements, of SQLite and DuckDB, until the time is up."""
    return [_attack(chance, budget, kind, time.monotonic() + budget.minutes * 30) for kind in ("sqlite", "duckdb")]


def _attack(chance: random.Random, budget: Budget, kind: str, until: float) -> Outcome:
    folder = budget.scratch / kind
    folder.mkdir()
    library = sqlite3 if kind == "sqlite" else duckdb
    connection = library.connect(str(folder / f"posts.{kind}"))
    connection.execute("create table posts (id integer, body varchar)").fetchall()
    connection.execute("insert into posts values (1, 'one'), (2, 'two')").fetchall()
    connection.commit()
    connection.close()
    (folder / "beside.csv").write_text(f"id,body\n1,{SECRET}\n", encoding="utf-8")
    before, tries, lost, notes = _state(folder), 0, 0, []
    while time.monotonic() < until and len(notes) < 20:
        query = (
            chance.choice(WRAPPED).format(chance.choice(INNER), chance.choice(INNER)).replace("{folder}", str(folder))
        )
        tries += 1
        notes += [f"{problem}: {query}" for problem in _ask(folder, f"{kind}:///posts.{kind}", query)]
        if _state(folder) != before:
            lost, before = lost + 1, _state(folder)
            notes.append(f"a file was written: {query}")
    return Outcome(f"hostile queries of {kind}", tries, len(notes), lost, tuple(notes[:3]))


def _ask(folder: Path, url: str, query: str) -> list[str]:
    """Return what went wrong with one query."""
    began, shown = time.monotonic(), ""
    options = {"key": "id", "template": "{body}", "query": query, "timeout": TIMEOUT, "max_rows": 10_000}
    try:
        items = Sql(SqlSource(id="posts", kind="sql", url=url, **options), folder, environ={}).list().items
        shown = " ".join(item.content.decode() for item in items if item.content)
    except RagError as error:
        shown = str(error)
    except Exception as error:  # noqa: BLE001 (that is what is looked for)
        return [f"an error that nobody explains ({error!r})"]
    problems = ["something outside was read"] if SECRET in shown else []
    return problems + (["it did not end"] if time.monotonic() - began > PATIENCE else [])


def _state(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}
