"""Chunks and vectors to a version: assembled beside, checked, then moved to its place in one step."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.core.ids import chunk_key, digest
from rag_platform.core.principals import PUBLIC
from rag_platform.core.schemas import CANARY
from rag_platform.index.build.parts import Part
from rag_platform.index.catalog.catalog import build_catalog
from rag_platform.index.catalog.near_duplicates import group
from rag_platform.index.keys import among
from rag_platform.index.lexical import build_lexical
from rag_platform.index.releases.open_version import CATALOG, FORMAT, LEXICAL
from rag_platform.index.releases.version_files import MANIFEST, write_build
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors.hnsw import build_vectors, derive_vectors
from rag_platform.index.vectors.spaces import (
    REFERENCE,
    Space,
    describe_spaces,
    describe_vectors,
    of_space,
    stored_spaces,
)
from rag_platform.storage.atomic import explaining_full_disk, fsync
from rag_platform.text import analysis

_DERIVE_UP_TO = 1 / 3
"""A version is made from its parent while no more than this share of it changed since it was built from nothing."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """All that goes into a version."""

    documents: pl.DataFrame
    """Columns of DOCUMENTS with `source`, and `near`; only those that are indexed."""
    chunks: pl.DataFrame
    """Columns of CHUNKS, `source`, `language` and `key`; ascending by key."""
    spaces: tuple[Space, ...]
    """At least one; each chunk is in exactly one."""
    parameters: dict[str, Any]
    reference: pl.DataFrame | None = None
    """`spaces.reference_of`."""

    @property
    def public(self) -> pl.DataFrame:
        """The chunks that everybody may read."""
        documents = self.documents.filter(pl.col("principals").list.contains(PUBLIC))
        return self.chunks.filter(pl.col("doc_id").is_in(documents["doc_id"].implode()))

    @property
    def content(self) -> str:
        """Hash what a reader can see, and nothing that differs between two runs over equal inputs."""
        # a document's revision stands for its text, a chunk's id and text hash for its own
        documents = self.documents.drop("text", "signature", "fetched_at", "run_id", "stage_key", "flags").sort(
            "source", "uri"
        )
        chunks = self.chunks.drop("text", "header", "stage_key")
        described = describe_spaces(self.spaces)
        models = json.dumps(described.get("spaces", described["model"]))
        parts = [documents.write_ndjson(), chunks.write_ndjson(), models, json.dumps(self.parameters)]
        return digest(FORMAT, analysis.VERSION, *parts)


@dataclass(frozen=True, slots=True)
class Build:
    """What came of a build."""

    version: str
    new: bool
    """False when a version of equal content was there already."""
    bytes_written: int = 0


def gather(
    parts: Sequence[Part], *, parameters: dict[str, Any], near_duplicates: float = 0, may_be_empty: bool = False
) -> Corpus:
    """Put sources together; `VersionError` when there is no part, or all are empty.

    The model of the first is the version's first space. Documents of any source whose similarity is at least
    `near_duplicates` (0: none) become a group. `may_be_empty`: that there is nothing is what somebody wanted.
    """
    if not parts or not (may_be_empty or any(part.chunks.height for part in parts)):
        raise VersionError(
            "no source has any indexed text; nothing to build, and the live version stays. See what was found with "
            "`rag sync --json`"
        )
    documents = group(pl.concat([part.documents for part in parts]), near_duplicates)
    chunks = (
        pl.concat([part.chunks for part in parts])
        .join(documents.select("doc_id", "language"), on="doc_id", how="left", maintain_order="left")
        .with_columns(key=pl.col("chunk_id").map_elements(chunk_key, return_dtype=pl.UInt64))
    )
    order = chunks["key"].arg_sort()
    if chunks["key"].n_unique() != len(order):
        raise VersionError("two chunks have the same id; rename one of the sources that hold them")
    return Corpus(documents, chunks[order], _spaces(parts, chunks), parameters)


def _spaces(parts: Sequence[Part], chunks: pl.DataFrame) -> tuple[Space, ...]:
    """Put together the vectors of each model; `chunks` are those of the parts, one after the other."""
    heights = [part.chunks.height for part in parts]
    starts = zip(parts, np.cumsum(heights) - heights, strict=True)
    keys = {part.source: chunks["key"][int(start) : int(start) + part.chunks.height] for part, start in starts}
    by_model: dict[str, list[Part]] = {}
    for part in parts:
        by_model.setdefault(part.model["fingerprint"], []).append(part)
    spaces = []
    for members in by_model.values():
        own = np.concatenate([keys[part.source].to_numpy() for part in members])
        order = np.argsort(own)
        vectors = np.concatenate([part.vectors for part in members])[order]
        spaces.append(Space(dict(members[0].model), tuple(part.source for part in members), own[order], vectors))
    return tuple(spaces)


def build(corpus: Corpus, versions: Versions, *, partitions: dict[str, Any], run_id: str | None = None) -> Build:
    """Make a version of this corpus, or find the one there is, and make it the candidate.

    `partitions` says of each source how it came to be as it is: last sync, runs.
    """
    versions.sweep()
    content = corpus.content
    for manifest in reversed(versions.manifests()):
        if manifest["content"] == content and versions.is_sound(manifest["id"]):
            versions.nominate(manifest["id"])
            return Build(manifest["id"], new=False)
    number = 1 + max((int(version[1:].split("-")[0]) for version in versions.ids()), default=0)
    version = f"v{number:06d}-{content[:8]}"
    about = {"run_id": run_id, "sources": partitions, "created_at": datetime.now(UTC).isoformat()}
    write_version(corpus, versions, version, partial(_write_spaces, corpus, versions), about)
    versions.nominate(version)
    files = (path for path in versions.path(version).rglob("*") if path.is_file())
    return Build(version, new=True, bytes_written=sum(path.stat().st_size for path in files))


def write_version(
    corpus: Corpus, versions: Versions, version: str, vectors: Callable[[Path], dict[str, Any]], about: dict[str, Any]
) -> None:
    """Assemble a version beside and move it to its place.

    `vectors` writes the vectors' files into a folder and returns what is to be known of that; `about` is what else
    `BUILD` tells.
    """
    beside = versions.path(f".{version}.{os.getpid()}.new")
    try:
        with explaining_full_disk(versions.path(version)):
            _write_parts(corpus, beside)
            made = vectors(beside) | about
            _write_json(beside / MANIFEST, _manifest(corpus, version, corpus.content, about["sources"]))
            write_build(beside, made)
            for path in (*beside.rglob("*"), beside):
                fsync(path)
            os.replace(beside, versions.path(version))
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _write_parts(corpus: Corpus, folder: Path) -> None:
    folder.mkdir(parents=True)
    build_catalog(folder / CATALOG, corpus.documents, corpus.chunks)
    text = pl.concat_str(["header", "text"], separator="\n")
    rows = corpus.chunks.select("key", text, "language")
    build_lexical(folder / LEXICAL, rows.iter_rows())
    if corpus.reference is not None:
        corpus.reference.write_parquet(folder / REFERENCE)


def _write_spaces(corpus: Corpus, versions: Versions, folder: Path) -> dict[str, Any]:
    parent, files = versions.live_id(), stored_spaces(describe_spaces(corpus.spaces))
    made = {
        space.model["fingerprint"]: _write_vectors(corpus, space, versions, parent, folder / stored.file)
        for space, stored in zip(corpus.spaces, files, strict=True)
    }
    return {"parent": parent} | describe_vectors(made)


def _write_vectors(corpus: Corpus, space: Space, versions: Versions, parent: str | None, path: Path) -> dict[str, Any]:
    difference = _difference(corpus, space, versions, parent) if parent else None
    if difference is None:
        build_vectors(path, space.keys, space.vectors)
        return {"vectors_from": "nothing", "changed_since_scratch": 0}
    file, gone, new, changed = difference
    place = among(space.keys, np.sort(new))
    derive_vectors(file, path, gone=gone, keys=space.keys[place], vectors=space.vectors[place])
    return {"vectors_from": parent, "changed_since_scratch": changed}


def _difference(
    corpus: Corpus, space: Space, versions: Versions, parent: str
) -> tuple[Path, np.ndarray, np.ndarray, int] | None:
    """Return the parent's file of a space and which keys go and come; None when it had better be built from nothing."""
    try:
        opened = versions.open(parent)
    except VersionError:  # of another format, or damaged
        return None
    manifest = opened.manifest
    spaces = stored_spaces(manifest)
    theirs = next((stored for stored in spaces if stored.model == space.model), None)
    if theirs is None:
        return None
    columns = ["key", "text_hash"]
    then = opened.catalog.chunks(*columns, "source").filter(of_space(theirs, spaces)).select(columns)
    now = corpus.chunks.select(columns).filter(pl.Series(among(corpus.chunks["key"].to_numpy(), space.keys)))
    gone = then.join(now, on=["key", "text_hash"], how="anti")["key"].to_numpy()
    new = now.join(then, on=["key", "text_hash"], how="anti")["key"].to_numpy()
    changed = theirs.changed_since_scratch + len(gone) + len(new)
    file = versions.path(parent) / theirs.file
    return (file, gone, new, changed) if changed <= _DERIVE_UP_TO * now.height else None


def _manifest(corpus: Corpus, version: str, content: str, sources: Iterable[str]) -> dict[str, Any]:
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
        **describe_spaces(corpus.spaces),
        "parameters": corpus.parameters,
        "sources": {
            source: {
                "documents": corpus.documents.filter(pl.col("source") == source).height,
                "chunks": corpus.chunks.filter(pl.col("source") == source).height,
            }
            for source in sorted({*sources, *documents["source"]})
        },
    }


def _write_json(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
