"""What sources said last of who may read each document: a table beside the stages, which outlives the documents.

A document that has gone stays here as it stood last, for versions that still hold it.
"""

from collections.abc import Mapping, Sequence

import polars as pl

from rag_platform.core.schemas import ACCESS


def standing(documents: pl.DataFrame, own: Mapping[str, Sequence[str]], previous: pl.DataFrame) -> pl.DataFrame:
    """Return the table of a source, sorted by document.

    Args:
        documents: Columns `DOCUMENTS`, as they are now.
        own: By raw address, who may read what is there, where the source says it of that alone.
        previous: The table as it was.
    """
    raw_uris = documents["raw_uri"].to_list()
    named = pl.Series("principals", [list(own[uri]) if own.get(uri) else None for uri in raw_uris], pl.List(pl.String))
    now = documents.select("doc_id", "revision", named, "private", "owner").cast(ACCESS)
    gone = previous.join(now, on="doc_id", how="anti")
    return pl.concat([now, gone]).unique("doc_id", keep="first", maintain_order=True).sort("doc_id")
