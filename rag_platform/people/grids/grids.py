"""The grids of a journal: made, changed and removed by their owners, read by whom they let."""

import json
import secrets
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from rag_platform.core.errors import NotFound, SettingsError
from rag_platform.people.grids.grid import (
    LONGEST_NAME,
    LONGEST_QUESTION,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_GRIDS,
    MOST_ROWS,
    Column,
    Grid,
)
from rag_platform.storage.relational.app_database import Connection, Database, Row
from rag_platform.text.cleaning import clean_line

_MOST_READERS = 50


class Grids:
    """The grids of a journal."""

    def __init__(self, journal: Database) -> None:
        """Store them in the journal's tables."""
        self._journal = journal

    def begin(
        self,
        owner: str,
        name: str,
        *,
        generator: str = "",
        collections: Sequence[str] = (),
        readers: Sequence[str] = (),
    ) -> str:
        """Begin a grid without columns and rows, and return its id, which cannot be guessed.

        Raises:
            SettingsError: it has no name, or the owner has as many as one may have.
        """
        grid_id, now = secrets.token_urlsafe(12), datetime.now(UTC).isoformat()
        made = grid_id, owner, _name(name), generator, json.dumps([*collections]), _readers(readers, owner), now, now
        with self._journal.writing() as connection:
            count = connection.execute("select count(*) from grids where owner = ?", (owner,)).fetchone()[0]
            if count >= MOST_GRIDS:
                raise SettingsError(f"you have {count} grids, which is as many as one may have; remove one first")
            connection.execute(
                "insert into grids (id, owner, name, generator, collections, readers, seen_at, made_at, token, "
                "principals) values (?, ?, ?, ?, ?, ?, ?, ?, '', '[]')",
                made,
            )
        return grid_id

    def of(self, asker: Collection[str]) -> list[Grid]:
        """Return the grids of one of these principals or for one, the newest first."""
        with self._journal.reading() as connection:
            rows = connection.execute("select * from grids order by made_at desc, id").fetchall()
        return [one for one in map(grid_of, rows) if _may_read(one, asker)]

    def find(self, grid_id: str, asker: Collection[str]) -> Grid | None:
        """Return a grid that is of one of these principals or for one; None: there is none."""
        with self._journal.reading() as connection:
            row = connection.execute("select * from grids where id = ?", (grid_id,)).fetchone()
        found = grid_of(row) if row else None
        return found if found and _may_read(found, asker) else None

    def size(self, grid_id: str) -> tuple[int, int]:
        """Return how many columns and rows a grid has."""
        with self._journal.reading() as connection:
            return _size(connection, grid_id)

    def change(self, grid_id: str, owner: str, name: str, *, generator: str = "", readers: Sequence[str] = ()) -> None:
        """Give a grid another name, another generator and other readers.

        Raises:
            NotFound: it is not this owner's.
            SettingsError: it would have no name.
        """
        changed = _name(name), generator, _readers(readers, owner), grid_id, owner
        with self._journal.writing() as connection:
            sql = "update grids set name = ?, generator = ?, readers = ? where id = ? and owner = ?"
            if not connection.execute(sql, changed).rowcount:
                raise NotFound(NOT_YOURS)

    def remove(self, grid_id: str, owner: str) -> None:
        """Remove a grid with its cells; the receipts stay. `NotFound` when it is not this owner's."""
        with self._journal.writing() as connection:
            if not connection.execute("delete from grids where id = ? and owner = ?", (grid_id, owner)).rowcount:
                raise NotFound(NOT_YOURS)

    # --- columns ---------------------------------------------------------------------------------------

    def columns(self, grid_id: str) -> list[Column]:
        """Return the columns of a grid, from the first to the last."""
        with self._journal.reading() as connection:
            rows = connection.execute("select * from grid_columns where grid_id = ? order by id", (grid_id,))
            return [Column(row["id"], row["question"], row["name"]) for row in rows.fetchall()]

    def add_column(self, grid_id: str, owner: str, question: str, name: str = "") -> int:
        """Ask one question more of each document; returns the column's id.

        Raises:
            NotFound: it is not this owner's grid.
            SettingsError: there is no question, or it would be more columns or cells than a grid may have.
        """
        asked = _question(question)
        with self._journal.writing() as connection:
            _own(connection, grid_id, owner)
            columns, rows = _size(connection, grid_id)
            _refuse_larger(columns + 1, rows)
            sql = "insert into grid_columns (grid_id, name, question) values (?, ?, ?) returning id"
            added = connection.execute(sql, (grid_id, clean_line(name)[:LONGEST_NAME], asked)).fetchone()
        return int(added["id"])

    def change_column(self, grid_id: str, owner: str, column: int, question: str, name: str = "") -> None:
        """Change a column; of another question the answers are not kept. For errors see `add_column`."""
        asked, called = _question(question), clean_line(name)[:LONGEST_NAME]
        which = grid_id, column
        with self._journal.writing() as connection:
            _own(connection, grid_id, owner)
            sql = "select question from grid_columns where grid_id = ? and id = ?"
            if (before := connection.execute(sql, which).fetchone()) is None:
                raise NotFound(_NO_COLUMN)
            sql = "update grid_columns set question = ?, name = ? where grid_id = ? and id = ?"
            connection.execute(sql, (asked, called, *which))
            if before["question"] != asked:
                connection.execute("delete from grid_cells where column_id = ?", (column,))

    def remove_column(self, grid_id: str, owner: str, column: int) -> None:
        """Remove a column with its answers; `NotFound` when there is none, or it is not this owner's grid."""
        with self._journal.writing() as connection:
            _own(connection, grid_id, owner)
            sql = "delete from grid_columns where grid_id = ? and id = ?"
            if not connection.execute(sql, (grid_id, column)).rowcount:
                raise NotFound(_NO_COLUMN)

    # --- rows ------------------------------------------------------------------------------------------

    def rows(self, grid_id: str, *, left_out: bool = False) -> list[str]:
        """Return the documents (doc_id) of a grid in their order; `left_out`: those that were rows, and are none."""
        with self._journal.reading() as connection:
            sql = "select doc_id from grid_rows where grid_id = ? and left_out = ? order by place, doc_id"
            return [doc_id for (doc_id,) in connection.execute(sql, (grid_id, left_out)).fetchall()]

    def add_rows(self, grid_id: str, owner: str, documents: Iterable[str]) -> None:
        """Add documents as rows, at the end; those that were left out come back with the answers that they had.

        The caller has made sure that the owner may read them.

        Raises:
            NotFound: it is not this owner's grid.
            SettingsError: it would be more rows or cells than a grid may have.
        """
        with self._journal.writing() as connection:
            _own(connection, grid_id, owner)
            sql = "select coalesce(max(place), 0) from grid_rows where grid_id = ?"
            last = connection.execute(sql, (grid_id,)).fetchone()[0]
            connection.executemany(
                "insert into grid_rows (grid_id, doc_id, place) values (?, ?, ?) "
                "on conflict (grid_id, doc_id) do update set left_out = false",
                [(grid_id, doc_id, last + place) for place, doc_id in enumerate(dict.fromkeys(documents), 1)],
            )
            _refuse_larger(*_size(connection, grid_id))

    def leave_out(self, grid_id: str, owner: str, doc_id: str) -> None:
        """Leave a row out; adding it brings it back. `NotFound` when there is none, or it is not this owner's grid."""
        with self._journal.writing() as connection:
            _own(connection, grid_id, owner)
            sql = "update grid_rows set left_out = true where grid_id = ? and doc_id = ?"
            if not connection.execute(sql, (grid_id, doc_id)).rowcount:
                raise NotFound(f"this grid has no row of a document {doc_id!r}")


