"""An opened version: its three parts, read together, and what its manifest says."""

import contextlib
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.index.catalog.catalog import Catalog, StoredDocument
from rag_platform.index.keys import among
from rag_platform.index.lexical import LexicalIndex
from rag_platform.index.releases.view import Parts, View, Views
from rag_platform.index.vectors.hnsw import VectorIndex
from rag_platform.index.vectors.spaces import OpenSpace, StoredSpace, of_space, open_reference, stored_spaces
from rag_platform.storage.atomic import file_sha256
from rag_platform.storage.user_cache import file_state
from rag_platform.text import analysis

FORMAT = "4"
"""Of the files of a version that this release writes and reads; it is part of a version's id."""
LEXICAL = "lexical"
CATALOG = "catalog.duckdb"
MANIFEST = "manifest.json"
"""What the version is: of equal inputs, equal to the last byte."""
BUILD = "build.json"
"""How it came to be: when, by which runs, from which parent; and the checksums of the files."""
EVALUATION = "evaluation.json"
"""Scores and verdict, written once beside the manifest, which the build made immutable before they were known."""
CHECKED = "checked.json"
"""Which files of graphs were found sound; see `_refuse_damage`."""


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read what is known of a version: its manifest, how it was built and, once it has one, its evaluation."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        build, evaluation = (
            json.loads((folder / name).read_text(encoding="utf-8")) if (folder / name).exists() else {}
            for name in (BUILD, EVALUATION)
        )
    except FileNotFoundError as error:
        raise VersionError(f"there is no version {folder.name!r}; `rag index list` names those there are") from error
    except json.JSONDecodeError as error:
        raise VersionError(f"{error.doc[:40]!r}… in {folder} is no manifest; verify the version") from error
    runs = build.get("sources", {})
    sources = {source: counts | runs.get(source, {}) for source, counts in manifest["sources"].items()}
    return {**manifest, **build, **evaluation, "sources": sources}


