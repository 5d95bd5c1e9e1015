"""A source's documents beside those of the live version."""

import polars as pl

from rag_platform.core.ids import digest
from rag_platform.validation.change_report import ChangeReport


def state_of(documents: pl.DataFrame) -> str:
    """Return a digest of what is indexed of a source: equal documents give equal states."""
    indexed = documents.filter(pl.col("status") == "ok").select("doc_id", "revision").sort("doc_id")
    return digest("state", *(part for row in indexed.iter_rows() for part in row))


def compare(source: str, before: pl.DataFrame, now: pl.DataFrame) -> ChangeReport:
    """Compare a source's documents with those of the live version.

    Args:
        source: its id.
        before: the live version's documents of the source; none at first.
        now: the source's documents table, columns `DOCUMENTS`.
    """
    then, indexed = dict(before.select("doc_id", "revision").iter_rows()), now.filter(pl.col("status") == "ok")
    today = dict(indexed.select("doc_id", "revision").iter_rows())
    return ChangeReport(
        source=source,
        state=state_of(now),
        documents=len(today),
        changed=sum(then[key] != today[key] for key in then.keys() & today.keys()),
        new=len(today.keys() - then.keys()),
        gone=len(then.keys() - today.keys()),
    )
