"""What we ask of the engine that holds versions: ids with scores, rows and counts, of versions that never change.

Who may read what stands above it (`index/releases/open_version.py`), and so do fusion, decay, reranking and explanation
(`retrieval/`): every engine ranks alike. Keys are those of chunks: uint64.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import polars as pl

Read = Literal["all", "new", "changed"]


class VersionTables(Protocol):
    """The tables of a version by SQL: `documents` and `chunks`, of what lives; a column for each of core/schemas.

    Also `placed`: documents with `segment` and `place`, by which they are numbered; and `stored`: documents with
    `segment`, those too that are held and do not live.
    """

    def frame(self, sql: str, values: list[Any]) -> pl.DataFrame:
        """Return what a query finds."""
        ...

    def rows(self, sql: str, values: list[Any]) -> list[tuple[Any, ...]]:
        """Return what a query finds, as rows."""
        ...


class VersionPassages(Protocol):
    """The chunks of a version, as every query reads them."""

    @property
    def keys(self) -> np.ndarray:
        """Those of all chunks: uint64, ascending."""
        ...

    @property
    def documents(self) -> np.ndarray:
        """Of each of these the document, by its number: uint32."""
        ...

    def by_key(self, keys: np.ndarray) -> Mapping[int, dict[str, Any]]:
        """Return the columns of chunks and of their documents, by key: what is shown of a hit."""
        ...


class WordCounts(Protocol):
    """How often words occur in the chunks that somebody may read, and in no others."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Those of their documents, the commonest first."""
        ...

    @property
    def chunks(self) -> int:
        """How many there are."""
        ...

    @property
    def frequency(self) -> Callable[[str], int]:
        """Tells how many of them hold a term."""
        ...

    def idf(self, *variants: str) -> float:
        """Return BM25's weight of a word by its commonest variant: above 0."""
        ...

    def usual(self, variants: Sequence[str]) -> list[str]:
        """Leave out variants that are far rarer than another."""
        ...

    def expect(self, terms: Sequence[str]) -> None:
        """Have at hand what will be asked of these terms: where it is fetched, in one go."""
        ...


