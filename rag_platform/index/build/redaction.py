"""Versions without what was forgotten.

A version is immutable, so each that holds a forgotten document gets another form: the same version, number, date and
scores, without the document. The form takes its place under every pointer in one atomic move, then the version goes.
"""

import contextlib
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.core.schemas import CANARY, MOMENT
from rag_platform.index.build.builder import Corpus, write_version
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.index.catalog.near_duplicates import group
from rag_platform.index.keys import among
from rag_platform.index.releases.open_version import CATALOG, OpenVersion
from rag_platform.index.releases.version_files import EVALUATION
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors.hnsw import build_vectors, derive_vectors
from rag_platform.index.vectors.spaces import NEUTRAL, Space, describe_vectors, stored_spaces
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.hashed.sealed import sealed, unsealed

_DERIVE_UP_TO = 1 / 3
"""Share of a version's chunks up to which they are taken out of its vector index; else it is built from nothing."""


def redact(
    versions: Versions, doc_ids: Collection[str], *, why: str, scrub: Callable[[dict[str, Any]], dict[str, Any]]
) -> dict[str, str | None]:
    """Replace each version that holds one of these documents; returns its new id by its old one.

    A version of which nothing is left has no new id, nor has one that cannot be read: both are removed.

    Args:
        versions: nobody else may be building one.
        doc_ids: the documents to leave out.
        why: for the log.
        scrub: returns an evaluation without what tells of the documents.
    """
    versions.sweep()
    forms: dict[str, str | None] = {}
    for version in holding(versions, doc_ids):
        forms[version] = _redacted(versions, version, doc_ids, scrub)
        versions.replace(version, forms[version], why)
    return forms


def holding(versions: Versions, doc_ids: Collection[str]) -> list[str]:
    """Name the versions that hold one of these documents, or of which that cannot be known."""
    return [version for version in versions.ids() if holds(versions.path(version), doc_ids)]


def holds(folder: Path, doc_ids: Collection[str]) -> bool:
    """Return whether a version's folder holds one of these documents, or cannot be asked."""
    try:
        return Catalog(folder / CATALOG, None).addresses()["doc_id"].is_in(list(doc_ids)).any()
    except VersionError:
        return True


def _redacted(
    versions: Versions, version: str, doc_ids: Collection[str], scrub: Callable[[dict[str, Any]], dict[str, Any]]
) -> str | None:
    """Write the form of a version without these documents; one that a killed process has written is found again."""
    try:
        whole = versions.open(version)
    except VersionError:
        return None
    corpus, gone = _without(whole, doc_ids)
    if (corpus.chunks["source"] == CANARY).all():
        return None
    form = f"{version.split('-', maxsplit=1)[0]}-{corpus.content[:8]}"
    if not versions.path(form).exists():
        about = {name: whole.manifest.get(name) for name in ("run_id", "sources", "created_at", "parent")}
        about["redacts"] = [*whole.manifest.get("redacts", ()), version]
        write_version(corpus, versions, form, partial(_write_spaces, whole, corpus, gone), about)
    evaluation = versions.path(version) / EVALUATION
    if evaluation.exists():
        with contextlib.suppress(ValueError):  # a damaged one goes with the version
            write_bytes(versions.path(form) / EVALUATION, sealed(scrub(unsealed(evaluation.read_bytes()))))
    return form


def _without(whole: OpenVersion, doc_ids: Collection[str]) -> tuple[Corpus, np.ndarray]:
    """Return what stays, and the keys of the chunks that go."""
    catalog, manifest = whole.catalog, whole.manifest
    documents = catalog.documents(planted=True).with_columns(pl.selectors.datetime().cast(MOMENT))
    documents = documents.filter(~pl.col("doc_id").is_in(list(doc_ids)))
    # canaries stand in for the readers of other documents, and go with the last of these
    readers = documents.filter(pl.col("type") != CANARY)["principals"].explode().unique()
    idle = (pl.col("type") == CANARY) & ~pl.col("principals").list.first().is_in(readers.implode())
    documents = group(documents.filter(~idle), whole.near_duplicates)
    chunks = catalog.chunks().sort("key")
    stays = chunks["doc_id"].is_in(documents["doc_id"].implode())
    left, reference = chunks.filter(stays), whole.reference
    if reference is not None:
        known = [*left["text_hash"], *NEUTRAL]
        reference = reference.filter(pl.col("text_hash").is_in(known))
    tokens = {space.fingerprint: (space.tokens.rows,) for space in whole.spaces if space.tokens}
    corpus = Corpus(documents, left, _spaces(left, whole), manifest["parameters"], reference, tokens)
    return corpus, chunks.filter(~stays)["key"].to_numpy()


def _spaces(chunks: pl.DataFrame, whole: OpenVersion) -> tuple[Space, ...]:
    """Describe the spaces of these chunks, whose vectors are taken from the whole version's files."""
    keys = chunks["key"].to_numpy()
    return tuple(
        Space(
            model=stored.model,
            sources=stored.sources or (),
            keys=keys[among(keys, space.index.keys)],
            vectors=np.empty((0, stored.model["dimension"]), np.float32),
            cross=stored.cross,
            relevance=stored.relevance,
        )
        for stored, space in zip(stored_spaces(whole.manifest), whole.spaces, strict=True)
    )


def _write_spaces(whole: OpenVersion, corpus: Corpus, gone: np.ndarray, folder: Path) -> dict[str, Any]:
    made = {}
    for place, stored in enumerate(stored_spaces(whole.manifest)):
        index, space = whole.spaces[place].index, corpus.spaces[place]
        leaving = gone[index.contains(gone)]
        changed = stored.changed_since_scratch + len(leaving)
        if changed > _DERIVE_UP_TO * len(space.keys):
            rows = index.rows(space.keys) if len(space.keys) else space.vectors
            build_vectors(folder / stored.file, space.keys, rows)
            made[stored.file] = {"vectors_from": "nothing", "changed_since_scratch": 0}
        else:
            file = whole.folder / stored.file
            derive_vectors(file, folder / stored.file, gone=leaving, keys=gone[:0], vectors=space.vectors)
            made[stored.file] = {"vectors_from": whole.id, "changed_since_scratch": changed}
    return describe_vectors(made)
