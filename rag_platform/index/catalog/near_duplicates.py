"""Documents that say nearly the same, of all sources: the same wire story in three papers, versions of a manual."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from rag_platform.core.ids import digest
from rag_platform.text.shingles import SIZE
from rag_platform.text.signature_groups import roots


def group(documents: pl.DataFrame, threshold: float) -> pl.DataFrame:
    """Add the column `near`: the id of a document's group; null: nothing else is like it, and its signature goes.

    Args:
        documents: columns `doc_id` and `signature`, and any others.
        threshold: estimated Jaccard similarity, in (0, 1], from which two are nearly the same; 0: nothing is grouped.
    """
    near = pl.Series("near", [None] * documents.height, dtype=pl.String)
    if threshold and documents.height:
        ids = documents["doc_id"].to_list()
        signed = np.flatnonzero((documents["signature"].list.len() == SIZE).fill_null(value=False).to_numpy())
        matrix = documents["signature"].gather(signed).list.to_array(SIZE).to_numpy()
        near = pl.Series("near", _named(ids, signed, roots(matrix, threshold)), dtype=pl.String)
    signature = pl.when(near.is_not_null()).then(pl.col("signature"))
    return documents.with_columns(near, signature=signature)


def _named(ids: Sequence[str], signed: np.ndarray, roots: np.ndarray) -> list[str | None]:
    members: dict[int, list[int]] = {}
    for place, root in zip(signed.tolist(), roots.tolist(), strict=True):
        members.setdefault(root, []).append(place)
    named: list[str | None] = [None] * len(ids)
    for places in members.values():
        if len(places) > 1:
            name = _name(min(ids[place] for place in places))
            for place in places:
                named[place] = name
    return named


def _name(first: str) -> str:
    """Name a group by its first document, whose own id it must not show: that may be forgotten."""
    return digest("near", first)