NOT_YOURS = "there is no such grid of yours; it may have been removed"
_NO_COLUMN = "this grid has no such column; it may have been removed"


def grid_of(row: Row) -> Grid:
    """Read a row of the table of grids."""
    named: dict[str, Any] = {name: row[name] for name in ("id", "owner", "name", "generator", "token")}
    named |= {name: tuple(json.loads(row[name])) for name in ("collections", "readers", "principals")}
    named |= {name: datetime.fromisoformat(row[name]) for name in ("seen_at", "made_at")}
    return Grid(**named, filling=bool(row["filling"]))


def _own(connection: Connection, grid_id: str, owner: str) -> None:
    if connection.execute("select 1 from grids where id = ? and owner = ?", (grid_id, owner)).fetchone() is None:
        raise NotFound(NOT_YOURS)


def _size(connection: Connection, grid_id: str) -> tuple[int, int]:
    """Return how many columns and rows there are."""
    tables = "grid_columns where grid_id = ?", "grid_rows where not left_out and grid_id = ?"
    counts = (connection.execute(f"select count(*) from {one}", (grid_id,)).fetchone()[0] for one in tables)
    columns, rows = map(int, counts)
    return columns, rows


def _refuse_larger(columns: int, rows: int) -> None:
    if columns <= MOST_COLUMNS and rows <= MOST_ROWS and columns * rows <= MOST_CELLS:
        return
    raise SettingsError(
        f"that would be {columns} questions to {rows} documents; a grid may have {MOST_COLUMNS} questions, {MOST_ROWS} "
        f"documents and {MOST_CELLS:,} answers: ask fewer questions, or make several grids"
    )


def _name(name: str) -> str:
    if called := clean_line(name)[:LONGEST_NAME]:
        return called
    raise SettingsError("this grid has no name; expected a few words by which it is found")


def _question(question: str) -> str:
    asked = clean_line(question)
    if not asked:
        raise SettingsError("this column asks nothing; expected a question that each document can answer")
    if len(asked) > LONGEST_QUESTION:
        raise SettingsError(
            f"the question of this column has {len(asked)} characters; expected at most {LONGEST_QUESTION}: shorten it"
        )
    return asked


def _readers(readers: Sequence[str], owner: str) -> str:
    return json.dumps(sorted({one.strip() for one in readers if one.strip()} - {owner})[:_MOST_READERS])


def _may_read(grid: Grid, asker: Collection[str]) -> bool:
    return not {grid.owner, *grid.readers}.isdisjoint(asker)