class VersionWords(Protocol):
    """The lexical part of a version. `counts` is always what `counts` of the same part returned."""

    def __len__(self) -> int:
        """Return how many chunks there are."""
        ...

    def counts(
        self, readable: np.ndarray, searched: np.ndarray, languages: Sequence[str], *, everything: bool
    ) -> WordCounts:
        """Count the words of the `readable` chunks: bool, for each in the order of the keys.

        `searched` are these and planted ones that the asker finds too; `everything`: they are all there are.
        """
        ...

    def search(
        self, question: str, depth: int, counts: Any, allowed: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return keys and BM25 scores (float32) of the best `depth` of the allowed (None: of all), best first."""
        ...

    def holding(self, phrase: str, counts: Any) -> np.ndarray:
        """Return the keys (ascending) of the chunks that hold the phrase's terms in a row, in any language."""
        ...

    def holding_all(self, question: str, counts: Any) -> np.ndarray | None:
        """Return the keys (ascending) of the chunks that hold every word, in any form; None: it has no word."""
        ...

    def stands(self, phrase: str, counts: Any, allowed: np.ndarray | None = None) -> bool:
        """Tell whether an allowed chunk holds the phrase's terms in a row."""
        ...

    def document_frequencies(self, words: Sequence[str], counts: Any) -> np.ndarray:
        """Return how many readable chunks hold each word: int64; quick for hundreds of words."""
        ...

    def words(self, part: str, counts: Any, *, begins: bool = False, ends: bool = False) -> Iterator[str]:
        """Yield the words, as they are written, that hold a part and stand in readable chunks, in their order."""
        ...

    def written(self, words: Iterable[str], counts: Any) -> np.ndarray:
        """Return the keys (ascending) of the readable chunks that hold any of these words as they are written."""
        ...

    def commonest(self, words: Iterable[str], counts: Any, allowed: np.ndarray | None) -> str | None:
        """Return which of these words, as they are written, most of the allowed chunks hold; None: none do."""
        ...

    def word_weight(self, word: str, counts: Any) -> float:
        """Return how much a word tells: its idf, above 0."""
        ...

    def keys(self) -> np.ndarray:
        """Return the keys of all chunks, in any order."""
        ...

    def problems(self, expected: Iterable[tuple[int, Sequence[str], Sequence[str]]]) -> Iterator[str]:
        """Yield how it differs from the terms, and the distinct words, that the chunks of these keys have."""
        ...


class VersionVectors(Protocol):
    """The vectors that one model gave to chunks of a version."""

    def __len__(self) -> int:
        """Return how many there are."""
        ...

    @property
    def keys(self) -> np.ndarray:
        """Whose: uint64, ascending."""
        ...

    def search(
        self, vector: np.ndarray, depth: int, allowed: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return keys and cosines (float32) of the nearest `depth` of the allowed (None: of all), best first."""
        ...

    def similarities(self, vector: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the cosine to each of these: float32, shape (len(keys),)."""
        ...

    def rows(self, keys: np.ndarray) -> np.ndarray:
        """Return the vectors of keys that are there: float32, shape (len(keys), dimension)."""
        ...

    def vector(self, key: int) -> np.ndarray | None:
        """Return that of a key: float32, shape (dimension,); None: there is none."""
        ...

    def contains(self, keys: np.ndarray) -> np.ndarray:
        """Return which keys are there: bool, shape (len(keys),)."""
        ...

    def recall(self, vector: np.ndarray, depth: int) -> float:
        """Return which share of the nearest `depth` an unfiltered search finds."""
        ...

    def recalls(self, sample: int, depth: int) -> list[float]:
        """Return the same of so many of its own vectors."""
        ...


class VersionReader(Protocol):
    """A version opened for reading; safe to ask from many threads."""

    @property
    def manifest(self) -> dict[str, Any]:
        """What is known of it."""
        ...

    @property
    def tables(self) -> VersionTables:
        """Its documents and chunks as tables."""
        ...

    @property
    def passages(self) -> VersionPassages:
        """Its chunks as queries read them."""
        ...

    @property
    def words(self) -> VersionWords:
        """Its lexical part."""
        ...

    @property
    def reference(self) -> pl.DataFrame | None:
        """Texts by which similarities of several models are put on one scale; None: it has one model."""
        ...

    @property
    def intact(self) -> bool:
        """Whether it is still what was opened; it takes microseconds."""
        ...

    @property
    def size(self) -> int:
        """Bytes that it takes where it lies."""
        ...

    def vectors(self, file: str, dimension: int) -> VersionVectors:
        """Open the vectors of one of its spaces, by the name that its manifest has for them."""
        ...

    def tokens(self, fingerprint: str) -> Any | None:
        """Open the token vectors of a model, as `ports.PassageTokens`; None: it has none."""
        ...

    def read_ahead(self) -> None:
        """Have what a search reads in memory soon."""
        ...

    def problems(self, read: Read) -> list[str]:
        """Say what of it is not as it was written."""
        ...


class VersionStore(Protocol):
    """An engine that several machines read versions from. One process writes at a time."""

    def ids(self) -> list[str]:
        """Name the versions that are wholly there, oldest first."""
        ...

    def manifest(self, version: str) -> dict[str, Any]:
        """Return what is known of a version; `VersionError` when it is not there."""
        ...

    def put(self, version: str, reader: Any, folder: Path) -> None:
        """Write a version, opened from its folder; of one that is there nothing is written again."""
        ...

    def open(self, version: str) -> VersionReader:
        """Open a version for as long as somebody holds it; `VersionError` when it is not there."""
        ...

    def live(self, *, now: bool = False) -> str | None:
        """Name the version that readers answer from, as of a moment ago or of `now`; None: none was published."""
        ...

    def publish(self, version: str | None) -> None:
        """Make a version that is there the live one for all readers, in one step; None: no version is any more."""
        ...

    def remove(self, version: str, *, erase: bool = False) -> None:
        """Let a version go; `erase`: nothing may be left of what it alone held, wherever it lies."""
        ...
