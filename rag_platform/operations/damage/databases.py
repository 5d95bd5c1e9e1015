"""SQLite files: whether one is damaged, and what can still be read of it."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

from rag_platform.access.migrations import MIGRATIONS as ACCESS
from rag_platform.core.errors import StorageError
from rag_platform.journal.migrations import MIGRATIONS as JOURNAL
from rag_platform.sources.uploads.database import DATABASE
from rag_platform.sources.uploads.migrations import MIGRATIONS as UPLOADS
from rag_platform.storage.hashed.table_files import QUARANTINE, set_aside
from rag_platform.storage.sqlite import SqliteFile
from rag_platform.storage.upgrades import UPGRADES
from rag_platform.trials.migrations import MIGRATIONS as TRIALS

SCHEMAS: dict[str, Sequence[str]] = {
    "app.sqlite": JOURNAL,
    "access.sqlite": ACCESS,
    DATABASE: UPLOADS,
    "shadow.sqlite": TRIALS,
}
"""The steps to today's tables, by the name of the file."""
GUARDING = ("access.sqlite",)
"""Files of rules that close something."""
_QUICK = 64 * 2**20
"""Bytes up to which a file is read whole at each look."""
_HEADER = 24
"""Bytes at the beginning that are the same in all of our files."""
_SIDES = ("-wal", "-shm")


def databases(data: Path, *, rules: bool = True) -> list[Path]:
    """Return the SQLite files of a workspace that hold what cannot be made again; `rules`: those of access too."""
    found = {*data.glob("*.sqlite"), *data.glob(f"uploads/*/{DATABASE}")}
    if rules and any(data.glob("access/*.parquet")):  # since the first of these there is a file of rules
        found.add(data / "access.sqlite")
    found |= {folder / DATABASE for folder in data.glob("uploads/*") if any(folder.glob("*/*"))}
    return sorted(path for path in found if not {QUARANTINE, UPGRADES} & set(path.relative_to(data).parts))


def database_problem(path: Path, *, thorough: bool = False) -> str | None:
    """Say what is wrong with a file; None: nothing. A large one is only opened unless `thorough`."""
    if not path.exists():
        return "it is missing"
    check = "integrity_check" if thorough else "quick_check"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
            if not connection.execute("select count(*) from sqlite_master").fetchone()[0]:
                return "it is empty"
            if thorough or path.stat().st_size <= _QUICK:
                said = str(connection.execute(f"pragma {check}(1)").fetchone()[0])
                return None if said == "ok" else said.replace("\n", " ")
    except sqlite3.OperationalError as error:
        return None if "locked" in str(error) else str(error)
    except (sqlite3.Error, OSError) as error:
        return str(error)
    return None


def salvage(path: Path, data: Path) -> tuple[Path, int]:
    """Put a new file in the place of a damaged one, with every row that can still be read.

    Returns:
        Where the damaged one is kept, with what SQLite had beside it; and how many rows were read.

    Raises:
        StorageError: it decides who may read what, and not all of it can be read: rules that are lost would open what
            they closed.
    """
    fresh = path.with_name(f".{path.name}.salvaged")
    for each in (fresh, *(fresh.with_name(fresh.name + side) for side in _SIDES)):
        each.unlink(missing_ok=True)
    unread: list[str] = []
    rows = _copy(path, fresh, unread)
    if path.name in GUARDING and (unread or not path.exists()):
        fresh.unlink(missing_ok=True)
        raise StorageError(
            f"{path} decides who may read what, and {', '.join(unread) or 'all of it'} cannot be read: nothing is "
            "shown rather than what was closed. Bring it back from a backup (`rag restore`)"
        )
    kept = set_aside(path, data) if path.exists() else path
    for side in _SIDES:
        with suppress(FileNotFoundError):
            os.replace(path.with_name(path.name + side), kept.with_name(kept.name + side))
    os.replace(fresh, path)
    return kept, rows


def _copy(path: Path, fresh: Path, unread: list[str]) -> int:
    steps = SCHEMAS.get(path.name, ())
    if steps:
        SqliteFile(fresh, steps)
    with closing(sqlite3.connect(fresh)) as target, closing(_readable(path, fresh)) as source:
        if not steps:
            _copy_schema(source, target)
        tables = [name for (name,) in target.execute("select name from sqlite_master where type = 'table'")]
        own = [table for table in tables if not table.startswith("sqlite_")]
        rows = sum(_copy_table(source, target, table, unread) for table in own)
        target.commit()
        target.execute("pragma wal_checkpoint(truncate)")
        target.execute("pragma journal_mode = delete")
    return rows


def _readable(path: Path, fresh: Path) -> sqlite3.Connection:
    """Open a damaged file; one whose first bytes are damaged gets those of a sound one, in a copy in memory."""
    if not path.exists():
        return sqlite3.connect(":memory:")
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        connection.execute("select * from sqlite_master").fetchall()
    except sqlite3.Error:
        connection.close()
        content = path.read_bytes() if path.exists() else b""
        connection = sqlite3.connect(":memory:")
        # a file in memory has no log beside it, and so must say that it has none
        header = fresh.read_bytes()[: _HEADER - 6] + b"\x01\x01" + fresh.read_bytes()[_HEADER - 4 : _HEADER]
        with suppress(sqlite3.Error):
            connection.deserialize(header + content[_HEADER:] if len(content) > _HEADER else fresh.read_bytes())
    return connection


def _copy_schema(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):
        for (sql,) in source.execute("select sql from sqlite_master where sql is not null"):
            with suppress(sqlite3.Error):
                target.execute(sql)
        target.execute(f"pragma user_version = {source.execute('pragma user_version').fetchone()[0]}")


def _copy_table(source: sqlite3.Connection, target: sqlite3.Connection, table: str, unread: list[str]) -> int:
    columns = [row[1] for row in target.execute(f'pragma table_info("{table}")')]
    names, places = ", ".join(f'"{name}"' for name in columns), ", ".join("?" * len(columns))
    before = target.total_changes
    for row in _rows(source, table, names, unread):
        with suppress(sqlite3.Error):
            target.execute(f'insert or ignore into "{table}" ({names}) values ({places})', row)
    return target.total_changes - before


def _rows(source: sqlite3.Connection, table: str, names: str, unread: list[str]) -> Iterator[tuple[object, ...]]:
    """Yield the rows that can be read: from the beginning, from the end, and between damaged places."""
    for order in ("", " order by 1 desc"):
        with suppress(sqlite3.Error):
            yield from source.execute(f'select {names} from "{table}"{order}')
            return
        if table not in unread:
            unread.append(table)
    with suppress(sqlite3.Error):
        last = int(source.execute(f'select max(rowid) from "{table}"').fetchone()[0] or 0)
        for number in range(1, last + 1):
            with suppress(sqlite3.Error):
                yield from source.execute(f'select {names} from "{table}" where rowid = ?', (number,))
