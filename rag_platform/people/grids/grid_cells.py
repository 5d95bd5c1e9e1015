"""The cells of grids, and which grids wait to be filled: taken by one process at a time, by a lease."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta

from rag_platform.core.errors import NotFound
from rag_platform.people.grids.grid import Cell, Column, Grid
from rag_platform.people.grids.grids import NOT_YOURS, grid_of
from rag_platform.storage.relational.app_database import Database

LEASE = timedelta(minutes=5)
"""For how long nobody else fills a grid; each answer renews it."""


class GridCells:
    """The cells of a journal's grids."""

    def __init__(self, journal: Database) -> None:
        """Store them in the journal's tables."""
        self._journal = journal

    def of(self, grid_id: str) -> dict[tuple[int, str], Cell]:
        """Return the cells of a grid, by column and document."""
        sql = "select grid_cells.* from grid_cells join grid_columns on grid_columns.id = column_id where grid_id = ?"
        with self._journal.reading() as connection:
            rows = connection.execute(sql, (grid_id,)).fetchall()
        return {
            (row["column_id"], row["doc_id"]): Cell(row["mark"], row["receipt_id"], bool(row["failed"]), row["seconds"])
            for row in rows
        }

    def keep(self, grid: Grid, column: Column, doc_id: str, cell: Cell) -> None:
        """Keep a cell in place of the one before, unless its row or column is gone, or asks another thing by now."""
        with self._journal.writing() as connection:
            connection.execute(
                "insert into grid_cells (column_id, doc_id, mark, receipt_id, failed, seconds) "
                "select id, doc_id, ?, ?, ?, ? from grid_columns join grid_rows "
                "on grid_rows.grid_id = grid_columns.grid_id "
                "where grid_rows.doc_id = ? and id = ? and grid_columns.grid_id = ? and question = ? "
                "on conflict (column_id, doc_id) do update set mark = excluded.mark, "
                "receipt_id = excluded.receipt_id, failed = excluded.failed, seconds = excluded.seconds",
                (cell.mark, cell.receipt_id, cell.failed, cell.seconds, doc_id, column.id, grid.id, column.question),
            )

    # --- filling ---------------------------------------------------------------------------------------

    def want(self, grid_id: str, owner: str, principals: Sequence[str], now: datetime, token: str = "") -> None:
        """Let a grid be filled, as these principals read; `NotFound` when it is not this owner's."""
        seen = json.dumps([*principals]), token, now.isoformat(), grid_id, owner
        self._change("filling = true, principals = ?, token = ?, seen_at = ?", seen)

    def stop(self, grid_id: str, owner: str) -> None:
        """Fill a grid no further: what is being asked is the last. `NotFound` when it is not this owner's."""
        self._change("filling = false", (grid_id, owner))

    def claim(self, now: datetime, grid_id: str | None = None) -> Grid | None:
        """Take a grid that waits to be filled, this one or any; nobody else gets it for a while."""
        with self._journal.writing() as connection:
            row = connection.execute(
                "select * from grids where filling and leased <= ? and coalesce(id = ?, true) order by leased, made_at "
                "limit 1",
                (now.isoformat(), grid_id),
            ).fetchone()
            if row is None:
                return None
            until = (now + LEASE).isoformat()
            connection.execute("update grids set leased = ? where id = ?", (until, row["id"]))
        return grid_of(row)

    def renew(self, grid: Grid, now: datetime) -> bool:
        """Go on holding a grid; returns whether it is still to be filled."""
        with self._journal.writing() as connection:
            sql = "update grids set leased = ? where id = ? and filling"
            return bool(connection.execute(sql, ((now + LEASE).isoformat(), grid.id)).rowcount)

    def release(self, grid: Grid, *, filled: bool) -> None:
        """Hold a grid no longer; `filled`: it need not be filled any more, unless that was wanted again since."""
        ended, seen = (", filling = filling and seen_at <> ?", [grid.seen_at.isoformat()]) if filled else ("", [])
        with self._journal.writing() as connection:
            connection.execute(f"update grids set leased = ''{ended} where id = ?", (*seen, grid.id))

    def _change(self, change: str, values: Sequence[str]) -> None:
        with self._journal.writing() as connection:
            sql = f"update grids set {change} where id = ? and owner = ?"
            if not connection.execute(sql, values).rowcount:
                raise NotFound(NOT_YOURS)
