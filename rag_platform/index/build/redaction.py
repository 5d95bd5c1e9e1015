"""Versions without what was forgotten.

A version is immutable, so each that holds a forgotten document gets another form: the same version, number, date and
scores, without the document. The form takes its place under every pointer in one atomic move, then the version goes.
"""

import contextlib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.core.ids import digest
from rag_platform.core.schemas import CANARY, MOMENT
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.build.writing import write_version
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.index.catalog.near_duplicates import group
from rag_platform.index.keys import among
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.version_files import EVALUATION
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors.spaces import NEUTRAL, Space, stored_spaces
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.hashed.sealed import sealed, unsealed


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
    """Return whether a version's files hold one of these documents, living or not, or cannot be asked."""
    try:
        return bool(Catalog.of_folder(folder, None).segments_with(doc_ids))
    except VersionError:
        return True


def _redacted(
    versions: Versions, version: str, doc_ids: Collection[str], scrub: Callable[[dict[str, Any]], dict[str, Any]]
) -> str | None:
    """Write the form of a version without these documents; one that a killed process has written is found again."""
    try:
        whole = versions.open_folder(version)
    except VersionError:
        return None
    corpus = _without(whole, doc_ids)
    if (corpus.chunks["source"] == CANARY).all():
        return None
    content = corpus.content
    same = content == whole.manifest["content"]  # what is forgotten had gone from it before, but not from its files
    form = f"{version.split('-', maxsplit=1)[0]}-{(digest(version) if same else content)[:8]}"
    if not versions.path(form).exists():
        about = {name: whole.manifest.get(name) for name in ("run_id", "sources", "created_at", "parent")}
        about["redacts"] = [*whole.manifest.get("redacts", ()), version]
        write_version(corpus, content, versions, form, parent=whole, about=about, without=doc_ids)
    evaluation = versions.path(version) / EVALUATION
    if evaluation.exists():
        with contextlib.suppress(ValueError):  # a damaged one goes with the version
            left = scrub(unsealed(evaluation.read_bytes()))
            for judged in filter(None, left.values()):
                judged["version"] = form
            write_bytes(versions.path(form) / EVALUATION, sealed(left))
    return form


def _without(whole: OpenVersion, doc_ids: Collection[str]) -> Corpus:
    """Return what stays."""
    catalog, manifest = whole.catalog, whole.manifest
    documents = catalog.documents(planted=True).with_columns(pl.selectors.datetime().cast(MOMENT))
    documents = documents.filter(~pl.col("doc_id").is_in(list(doc_ids)))
    # canaries stand in for the readers of other documents, and go with the last of these
    readers = documents.filter(pl.col("type") != CANARY)["principals"].explode().unique()
    idle = (pl.col("type") == CANARY) & ~pl.col("principals").list.first().is_in(readers.implode())
    documents = group(documents.filter(~idle), whole.near_duplicates)
    chunks = catalog.chunks().sort("key")
    left, reference = chunks.filter(pl.col("doc_id").is_in(documents["doc_id"].implode())), whole.reference
    if reference is not None:
        known = [*left["text_hash"], *NEUTRAL]
        reference = reference.filter(pl.col("text_hash").is_in(known))
    stored = {space.fingerprint: whole.reader.tokens(space.fingerprint) for space in whole.spaces}
    tokens = {fingerprint: (own.rows,) for fingerprint, own in stored.items() if own}
    return Corpus(documents, left, _spaces(left, whole), manifest["parameters"], reference, tokens)


def _spaces(chunks: pl.DataFrame, whole: OpenVersion) -> tuple[Space, ...]:
    """Return the spaces of these chunks, with the vectors that the whole version has."""
    keys = chunks["key"].to_numpy()
    spaces = []
    for stored, space in zip(stored_spaces(whole.manifest), whole.spaces, strict=True):
        own = keys[among(keys, space.index.keys)]
        rows = space.index.rows(own)
        spaces.append(Space(stored.model, stored.sources or (), own, rows, stored.cross, stored.relevance))
    return tuple(spaces)
