"""The catalog of a segment, as it is written."""

from pathlib import Path

import duckdb
import polars as pl

from rag_platform.index.catalog.passages import write_passages

UNSHOWN = ("text", "revision", "pages", "reason", "status", "stage_key", "principals", "signature", "losses")
"""Columns of a document that no hit shows."""
AROUND = ("blanks", "before", "after")
"""Columns of a hit that its chunk has not: what stands around it."""


def build_catalog(path: Path, documents: pl.DataFrame, chunks: pl.DataFrame) -> None:
    """Write the catalog: `chunks` has a column `key` and is ascending by it, `documents` has a column `source`."""
    with duckdb.connect(str(path)) as connection:
        for name, frame in (("documents", documents), ("chunks", chunks)):
            connection.register("frame", frame)
            connection.execute(f"create table {name} as select * from frame").fetchall()
            connection.unregister("frame")
        connection.execute("checkpoint").fetchall()
    write_passages(path, documents.drop(UNSHOWN, strict=False), chunks.hstack(around(documents, chunks)))


def around(documents: pl.DataFrame, chunks: pl.DataFrame) -> pl.DataFrame:
    """Return what stands around each chunk, so that showing it opens no document.

    That is `blanks` between it and the chunk before it, and what it is shown with `before` and `after` it.
    """
    texts = dict(documents.select("doc_id", "text").iter_rows())
    around, last, reached = [("", "", "")] * chunks.height, None, 0
    ordered = chunks.with_row_index("place").sort("doc_id", "ordinal")
    columns = ordered.select("place", "doc_id", "start", "end", "shown_start", "shown_end")
    for place, doc_id, start, end, first, stop in columns.iter_rows():
        text, between = texts[doc_id], reached if doc_id == last else start
        around[place] = (text[between:start], text[start if first is None else first : start], text[end : stop or end])
        last, reached = doc_id, end
    return pl.DataFrame(around, schema=dict.fromkeys(AROUND, pl.String), orient="row")
