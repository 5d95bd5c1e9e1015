"""Chunks and vectors to a version: assembled beside, checked, then moved to its place in one step."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from rag_platform.errors import VersionError
from rag_platform.index import analysis
from rag_platform.index.catalog import build_catalog
from rag_platform.index.keys import among
from rag_platform.index.lexical import build_lexical
from rag_platform.index.near import group
from rag_platform.index.passages import document_places
from rag_platform.index.vectors import build_vectors, derive_vectors
from rag_platform.index.version import BUILD, CATALOG, LEXICAL, MANIFEST, VECTORS, checksums
from rag_platform.index.versions import Versions
from rag_platform.records import CANARY, chunk_key, digest, embeddings_schema
from rag_platform.store import Store, explaining_full_disk, to_disk

FORMAT = "3"
_DERIVE_UP_TO = 1 / 3
"""A version is made from its parent while no more than this share of it changed since it was built from nothing."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """All that goes into a version."""

    documents: pl.DataFrame
    """Columns of DOCUMENTS with `source`, and `near` in place of `signature`; only those that are indexed."""
    chunks: pl.DataFrame
    """Columns of CHUNKS, `source`, `language` and `key`; ascending by key."""
    vectors: np.ndarray
    """float32, shape (len(chunks), dimension)."""
    model: dict
    parameters: dict

    @property
    def content(self) -> str:
        """Hash what a reader can see, and nothing that differs between two runs over equal inputs."""
        # a document's revision stands for its text, a chunk's id and text hash for its own
        documents = self.documents.drop("text", "fetched_at", "run_id", "stage_key", "flags").sort("source", "uri")
        chunks = self.chunks.drop("text", "header", "stage_key")
        parts = [documents.write_ndjson(), chunks.write_ndjson(), json.dumps(self.model), json.dumps(self.parameters)]
        return digest(FORMAT, analysis.VERSION, *parts)


@dataclass(frozen=True, slots=True)
class Build:
    """What came of a build."""

    version: str
    new: bool
    """False when a version of equal content was there already."""
    bytes_written: int = 0


def gather(
    store: Store,
    sources: Sequence[str],
    *,
    model: dict,
    parameters: dict,
    near_duplicates: float = 0,
    may_be_empty: bool = False,
) -> Corpus:
    """Read what the stages made of these sources; `VersionError` when a stage is behind another, or all are empty.

    Documents of any of them whose similarity is at least `near_duplicates` (0: none) become a group. `may_be_empty`:
    that there is nothing is what somebody wanted.
    """
    documents, chunks, vectors = [], [], []
    schema = embeddings_schema(model["dimension"])
    for source in sources:
        ready = store.read("documents", source).filter(pl.col("status") == "ok")
        cut = store.read("chunks", source)
        embedded = store.read(f"embeddings/{model['fingerprint']}", source, schema)
        joined = cut.join(embedded, on="text_hash", how="left", maintain_order="left")
        _refuse_behind(source, ready, cut, joined)
        documents.append(ready.with_columns(source=pl.lit(source)))
        chunks.append(cut.with_columns(source=pl.lit(source)))
        vectors.append(joined["vector"])
    if not (may_be_empty or any(len(part) for part in chunks)):
        raise VersionError(
            "no source has any indexed text; nothing to build, and the live version stays. See what was found with "
            "`rag sync --json`"
        )
    return _assemble(documents, chunks, vectors, model, parameters, near_duplicates)


def _refuse_behind(source: str, documents: pl.DataFrame, chunks: pl.DataFrame, joined: pl.DataFrame) -> None:
    strange = chunks.join(documents, on=["doc_id", "revision"], how="anti").height
    without = joined["vector"].null_count()
    if strange or without:
        raise VersionError(
            f"source {source!r}: {strange} chunks are not of today's documents and {without} have no vector; "
            f"run `rag sync {source}`, which brings all stages up to date"
        )


def _assemble(
    documents: list[pl.DataFrame],
    chunks: list[pl.DataFrame],
    vectors: list[pl.Series],
    model: dict,
    parameters: dict,
    near_duplicates: float,
) -> Corpus:
    all_documents = group(pl.concat(documents), near_duplicates)
    languages = all_documents.select("doc_id", "language")
    all_chunks = (
        pl.concat(chunks)
        .join(languages, on="doc_id", how="left", maintain_order="left")
        .with_columns(key=pl.col("chunk_id").map_elements(chunk_key, return_dtype=pl.UInt64))
    )
    order = all_chunks["key"].arg_sort()
    if all_chunks["key"].n_unique() != len(order):
        raise VersionError("two chunks have the same id; rename one of the sources that hold them")
    given = pl.concat(vectors).to_numpy() if len(order) else np.empty((0, model["dimension"]))
    matrix = given.astype(np.float32, copy=False)[order.to_numpy()]
    return Corpus(all_documents, all_chunks[order], matrix, model, parameters)


def build(corpus: Corpus, versions: Versions, *, partitions: dict, run_id: str | None = None) -> Build:
    """Make a version of this corpus, or find the one there is, and make it the candidate.

    `partitions` says of each source how it came to be as it is: last sync, runs.
    """
    versions.sweep()
    content = corpus.content
    for manifest in reversed(versions.manifests()):
        if manifest["content"] == content:
            versions.nominate(manifest["id"])
            return Build(manifest["id"], new=False)
    number = 1 + max((int(version[1:].split("-")[0]) for version in versions.ids()), default=0)
    version = f"v{number:06d}-{content[:8]}"
    about = {"run_id": run_id, "sources": partitions, "created_at": datetime.now(UTC).isoformat()}
    write_version(corpus, versions, version, partial(_write_vectors, corpus, versions), about)
    versions.nominate(version)
    files = (path for path in versions.path(version).rglob("*") if path.is_file())
    return Build(version, new=True, bytes_written=sum(path.stat().st_size for path in files))


def write_version(
    corpus: Corpus, versions: Versions, version: str, vectors: Callable[[Path], dict], about: dict
) -> None:
    """Assemble a version beside and move it to its place.

    `vectors` writes the vectors' file and returns what is to be known of that; `about` is what else `BUILD` tells.
    """
    beside = versions.path(f".{version}.{os.getpid()}.new")
    try:
        with explaining_full_disk(versions.path(version)):
            _write_parts(corpus, beside)
            made = vectors(beside / VECTORS) | about
            _write_json(beside / MANIFEST, _manifest(corpus, version, corpus.content, about["sources"]))
            _write_json(beside / BUILD, made | {"files": checksums(beside)})
            for path in (*beside.rglob("*"), beside):
                to_disk(path)
            os.replace(beside, versions.path(version))
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _write_parts(corpus: Corpus, folder: Path) -> None:
    folder.mkdir(parents=True)
    build_catalog(folder / CATALOG, corpus.documents, corpus.chunks)
    text = pl.concat_str(["header", "text"], separator="\n")
    rows = corpus.chunks.select("key", document_places(corpus.documents, corpus.chunks), text, "language")
    build_lexical(folder / LEXICAL, rows.iter_rows())


def _write_vectors(corpus: Corpus, versions: Versions, path: Path) -> dict:
    keys = corpus.chunks["key"].to_numpy()
    parent = versions.live_id()
    difference = _difference(corpus, versions, parent) if parent else None
    if difference is None:
        build_vectors(path, keys, corpus.vectors)
        return {"parent": parent, "vectors_from": "nothing", "changed_since_scratch": 0}
    gone, new, changed = difference
    place = among(keys, np.sort(new))
    derive_vectors(versions.path(parent) / VECTORS, path, gone=gone, keys=keys[place], vectors=corpus.vectors[place])
    return {"parent": parent, "vectors_from": parent, "changed_since_scratch": changed}


def _difference(corpus: Corpus, versions: Versions, parent: str) -> tuple[np.ndarray, np.ndarray, int] | None:
    """Return which keys go and come; None when the version had better be built from nothing."""
    manifest = versions.manifest(parent)
    if manifest["model"] != corpus.model or manifest["format"] != FORMAT:
        return None
    then = versions.open(parent).catalog.chunks("key", "text_hash")
    now = corpus.chunks.select("key", "text_hash")
    gone = then.join(now, on=["key", "text_hash"], how="anti")["key"].to_numpy()
    new = now.join(then, on=["key", "text_hash"], how="anti")["key"].to_numpy()
    changed = manifest["changed_since_scratch"] + len(gone) + len(new)
    return (gone, new, changed) if changed <= _DERIVE_UP_TO * now.height else None


def _manifest(corpus: Corpus, version: str, content: str, sources: Iterable[str]) -> dict:
    """Say what the version is; nothing that could differ between two builds of equal inputs."""
    documents = corpus.documents.filter(pl.col("type") != CANARY)
    languages = documents.group_by("language").len().sort("len", "language", descending=[True, False])
    canaries = corpus.documents.height - documents.height  # each has one chunk
    counts = {"documents": documents.height, "chunks": corpus.chunks.height - canaries}
    return {
        "id": version,
        "content": content,
        "format": FORMAT,
        "analysis": analysis.VERSION,
        "counts": counts | ({"canaries": canaries} if canaries else {}),
        "languages": dict(languages.iter_rows()),
        "model": corpus.model,
        "parameters": corpus.parameters,
        "sources": {
            source: {
                "documents": corpus.documents.filter(pl.col("source") == source).height,
                "chunks": corpus.chunks.filter(pl.col("source") == source).height,
            }
            for source in sorted({*sources, *documents["source"]})
        },
    }


def _write_json(path: Path, content: dict) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
