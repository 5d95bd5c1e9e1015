"""What a source brings into a version: its newest state, as the stages made it, or that of a version."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.core.schemas import CHUNKS, DOCUMENTS
from rag_platform.index.keys import among
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.vectors.gathered import GatheredRows, Places, VectorRows
from rag_platform.index.vectors.spaces import OpenSpace
from rag_platform.storage.kept.vector_tables import VectorTable
from rag_platform.storage.tables import Store
from rag_platform.text.shingles import signature

_DOCUMENTS = {name: kind for name, kind in DOCUMENTS.items() if name not in ("attempts", "next_try", "whole_text")}


ByModel = Callable[[pl.DataFrame, pl.DataFrame], Sequence[tuple[Mapping[str, Any], np.ndarray]]]
"""Gives, for chunks and their documents, each model (as in `Vectors`) and the places of the chunks that it embeds."""


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """The vectors that one model gave to some of a part's chunks."""

    model: Mapping[str, Any]
    """name, precision, fingerprint, dimension."""
    rows: np.ndarray
    """Places among the chunks: int64, ascending."""
    vectors: VectorRows
    """One for each of the rows."""
    cross: bool = False
    """See `spaces.Space`."""

    def among(self, stays: np.ndarray) -> "Vectors":
        """Return those of the chunks that stay (bool, for each), at the places that they then have."""
        kept = stays[self.rows]
        left = GatheredRows([self.vectors], np.flatnonzero(kept), self.model["dimension"])
        return replace(self, rows=(np.cumsum(stays) - 1)[self.rows[kept]], vectors=left)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A source's documents, chunks and vectors."""

    source: str
    documents: pl.DataFrame
    """Columns of DOCUMENTS without those of failed attempts, and `source`; only those that are indexed."""
    chunks: pl.DataFrame
    """Columns of CHUNKS and `source`."""
    vectors: tuple[Vectors, ...]
    """Of each model; a chunk may have none."""

    def without(self, raw_uris: pl.Series) -> "Part":
        """Return what stays without the documents that were read from these addresses."""
        documents = self.documents.filter(~pl.col("raw_uri").is_in(raw_uris.implode()))
        stays = self.chunks["doc_id"].is_in(documents["doc_id"].implode())
        left = tuple(one.among(stays.to_numpy()) for one in self.vectors)
        return replace(self, documents=documents, chunks=self.chunks.filter(stays), vectors=left)


def newest(store: Store, source: str, by_model: ByModel) -> Part:
    """Return a source as the stages made it last, with the vectors of the models that read its documents.

    Raises:
        VersionError: one of its stages is behind another.
    """
    documents = store.read("documents", source).filter(pl.col("status") == "ok")
    chunks = store.read("chunks", source)
    routes = by_model(chunks, documents)
    found = [_StoredRows(_table(store, source, model), chunks["text_hash"][rows]) for model, rows in routes]
    strange = chunks.join(documents, on=["doc_id", "revision"], how="anti").height
    without = sum(one.missing for one in found)
    if strange or without:
        raise VersionError(
            f"source {source!r}: {strange} chunks are not of today's documents and {without} have no vector; "
            f"run `rag sync {source}`, which brings all stages up to date"
        )
    vectors = tuple(Vectors(model, rows, own) for (model, rows), own in zip(routes, found, strict=True))
    return Part(source, _documents(documents, source), _chunks(chunks, source), vectors)


def _table(store: Store, source: str, model: Mapping[str, Any]) -> VectorTable:
    return VectorTable(store, model["fingerprint"], source, model["dimension"])


class _StoredRows:
    """The vectors of some texts (by their hashes), which are read when they are asked for; fulfils `VectorRows`."""

    def __init__(self, table: VectorTable, hashes: pl.Series) -> None:
        self._table, self._hashes = table, hashes

    @property
    def missing(self) -> int:
        """How many have none."""
        return int((~self._hashes.is_in(self._table.hashes().implode())).sum())

    def __len__(self) -> int:
        return len(self._hashes)

    def __getitem__(self, rows: Places, /) -> np.ndarray:
        """Return those rows: float32, shape (rows, dimension); `VersionError` where one is not there any more."""
        wanted = pl.DataFrame({"text_hash": self._hashes.to_numpy()[rows]}, schema={"text_hash": pl.String})
        found = wanted.join(self._table.read(wanted["text_hash"]), on="text_hash", how="left", maintain_order="left")
        if found["vector"].null_count():
            raise VersionError("vectors were removed while a version was built of them; sync again")
        return matrix(found["vector"], self._table.dimension)


def as_in(version: OpenVersion, source: str, newest_documents: pl.DataFrame) -> Part | None:
    """Return a source as a version has it; None: it has nothing of it.

    A version keeps the signatures of near-duplicates alone: those of the `newest_documents` (columns `revision` and
    `signature`) serve again, and the others are made anew.
    """
    documents = version.catalog.documents(source=source)
    if documents.is_empty():
        return None
    chunks = version.catalog.chunks(source=source)
    vectors = tuple(_kept(space, chunks["key"].to_numpy()) for space in version.spaces)
    signed = _signed(_documents(documents, source), newest_documents)
    return Part(source, signed, _chunks(chunks, source), tuple(one for one in vectors if len(one.rows)))


def _kept(space: OpenSpace, keys: np.ndarray) -> Vectors:
    rows = np.flatnonzero(among(keys, space.index.keys))
    return Vectors(space.model, rows, space.index.rows(keys[rows]), space.cross)


def _signed(documents: pl.DataFrame, newest_documents: pl.DataFrame) -> pl.DataFrame:
    known = dict(newest_documents.select("revision", "signature").iter_rows())
    rows = documents.select("revision", "text").iter_rows()
    signatures = [known.get(revision) or signature(text) for revision, text in rows]
    return documents.with_columns(signature=pl.Series(signatures, dtype=DOCUMENTS["signature"]))


def _documents(documents: pl.DataFrame, source: str) -> pl.DataFrame:
    return documents.select(pl.col(name).cast(kind) for name, kind in _DOCUMENTS.items()).with_columns(
        source=pl.lit(source)
    )


def _chunks(chunks: pl.DataFrame, source: str) -> pl.DataFrame:
    return chunks.select(pl.col(name).cast(kind) for name, kind in CHUNKS.items()).with_columns(source=pl.lit(source))


def matrix(vectors: pl.Series, dimension: int) -> np.ndarray:
    """Return a column of vectors as float32, shape (rows, dimension)."""
    if vectors.is_empty():
        return np.empty((0, dimension), np.float32)
    return vectors.to_numpy().astype(np.float32, copy=False)
