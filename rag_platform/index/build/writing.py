"""A corpus to the files of a version: segments shared with its parent, and one of what is new."""

import json
import os
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rag_platform.core.ids import digest
from rag_platform.core.schemas import CANARY
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.build.segment_plan import MEMBERS, Candidate, fingerprints, planned
from rag_platform.index.catalog.catalog_writing import CATALOG_VERSION, build_catalog
from rag_platform.index.keys import among
from rag_platform.index.lexical import build_lexical
from rag_platform.index.releases.embedded_version import FORMAT
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.version_files import MANIFEST, write_build
from rag_platform.index.releases.versions import Versions
from rag_platform.index.segments import CATALOG, LEXICAL, SEGMENTS, link, write_list
from rag_platform.index.vectors.hnsw import build_vectors
from rag_platform.index.vectors.nearest_note import NEAREST
from rag_platform.index.vectors.spaces import REFERENCE, describe_spaces, stored_spaces
from rag_platform.index.vectors.stored_tokens import write_tokens
from rag_platform.storage.array_files import mapped
from rag_platform.storage.atomic import explaining_full_disk, fsync
from rag_platform.storage.hashed.row_files import ROWS
from rag_platform.text import analysis

_SEGMENT = "segment.json"
"""How a segment was written, and the spaces of its files of vectors."""
_MADE = [FORMAT, analysis.VERSION, CATALOG_VERSION]


def write_version(
    corpus: Corpus,
    content: str,
    versions: Versions,
    version: str,
    *,
    parent: OpenVersion | None,
    about: dict[str, Any],
    without: Collection[str] = (),
) -> int:
    """Assemble a version beside and move it to its place; returns the bytes that were written.

    It shares segments with `parent`, but none that has the text of a document `without`. `content` is the hash of the
    corpus, `about` what else `BUILD` tells.
    """
    beside = versions.path(f".{version}.{os.getpid()}.new")
    try:
        with explaining_full_disk(versions.path(version)):
            beside.mkdir(parents=True)
            segments, known = _write_segments(corpus, beside, parent, without)
            if corpus.reference is not None:
                corpus.reference.write_parquet(beside / REFERENCE)
            write_tokens(beside, corpus.chunks, corpus.tokens)
            _write_json(beside / MANIFEST, _manifest(corpus, content, version, about["sources"]))
            write_build(beside, about | {"segments": segments}, known)
            own = [path for path in beside.rglob("*") if path.relative_to(beside).as_posix() not in known]
            for path in (*own, beside):
                if path.suffix != ROWS:  # they are on the disk
                    fsync(path)
            os.replace(beside, versions.path(version))
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    found = (path.stat() for path in versions.path(version).rglob("*") if path.is_file())
    return sum(stat.st_size for stat in found if stat.st_nlink == 1)


def _write_segments(
    corpus: Corpus, folder: Path, parent: OpenVersion | None, without: Collection[str]
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Write the segments and their list; returns what `BUILD` tells of each, and the checksums of shared files."""
    members = fingerprints(corpus.documents, corpus.chunks, corpus.spaces)
    counts = corpus.documents.select("doc_id").join(
        corpus.chunks.group_by("doc_id").len(), on="doc_id", how="left", maintain_order="left"
    )
    chunks = counts["len"].fill_null(0).to_numpy().astype(np.int64)
    plan = planned(members, chunks, _candidates(corpus, parent, without) if parent else ())
    listed, told, known = [], [], dict[str, str]()
    for shared, gone in plan.shared:
        name = shared.folder.name
        link(shared.folder, folder / SEGMENTS / name)
        if without:  # what was near to a vector that is forgotten is so too
            for note in (folder / SEGMENTS / name).glob(f"*{NEAREST}"):
                note.unlink()
        known |= _checksums(parent, name)
        listed.append((name, gone))
        told.append({"name": name, "shared": True, "chunks": int(np.delete(shared.chunks, gone).sum())})
    if plan.new.any() or not plan.shared:
        name = _write_segment(corpus, folder / SEGMENTS, plan.new, members)
        listed.append((name, np.empty(0, np.int64)))
        told.append({"name": name, "shared": False, "chunks": int(chunks[plan.new].sum())})
    write_list(folder, listed)
    return told, known


def _candidates(corpus: Corpus, parent: OpenVersion, without: Collection[str]) -> Iterable[Candidate]:
    """Return the segments of a version that another one of this corpus may share."""
    banned = parent.catalog.segments_with(without) if without else ()
    for place, folder in enumerate(parent.segments):
        if place not in banned and _fits(corpus, json.loads((folder / _SEGMENT).read_text(encoding="utf-8"))):
            members = mapped(folder / MEMBERS)
            documents = mapped((folder / CATALOG).with_suffix(".documents.npy"))
            yield Candidate(folder, members, np.bincount(documents, minlength=len(members)))


def _fits(corpus: Corpus, segment: Mapping[str, Any]) -> bool:
    """Return whether a segment is written as it would be today, and its files of vectors go by the same names."""
    then, now = segment["spaces"], _files(corpus)
    same_files = all(now.get(file, space) == space for file, space in then.items())
    same_spaces = all(then.get(file) == space for file, space in now.items() if space in then.values())
    return bool(same_files and same_spaces and segment["made"] == _MADE)


def _files(corpus: Corpus) -> dict[str, list[Any]]:
    """Return the file of each space, with its model and whether it is a `cross` one."""
    stored = stored_spaces(describe_spaces(corpus.spaces))
    return {one.file: [one.fingerprint, one.cross] for one in stored}


def _checksums(parent: OpenVersion | None, name: str) -> dict[str, str]:
    files = parent.manifest["files"] if parent else {}
    return {file: sha256 for file, sha256 in files.items() if file.startswith(f"{SEGMENTS}/{name}/")}


def _write_segment(corpus: Corpus, folder: Path, new: np.ndarray, members: np.ndarray) -> str:
    """Write a segment of some documents (bool, for each); returns its name, which is made of what it holds."""
    documents = corpus.documents.filter(pl.Series(new))
    chunks = corpus.chunks.filter(pl.col("doc_id").is_in(documents["doc_id"].implode()))
    keys = chunks["key"].to_numpy()
    held = [among(space.keys, keys) for space in corpus.spaces]
    files = [(file, space) for (file, space), own in zip(_files(corpus).items(), held, strict=True) if own.any()]
    described = {"made": _MADE, "spaces": dict(files)}
    name = digest(np.sort(members[new]).tobytes(), json.dumps(described))[:16]
    own = folder / name
    own.mkdir(parents=True)
    build_catalog(own / CATALOG, documents, chunks)
    text = pl.concat_str(["header", "text"], separator="\n")
    build_lexical(own / LEXICAL, chunks.select("key", text, "language").iter_rows())
    for file, space, rows in zip(_files(corpus), corpus.spaces, held, strict=True):
        if rows.any():
            build_vectors(own / file, space.keys[rows], space.vectors[rows])
    np.save(own / MEMBERS, members[new])
    _write_json(own / _SEGMENT, described)
    return name


def _manifest(corpus: Corpus, content: str, version: str, sources: Iterable[str]) -> dict[str, Any]:
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
