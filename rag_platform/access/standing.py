"""What sources said last of who may read each document: a table beside the stages, which outlives the documents.

A document that has gone stays here as it stood last, for versions that still hold it.
"""

from collections.abc import Collection, Mapping, Sequence

import polars as pl

from rag_platform.core.schemas import ACCESS


def standing(
    documents: pl.DataFrame,
    own: Mapping[str, Sequence[str]],
    previous: pl.DataFrame,
    *,
    doubted: Collection[str] = (),
) -> pl.DataFrame:
    """Return the table of a source, sorted by document.

    Args:
        documents: Columns `DOCUMENTS`, as they are now.
        own: By raw address, who may read what is there, where the source says it of that alone.
        previous: The table as it was.
        doubted: Documents (`doc_id`) of which nobody believes yet what the source says: they stay as they stood.
    """
    raw_uris = documents["raw_uri"].to_list()
    named = pl.Series("principals", [list(own[uri]) if own.get(uri) else None for uri in raw_uris], pl.List(pl.String))
    now = documents.select("doc_id", "revision", named, "private", "owner").cast(ACCESS)
    kept = previous.filter(pl.col("doc_id").is_in(list(doubted))).drop("revision")
    stood = now.select("doc_id", "revision").join(kept, on="doc_id").select(now.columns)
    now = pl.concat([now.join(stood, on="doc_id", how="anti"), stood])
    gone = previous.join(now, on="doc_id", how="anti")
    return pl.concat([now, gone]).unique("doc_id", keep="first", maintain_order=True).sort("doc_id")
