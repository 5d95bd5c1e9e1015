"""What a source brings into a version: its newest state, as the stages made it, or that of a version."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.core.schemas import CHUNKS, DOCUMENTS, embeddings_schema
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.vectors.spaces import models_of
from rag_platform.storage.tables import Store
from rag_platform.text.shingles import signature

_DOCUMENTS = {name: kind for name, kind in DOCUMENTS.items() if name not in ("attempts", "next_try")}


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A source's documents, chunks and vectors."""

    source: str
    documents: pl.DataFrame
    """Columns of DOCUMENTS without those of failed attempts, and `source`; only those that are indexed."""
    chunks: pl.DataFrame
    """Columns of CHUNKS and `source`."""
    vectors: np.ndarray
    """float32, shape (chunks.height, dimension); in the order of the chunks."""
    model: Mapping[str, Any]
    """Of the vectors: name, precision, fingerprint, dimension."""

    def without(self, raw_uris: pl.Series) -> "Part":
        """Return what stays without the documents that were read from these addresses."""
        documents = self.documents.filter(~pl.col("raw_uri").is_in(raw_uris.implode()))
        stays = self.chunks["doc_id"].is_in(documents["doc_id"].implode())
        return replace(
            self, documents=documents, chunks=self.chunks.filter(stays), vectors=self.vectors[stays.to_numpy()]
        )


def newest(store: Store, source: str, model: Mapping[str, Any]) -> Part:
    """Return a source as the stages made it last, with the vectors of this model.

    Raises:
        VersionError: one of its stages is behind another.
    """
    documents = store.read("documents", source).filter(pl.col("status") == "ok")
    chunks = store.read("chunks", source)
    embedded = store.read(f"embeddings/{model['fingerprint']}", source, embeddings_schema(model["dimension"]))
    vectors = chunks.join(embedded, on="text_hash", how="left", maintain_order="left")["vector"]
    strange, without = chunks.join(documents, on=["doc_id", "revision"], how="anti").height, vectors.null_count()
    if strange or without:
        raise VersionError(
            f"source {source!r}: {strange} chunks are not of today's documents and {without} have no vector; "
            f"run `rag sync {source}`, which brings all stages up to date"
        )
    return Part(source, _documents(documents, source), _chunks(chunks, source), _matrix(vectors, model), model)


def as_in(version: OpenVersion, source: str, newest_documents: pl.DataFrame) -> Part | None:
    """Return a source as a version has it; None: it has nothing of it.

    A version keeps the signatures of near-duplicates alone: those of the `newest_documents` (columns `revision` and
    `signature`) serve again, and the others are made anew.
    """
    documents = version.catalog.documents(source=source)
    if documents.is_empty():
        return None
    chunks, model = version.catalog.chunks(source=source), models_of(version.manifest)[source]
    index = next(space.index for space in version.spaces if space.fingerprint == model["fingerprint"])
    vectors = index.rows(chunks["key"].to_numpy())
    signed = _signed(_documents(documents, source), newest_documents)
    return Part(source, signed, _chunks(chunks, source), vectors, model)


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


def _matrix(vectors: pl.Series, model: Mapping[str, Any]) -> np.ndarray:
    if vectors.is_empty():
        return np.empty((0, model["dimension"]), np.float32)
    return vectors.to_numpy().astype(np.float32, copy=False)
