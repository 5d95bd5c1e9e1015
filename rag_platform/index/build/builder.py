"""Chunks and vectors to a version: assembled beside, checked, then moved to its place in one step."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.core.ids import digest
from rag_platform.core.principals import PUBLIC
from rag_platform.core.schemas import CANARY
from rag_platform.index.build.parts import Part, Vectors
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
    stored_spaces,
)
from rag_platform.index.vectors.stored_tokens import write_tokens
from rag_platform.storage.atomic import explaining_full_disk, fsync
from rag_platform.storage.hashed.row_files import ROWS, RowFiles
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
    """At least one; each chunk is in at most one that is not `cross`."""
    parameters: dict[str, Any]
    reference: pl.DataFrame | None = None
    """`spaces.reference_of`."""
    tokens: Mapping[str, Sequence[RowFiles]] = field(default_factory=dict)
    """Who has token vectors of its passages, by the model's fingerprint; see `stored_tokens`."""

    @property
    def public(self) -> pl.DataFrame:
        """The chunks that everybody may read."""
        documents = self.documents.filter(pl.col("principals").list.contains(PUBLIC))
        return self.chunks.filter(pl.col("doc_id").is_in(documents["doc_id"].implode()))

    @property
    def content(self) -> str:
        """Hash what a reader can see, and nothing that differs between two runs over equal inputs."""
        # a document's revision stands for its text, a chunk's id and text hash for its own
        documents = self.documents.drop("text", "signature", "fetched_at", "run_id", "stage_key", "flags", "losses")
        documents = documents.sort("source", "uri")
        chunks = self.chunks.drop("text", "header", "stage_key")
        described = describe_spaces([replace(space, relevance=None) for space in self.spaces])  # these follow from it
        models = json.dumps(described.get("spaces", described["model"]))
        members = [digest(space.keys.tobytes()) for space in self.spaces]
        parts = [documents.write_ndjson(), chunks.write_ndjson(), models, json.dumps(self.parameters), *members]
        return digest(FORMAT, analysis.VERSION, *parts)

    @property
    def words_only(self) -> int:
        """How many chunks have no vector at home: no model reads their language, or it could not be had."""
        return self.chunks.height - sum(len(space.keys) for space in self.spaces if not space.cross)


@dataclass(frozen=True, slots=True)
class Build:
    """What came of a build."""

    version: str
    new: bool
    """False when a version of equal content was there already."""
    bytes_written: int = 0


def gather(
    parts: Sequence[Part],
    *,
    first: Mapping[str, Any],
    parameters: dict[str, Any],
    near_duplicates: float = 0,
    may_be_empty: bool = False,
) -> Corpus:
    """Put sources together; `VersionError` when there is no part, or all are empty.

    The version's first space is that of the model `first`, also where it has no chunk. Documents of any source whose
    similarity is at least `near_duplicates` (0: none) become a group. `may_be_empty`: that there is nothing is what
    somebody wanted.
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
        .with_columns(key=pl.col("chunk_id").str.to_integer(base=16, dtype=pl.UInt64))
    )
    order = chunks["key"].arg_sort()
    if chunks["key"].n_unique() != len(order):
        raise VersionError("two chunks have the same id; rename one of the sources that hold them")
    return Corpus(documents, chunks[order], _spaces(parts, chunks["key"].to_numpy(), first), parameters)


def _spaces(parts: Sequence[Part], keys: np.ndarray, first: Mapping[str, Any]) -> tuple[Space, ...]:
    """Put together the vectors of each model; `keys` are those of the parts' chunks, one part after the other."""
    starts = np.cumsum([0, *(part.chunks.height for part in parts)])
    members = [
        (part.source, keys[start + vectors.rows], vectors)
        for part, start in zip(parts, starts[:-1], strict=True)
        for vectors in part.vectors
    ]
    nothing = np.empty(0, np.uint64), np.empty((0, first["dimension"]), np.float32)
    spaces = {(first["fingerprint"], False): Space(dict(first), (), *nothing)}
    for name in sorted({(one.model["fingerprint"], one.cross) for _, _, one in members}, key=lambda name: name[::-1]):
        own = [row for row in members if (row[-1].model["fingerprint"], row[-1].cross) == name]
        if name in spaces or any(len(found) for _, found, _ in own):
            spaces[name] = _space(own)
    return tuple(spaces.values())


