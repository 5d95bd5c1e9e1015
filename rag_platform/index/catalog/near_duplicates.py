"""Documents that say nearly the same, of all sources: the same wire story in three papers, versions of a manual.

Which documents are compared is found by locality-sensitive hashing of their signatures in bands (Leskovec, Rajaraman
and Ullman, "Mining of Massive Datasets", chapter 3). Two that are similar enough are in one group, and so is whatever
is similar to either: the groups depend on the documents alone, not on their order or history.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from rag_platform.core.ids import digest
from rag_platform.text.shingles import SIZE

_MISSED = 0.01
"""Share of pairs just at the threshold that the bands may overlook."""


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


def roots(matrix: np.ndarray, threshold: float) -> np.ndarray:
    """Return for each row the number of its group's root: shape (len(matrix),)."""
    roots = np.arange(len(matrix))
    alike = int(np.ceil(threshold * SIZE))
    for bucket in _buckets(matrix, threshold):
        for place, row in enumerate(bucket[:-1]):
            if (roots[bucket] == roots[row]).all():
                break
            others = bucket[place + 1 :]
            others = others[roots[others] != roots[row]]  # those in its group already need no look
            similar = others[(matrix[others] == matrix[row]).sum(axis=1) >= alike]
            roots[np.isin(roots, roots[similar])] = roots[row]
    return roots


def _buckets(matrix: np.ndarray, threshold: float) -> Iterator[np.ndarray]:
    """Yield the rows that agree in a whole band of places."""
    width = _band(threshold)
    for start in range(0, SIZE - width + 1, width):
        band = np.ascontiguousarray(matrix[:, start : start + width]).view(f"V{matrix.itemsize * width}")[:, 0]
        order = np.argsort(band, kind="stable")
        changes = np.flatnonzero(band[order][1:] != band[order][:-1]) + 1
        yield from (bucket for bucket in np.split(order, changes) if len(bucket) > 1)


def _band(threshold: float) -> int:
    """Return the widest band that still finds pairs at the threshold: each band agrees with threshold ** width."""
    widths = range(SIZE, 0, -1)
    return next(width for width in widths if (1 - threshold**width) ** (SIZE // width) <= _MISSED or width == 1)
