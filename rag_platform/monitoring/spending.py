"""The cost ledger summed up: what runs cost, newest first, and what days did, however long the ledger is."""

from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from rag_platform.core.errors import StorageError
from rag_platform.storage.columnar.duckdb_instance import connected

_COLUMNS = {
    "at": "varchar",
    "run_id": "varchar",
    "source": "varchar",
    "stage": "varchar",
    "seconds": "double",
    "bytes_written": "bigint",
    "counts": "map(varchar, bigint)",
}


def by_run(path: Path, limit: int = 50) -> pl.DataFrame:
    """Sum the ledger by run and stage, for the newest runs.

    Returns:
        Columns `began` (ISO 8601), `run`, `stage`, `sources`, `seconds`, `bytes`, and what was done: `seen`, `made`
        (documents read, passages cut, vectors or versions made, questions asked), `reused` and `tokens`. What was done
        without a run is a run of its own.
    """
    return _asked(path, _BY_RUN, [limit])


def by_day(path: Path, days: int = 30) -> pl.DataFrame:
    """Sum the ledger by day and stage, for the last so many days with entries: `day`, `stage`, `seconds`, `bytes`."""
    return _asked(path, _BY_DAY, [days])


def _asked(path: Path, sql: str, values: list[Any]) -> pl.DataFrame:
    there = path.exists() and path.stat().st_size
    read = "read_json(?, format = 'newline_delimited', ignore_errors = true, columns = $columns)"
    columns = "{" + ", ".join(f"'{name}': '{kind}'" for name, kind in _COLUMNS.items()) + "}"
    table = f'(select * from {read.replace("$columns", columns)} where "at" is not null and stage is not null)'
    empty = "(select " + ", ".join(f'null::{kind} as "{name}"' for name, kind in _COLUMNS.items()) + " where false)"
    try:
        with connected() as connection:
            given = [str(path), *values] if there else values
            frame: pl.DataFrame = connection.sql(sql.replace("$ledger", table if there else empty), params=given).pl()
            return frame
    except duckdb.Error as error:
        raise StorageError(f"{path} cannot be read ({error}); what it tells of costs is lost, nothing else") from error


_COUNT = "coalesce(sum(counts['{}']), 0)"
_MADE = " + ".join(_COUNT.format(name) for name in ("extracted", "embedded", "versions", "questions"))
_BY_RUN = f"""
with entries as (
    select *, coalesce(nullif(run_id, ''), 'alone ' || "at") as run from $ledger
), newest as (
    select run, min("at") as began from entries group by run order by began desc limit ?
)
select began, run, stage, count(distinct source) as sources, sum(seconds) as seconds,
    sum(bytes_written)::bigint as bytes,
    ({_COUNT.format("seen")})::bigint as seen,
    ({_MADE} + {_COUNT.format("new")})::bigint as made,
    ({_COUNT.format("reused")} + {_COUNT.format("unchanged")})::bigint as reused,
    ({_COUNT.format("tokens")})::bigint as tokens
from entries join newest using (run)
group by all order by began desc, min("at")
"""
_BY_DAY = """
with entries as (select substr("at", 1, 10) as day, stage, seconds, bytes_written from $ledger),
newest as (select distinct day from entries order by day desc limit ?)
select day, stage, sum(seconds) as seconds, sum(bytes_written)::bigint as bytes
from entries join newest using (day) group by all order by day, stage
"""