def _space(members: Sequence[tuple[str, np.ndarray, Vectors]]) -> Space:
    """Put together the vectors of one model: of each source, with the keys of its chunks."""
    keys = np.concatenate([keys for _, keys, _ in members])
    order, first = np.argsort(keys), members[0][-1]
    vectors = np.concatenate([one.vectors for _, _, one in members])[order]
    sources = tuple(sorted({source for source, own, _ in members if len(own)}))
    return Space(dict(first.model), sources, keys[order], vectors, first.cross)


def build(
    corpus: Corpus,
    versions: Versions,
    *,
    partitions: dict[str, Any],
    run_id: str | None = None,
    fit: Callable[[pl.DataFrame, Sequence[Space]], tuple[Space, ...]] = lambda _, spaces: tuple(spaces),
) -> Build:
    """Make a version of this corpus, or find the one there is, and make it the candidate.

    `partitions` says of each source how it came to be as it is: last sync, runs. `fit` gives the spaces relevance
    curves, from the public chunks: `relevance_fitting.fitted`.
    """
    versions.sweep()
    content = corpus.content
    for manifest in reversed(versions.manifests()):
        if manifest["content"] == content and versions.is_sound(manifest["id"]):
            versions.nominate(manifest["id"])
            return Build(manifest["id"], new=False)
    corpus = replace(corpus, spaces=fit(corpus.public, corpus.spaces))
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
                if path.suffix != ROWS:  # they are on the disk
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
    write_tokens(folder, corpus.chunks, corpus.tokens)


def _write_spaces(corpus: Corpus, versions: Versions, folder: Path) -> dict[str, Any]:
    parent, files = versions.live_id(), stored_spaces(describe_spaces(corpus.spaces))
    made = {
        stored.file: _write_vectors(corpus, space, versions, parent, folder / stored.file)
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
    pairs = zip(stored_spaces(opened.manifest), opened.spaces, strict=True)
    same = [pair for pair in pairs if (pair[0].model, pair[0].cross) == (space.model, space.cross)]
    if not same:
        return None
    theirs, before = same[0]
    columns = ["key", "text_hash"]
    then = _of(opened.catalog.chunks(*columns), before.index.keys)
    now = _of(corpus.chunks.select(columns), space.keys)
    gone = then.join(now, on=["key", "text_hash"], how="anti")["key"].to_numpy()
    new = now.join(then, on=["key", "text_hash"], how="anti")["key"].to_numpy()
    changed = theirs.changed_since_scratch + len(gone) + len(new)
    file = versions.path(parent) / theirs.file
    return (file, gone, new, changed) if changed <= _DERIVE_UP_TO * now.height else None


def _of(chunks: pl.DataFrame, keys: np.ndarray) -> pl.DataFrame:
    return chunks.filter(among(chunks["key"].to_numpy(), keys))


def _manifest(corpus: Corpus, version: str, content: str, sources: Iterable[str]) -> dict[str, Any]:
    """Say what the version is; nothing that could differ between two builds of equal inputs."""
    documents = corpus.documents.filter(pl.col("type") != CANARY)
    languages = documents.group_by("language").len().sort("len", "language", descending=[True, False])
    canaries = corpus.documents.height - documents.height  # each has one chunk
    counts = {"documents": documents.height, "chunks": corpus.chunks.height - canaries}
    rare = {"canaries": canaries, "words_only": corpus.words_only}
    return {
        "id": version,
        "content": content,
        "format": FORMAT,
        "analysis": analysis.VERSION,
        "counts": counts | {name: count for name, count in rare.items() if count},
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
