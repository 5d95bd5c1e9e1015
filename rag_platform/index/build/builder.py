"""Chunks and vectors to a version: assembled beside, checked, then moved to its place in one step."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.build.parts import Part, Vectors
from rag_platform.index.build.writing import write_version
from rag_platform.index.catalog.near_duplicates import group
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors.gathered import GatheredRows
from rag_platform.index.vectors.spaces import Space


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
    vectors = GatheredRows([one.vectors for _, _, one in members], order, first.model["dimension"])
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
    written = write_version(corpus, content, versions, version, parent=_parent(versions), about=about)
    versions.nominate(version)
    return Build(version, new=True, bytes_written=written)


def _parent(versions: Versions) -> OpenVersion | None:
    """Open the live version, of which a new one shares what it can; None: there is none of today's format."""
    live = versions.live_id()
    try:
        return versions.open_folder(live) if live else None
    except VersionError:  # of another format, or damaged
        return None
