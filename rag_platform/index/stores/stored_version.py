"""A version opened from an engine: `ports.VersionReader`, whichever the engine is."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import zstandard

from rag_platform.core.errors import DamagedVersion
from rag_platform.core.ids import passage_hash, passage_key
from rag_platform.core.ports.version_ports import Read
from rag_platform.index.lexical import LexicalIndex
from rag_platform.index.segments import LivingRows
from rag_platform.index.stores.segment_engine import SegmentEngine
from rag_platform.index.stores.stored_postings import FetchedRows, StoredPostings
from rag_platform.index.stores.stored_vectors import StoredVectors
from rag_platform.index.stores.stored_words import StoredPhrases, StoredVocabulary
from rag_platform.index.vectors.joined import JoinedVectors
from rag_platform.index.vectors.stored_tokens import TOKENS
from rag_platform.index.vocabulary import WORDS

EXACT_BELOW = 5_000
"""Vectors of a segment up to which all are compared: an engine needs no graph of them."""
_AT_ONCE = 128
"""Passages that are fetched together."""


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """A segment as a version lists it."""

    name: str
    gone: Sequence[int]
    """The places of its documents that do not live in the version."""
    described: Mapping[str, int]
    """`SegmentContent.described`."""


@dataclass(frozen=True, slots=True)
class StoredVersionRow:
    """What an engine knows of a version."""

    manifest: dict[str, Any]
    segments: Sequence[StoredSegment]
    reference: pl.DataFrame | None


class StoredVersion:
    """A version in an engine. Safe to ask from many threads."""

    def __init__(self, engine: SegmentEngine, row: StoredVersionRow, there: Callable[[], bool]) -> None:
        """Open a version; `there` tells whether the engine still has it."""
        self.manifest, self.reference = row.manifest, row.reference
        self._engine, self._segments, self._there = engine, row.segments, there
        self._names = [segment.name for segment in row.segments]
        self._arrays = [engine.arrays(name) for name in self._names]
        self.tables = engine.tables(row.manifest["id"], self._names)
        self.passages = StoredPassages(engine, row.segments, self._array)
        living = self.passages.living
        terms, written = self._postings("terms"), self._postings("words")
        lines = (zstandard.decompress(arrays[WORDS]).decode() for arrays in self._arrays)
        vocabularies = [StoredVocabulary(text, own) for text, own in zip(lines, written, strict=True)]
        self.words = LexicalIndex(terms, vocabularies, StoredPhrases(engine, self._names, living), living)

    @property
    def intact(self) -> bool:
        """Whether the engine still has it, as of a moment ago."""
        return self._there()

    @property
    def size(self) -> int:
        """Bytes of its segments, those too that it shares with other versions."""
        return sum(map(self._engine.bytes_of, self._names))

    def vectors(self, file: str, dimension: int) -> JoinedVectors:
        """Open the vectors of a space, in as many segments as have some."""
        living, parts = self.passages.living, []
        for at, segment in enumerate(self._segments):
            if file in segment.described:
                keys = self._array(at, f"keys of {file}", np.uint64)
                place, alive = (segment.name, file), living.living_keys(at)
                parts.append(StoredVectors(self._engine, place, keys, dimension, alive))
        return JoinedVectors(parts, dimension, exact_below=EXACT_BELOW)

    def tokens(self, fingerprint: str) -> "StoredPassageTokens | None":
        """Open the token vectors of a model; None: the version was made without."""
        bits = self.manifest["parameters"].get(TOKENS, 0)
        return StoredPassageTokens(bits, self._engine, self._names, fingerprint) if bits else None

    def read_ahead(self) -> None:
        """Do nothing: what every search reads is in memory, and the rest is the engine's."""

    def problems(self, read: Read) -> list[str]:
        """Say what of it is not there; `read`: "changed" compares nothing, for nobody writes to a segment."""
        if read == "changed":
            return [] if self.intact else [f"{self.manifest['id']} is not in the store any more"]
        wrong = []
        for segment in self._segments:
            held = self._engine.held(segment.name)
            missing = {name: (held.get(name, 0), count) for name, count in segment.described.items()}
            wrong += [
                f"segment {segment.name} holds {found} rows of {name}, not {count}"
                for name, (found, count) in missing.items()
                if found != count
            ]
            wrong += [
                f"segment {segment.name}: {name} is not as written" for name in self._engine.damaged(segment.name)
            ]
        return wrong

    def _array(self, segment: int, name: str, kind: type[np.generic]) -> np.ndarray:
        return np.frombuffer(self._arrays[segment][name], kind)

    def _postings(self, kind: Any) -> list[StoredPostings]:
        rows = FetchedRows(self._engine, self._names, kind)
        return [StoredPostings(rows, name, self._array(at, kind, np.uint32)) for at, name in enumerate(self._names)]