def checksums(folder: Path) -> dict[str, str]:
    """Hash every file of a version but what describes it."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): file_sha256(path)
        for path in paths
        if path.name not in (BUILD, EVALUATION, CHECKED) and path.suffix not in (".lock", ".new")
    }


def _read_states(path: Path) -> dict[str, list[int]] | None:
    try:
        states: dict[str, list[int]] = json.loads(path.read_bytes())
    except (OSError, json.JSONDecodeError):
        return None
    return states


class OpenVersion:
    """A version opened for reading, pinned by whoever holds it. Safe to ask from many threads."""

    def __init__(self, folder: Path, *, exact_below: int) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        self.id: str = self.manifest["id"]
        if self.manifest["format"] != FORMAT:
            raise VersionError(
                f"{folder} has the format {self.manifest['format']!r}; this release reads {FORMAT!r}. Sync, which "
                "builds a version of today's format, or use the release that built it"
            )
        self._refuse_damage()
        try:
            self.reference = open_reference(folder)
            self.spaces = tuple(self._space(stored, exact_below) for stored in stored_spaces(self.manifest))
            """Its vector spaces; most versions have one. Each chunk is in exactly one."""
            self.vectors = self.spaces[0].index
            """The vectors of the first space."""
            self.catalog = Catalog(folder / CATALOG)
            self.lexical = LexicalIndex(folder / LEXICAL, self.catalog.keys)
        except (ValueError, OSError, duckdb.Error) as error:
            raise VersionError(
                f"{folder} cannot be opened ({error}); roll back, or remove it and sync again"
            ) from error

    def _refuse_damage(self) -> None:
        """Check the graphs' bytes: usearch crashes the process on a damaged file.

        Half a second for a million chunks is too long for a question from the terminal, so graphs that were found sound
        are not read again while they are the same files and nobody has written to them. docs/decisions/0015 tells what
        that leaves to `verify`.
        """
        names, checked = [space.file for space in stored_spaces(self.manifest)], self.folder / CHECKED
        states = {name: file_state(self.folder / name) for name in names}
        if all(states.values()) and _read_states(checked) == states:
            return
        for name in names:
            path = self.folder / name
            if not path.exists() or file_sha256(path) != self.manifest["files"].get(name):
                raise VersionError(f"{path} is missing or damaged; roll back, or remove the version and sync again")
        with contextlib.suppress(OSError):  # a folder that only others may write to is checked each time
            checked.write_text(json.dumps(states))

    def _space(self, stored: StoredSpace, exact_below: int) -> OpenSpace:
        return OpenSpace(stored.model, VectorIndex(self.folder / stored.file, exact_below=exact_below))

    def view(self, principals: Sequence[str]) -> View:
        """Return the version as these principals may read it today."""
        attributes = self.catalog.attributes
        return self._views.of(attributes.readable(principals) & ~attributes.planted)

    @property
    def whole_view(self) -> View:
        """The version as whoever may read everything sees it."""
        return self._views.of(~self.catalog.attributes.planted)

    @cached_property
    def _views(self) -> Views:
        parts = Parts(self.catalog, self.lexical, self.spaces, self.reference, self.near_duplicates)
        return Views(parts, len(self.catalog.keys) + len(self.catalog.attributes.doc_ids))

    @property
    def near_duplicates(self) -> float:
        """The similarity from which two documents are nearly the same; 0: none are."""
        return float(self.manifest["parameters"].get("near_duplicates", 0))

    @cached_property
    def size(self) -> int:
        """Number of chunks."""
        return int(self.manifest["counts"]["chunks"])

    def document(self, doc_id: str, principals: Sequence[str] = ()) -> StoredDocument | None:
        """Return a document, or None when there is none that these principals may read."""
        return self.catalog.document(doc_id, principals)

    def documents(self) -> pl.DataFrame:
        """Return all documents with their texts."""
        return self.catalog.documents()

    def facets(self, principals: Sequence[str] = ()) -> dict[str, dict[str, int]]:
        """Count the readable documents by collection, source, language and type."""
        return self.catalog.facets(principals)

    def verify(self, *, sample: int = 50) -> list[str]:
        """Return what is wrong with this version: damaged files, parts that disagree, poor recall. Empty: nothing."""
        problems = self._damaged_files()
        vectors = sum(len(space.index) for space in self.spaces)
        keys = self.catalog.chunks("key")["key"].sort().to_numpy()
        counts = {"vectors": vectors, "lexical": len(self.lexical), "catalog": len(keys)}
        if len(set(counts.values())) != 1:
            problems.append(f"the parts hold different numbers of chunks: {counts}")
        problems.extend(self._missing_keys(keys))
        problems.extend(self._wrong_postings(sample))
        recall = self.measured_recall(sample)
        if recall < 0.95:
            problems.append(f"vector search finds {recall:.1%} of the exact ten nearest; expected 95 % or more")
        return problems

    def measured_recall(self, sample: int = 50, depth: int = 10) -> float:
        """Return recall@10 against exact search, for vectors of the index itself as questions."""
        recalls = []
        for space, keys in self.keys_by_space():
            few = keys[:: max(1, len(keys) // sample)][:sample]
            vectors = (space.index.vector(int(key)) for key in few)
            recalls += [space.index.recall(vector, depth) for vector in vectors if vector is not None]
        return float(np.mean(recalls)) if recalls else 1.0

    def keys_by_space(self) -> list[tuple[OpenSpace, np.ndarray]]:
        """Return each space with the keys (uint64) of the chunks that the catalog says are in it."""
        chunks, stored = self.catalog.chunks("key", "source", "doc_id", "ordinal"), stored_spaces(self.manifest)
        return [
            (space, chunks.filter(of_space(description, stored))["key"].to_numpy())
            for space, description in zip(self.spaces, stored, strict=True)
        ]

    def _damaged_files(self) -> list[str]:
        found, expected = checksums(self.folder), self.manifest["files"]
        missing = [f"{name} is missing" for name in expected if name not in found]
        other = [f"{name} is not the file that was built" for name in found if expected.get(name) != found[name]]
        return missing + other

    def _missing_keys(self, keys: np.ndarray) -> list[str]:
        absent = {
            "passage": int((~among(keys, self.catalog.keys)).sum()),
            "vectors": sum(int((~space.index.contains(own)).sum()) for space, own in self.keys_by_space()),
            "lexical": int((~among(keys, np.sort(self.lexical.keys()))).sum()),
        }
        return [f"{count} chunks of the catalog are not in the {part} index" for part, count in absent.items() if count]

    def _wrong_postings(self, sample: int) -> list[str]:
        """Compare the postings of some chunks with their texts, and with the phrases' index."""
        if self.manifest["analysis"] != analysis.VERSION:
            return []
        places = range(0, len(self.catalog.keys), max(1, len(self.catalog.keys) // max(1, sample)))
        rows = self.catalog.candidates(self.catalog.keys[list(places)])
        held = [
            analysis.index_terms(f"{row['header']}\n{row['text']}", row["language"])
            for row in (rows[key] for key in self.catalog.keys[list(places)].tolist())
        ]
        frequencies = {term: self.lexical.doc_freq(term) for terms in held for term in terms}
        return list(self.lexical.postings.problems(zip(places, held, strict=True), frequencies))
