"""The catalog of a segment, as it is written."""

from bisect import bisect_left
from pathlib import Path
from typing import Any

import polars as pl

from rag_platform.index.catalog.passages import write_passages
from rag_platform.storage.columnar.duckdb_instance import opened

CATALOG_VERSION = "2"
"""Of what is shown of a chunk: a segment with another is written anew."""
UNSHOWN = ("text", "revision", "pages", "reason", "status", "stage_key", "principals", "signature", "losses")
"""Columns of a document that no hit shows."""
AROUND: dict[str, Any] = {**dict.fromkeys(("blanks", "before", "after"), pl.String), "page_starts": pl.List(pl.Int64)}
"""Columns of a hit that its chunk has not, and their types: what stands around it."""


def build_catalog(path: Path, documents: pl.DataFrame, chunks: pl.DataFrame) -> None:
    """Write the catalog: `chunks` has a column `key` and is ascending by it, `documents` has a column `source`."""
    with opened(path) as connection:
        for name, frame in (("documents", documents), ("chunks", chunks)):
            connection.register("frame", frame)
            connection.execute(f"create table {name} as select * from frame").fetchall()
            connection.unregister("frame")
        connection.execute("checkpoint").fetchall()
    write_passages(path, documents.drop(UNSHOWN, strict=False), chunks.hstack(around(documents, chunks)))


def around(documents: pl.DataFrame, chunks: pl.DataFrame) -> pl.DataFrame:
    """Return what stands around each chunk, so that showing it opens no document.

    That is `blanks` between it and the chunk before it, what it is shown with `before` and `after` it, and where in the
    document the pages begin that it goes on to (`page_starts`).
    """
    told = {
        doc_id: (text, pages or []) for doc_id, text, pages in documents.select("doc_id", "text", "pages").iter_rows()
    }
    rows: list[tuple[str, str, str, list[int]]] = [("", "", "", [])] * chunks.height
    last, reached = None, 0
    ordered = chunks.with_row_index("place").sort("doc_id", "ordinal")
    columns = ordered.select("place", "doc_id", "start", "end", "shown_start", "shown_end", "page")
    for place, doc_id, start, end, first, stop, page in columns.iter_rows():
        (text, pages), between = told[doc_id], reached if doc_id == last else start
        before, after = text[start if first is None else first : start], text[end : stop or end]
        further = pages[page : bisect_left(pages, stop or end, page)] if page else []
        rows[place] = text[between:start], before, after, further
        last, reached = doc_id, end
    return pl.DataFrame(rows, schema=AROUND, orient="row")