class StoredPassages:
    """The chunks of a version, as every query reads them."""

    def __init__(
        self,
        engine: SegmentEngine,
        segments: Sequence[StoredSegment],
        array: Callable[[int, str, type[np.generic]], np.ndarray],
    ) -> None:
        self._engine, self._names = engine, [segment.name for segment in segments]
        keys = [array(at, "keys", np.uint64) for at in range(len(segments))]
        documents = [array(at, "documents", np.uint32) for at in range(len(segments))]
        living = [np.ones(segment.described["documents"], bool) for segment in segments]
        for alive, segment in zip(living, segments, strict=True):
            alive[np.array(segment.gone, np.int64)] = False
        self.living = LivingRows(keys, documents, living)
        """Which of the chunks live."""

    @property
    def keys(self) -> np.ndarray:
        """Those of all that live: uint64, ascending."""
        return self.living.keys

    @property
    def documents(self) -> np.ndarray:
        """Of each of these the document, by its number: uint32."""
        return self.living.documents

    def by_key(self, keys: np.ndarray) -> Mapping[int, dict[str, Any]]:
        """Return the columns of chunks and of their documents, by key; some are fetched when one is asked for."""
        return _Passages(self, keys)

    def fetched(self, keys: np.ndarray) -> dict[int, dict[str, Any]]:
        """Fetch the rows of these keys, by key."""
        places: dict[int, list[int]] = {}
        for row in self.living.rows(keys).tolist():
            segment, place = self.living.place(row)
            places.setdefault(segment, []).append(place)
        found = (row for at, own in places.items() for row in self._engine.passages(self._names[at], own))
        return {row["key"]: row for row in found}


class _Passages(Mapping[int, dict[str, Any]]):
    """Rows by key, fetched together with those that stand near them in the order in which they were named."""

    def __init__(self, passages: StoredPassages, keys: np.ndarray) -> None:
        self._passages, self._keys = passages, keys
        self._places = {key: place for place, key in enumerate(keys.tolist())}
        self._read: dict[int, dict[str, Any]] = {}

    def __getitem__(self, key: int) -> dict[str, Any]:
        if key not in self._read:
            first = self._places[key] // _AT_ONCE * _AT_ONCE
            self._read |= self._passages.fetched(self._keys[first : first + _AT_ONCE])
        if key not in self._read:
            raise DamagedVersion(f"the store has lost a passage of the version ({key}); remove the version, and sync")
        return self._read[key]

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@dataclass(frozen=True, slots=True)
class StoredPassageTokens:
    """The packed token vectors of a model; fulfils `ports.PassageTokens`."""

    bits: int
    engine: SegmentEngine
    segments: Sequence[str]
    model: str

    def of(self, passages: Sequence[str]) -> list[bytes | None]:
        """Return those of each passage; None: they are not stored."""
        keys = [passage_key(passage_hash(passage)) for passage in passages]
        found = self.engine.tokens(self.segments, self.model, keys)
        return [found.get(key) for key in keys]
