"""A version as somebody may read it: what every figure that they see is counted from.

How often words occur, how long texts are, which documents say nearly the same: all of it is
computed over the documents that the asker may read and no others, so that nothing they are shown depends on the rest.
"""

from typing import NamedTuple

import numpy as np
import polars as pl

from rag_platform.core.lazy import locked_cached_property, method_cache
from rag_platform.core.ports import VersionWords, WordCounts
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.index.vectors.spaces import NEUTRAL, SAMPLE, OpenSpace
from rag_platform.text.signature_groups import roots

_BYTES = 64_000_000
"""Of memory that the views of one version take, at a byte for each chunk and document."""
_FEWEST = len(NEUTRAL)
"""Public reference texts from which no others are needed."""


class Parts(NamedTuple):
    """The parts of an opened version."""

    catalog: Catalog
    lexical: VersionWords
    spaces: tuple[OpenSpace, ...]
    reference: pl.DataFrame | None
    """See `spaces.REFERENCE`."""
    near_duplicates: float
    """The similarity from which two documents are nearly the same; 0: none are."""


class View:
    """The documents of a version that somebody may read, and what follows from them; safe to ask from many threads."""

    def __init__(self, parts: Parts, readable: np.ndarray) -> None:
        """See the `readable` documents: bool, for each of the version's."""
        planted = parts.catalog.attributes.planted
        self._parts = parts
        self._searched = readable
        self._readable = readable & ~planted
        self._reads_everything = bool((readable | planted).all())
        self.documents = int(self._readable.sum())
        """How many there are; planted ones are nobody's."""
        self._samples: dict[str, tuple[np.ndarray, list[str | None]]] = {}

    @property
    def chunks(self) -> int:
        """Return how many chunks they have."""
        return self.statistics.chunks

    @locked_cached_property
    def statistics(self) -> WordCounts:
        """What is asked of the words of their chunks."""
        catalog, lexical = self._parts.catalog, self._parts.lexical
        languages = catalog.attributes.languages(self._readable)
        readable, searched = (documents[catalog.document_of] for documents in (self._readable, self._searched))
        return lexical.counts(readable, searched, languages, everything=self._reads_everything)

    def word_weight(self, word: str) -> float:
        """Return how much a word tells: its idf (as in BM25), 0 < weight."""
        return self._parts.lexical.word_weight(word, self.statistics)

    @property
    def spaces(self) -> tuple[OpenSpace, ...]:
        """The version's vector spaces."""
        return self._parts.spaces

    def sample(self, fingerprint: str) -> tuple[np.ndarray, list[str | None]]:
        """Return vectors of some of the chunks that a model has read, in whichever of its spaces, and their languages.

        The vectors are float32 of shape (n, dimension), n at most `SAMPLE`.

        Those with the smallest keys, which are hashes: as good as taken at random, and newcomers change few of them.
        """
        if fingerprint not in self._samples:
            own = self._parts.catalog.keys[self._readable[self._parts.catalog.document_of]]
            indexes = [space.index for space in self._parts.spaces if space.fingerprint == fingerprint]
            held = [own[index.contains(own)][:SAMPLE] for index in indexes]
            last = np.sort(np.concatenate(held))[:SAMPLE][-1:]
            chosen = [keys[keys <= last] if len(last) else keys for keys in held]
            rows = np.concatenate([index.rows(keys) for index, keys in zip(indexes, chosen, strict=True)])
            self._samples[fingerprint] = rows, self._parts.catalog.facts(np.concatenate(chosen)).language
        return self._samples[fingerprint]

    @locked_cached_property
    def near(self) -> np.ndarray:
        """The group of near-duplicates of each document, as a number: int64; -1: there is none.

        The groups of a version are made of all its documents; one with a member that is not readable is made anew of
        those that are, for two of them may be in it because of a third alone.
        """
        catalog = self._parts.catalog
        numbers = catalog.attributes.near.copy()
        broken = np.unique(numbers[~self._readable & (numbers >= 0)])
        numbers[~self._readable] = -1
        places = np.flatnonzero(np.isin(numbers, broken) & self._readable)
        if len(places):
            found = roots(catalog.signatures(places), self._parts.near_duplicates)
            alone = np.bincount(found, minlength=len(places))[found] == 1
            numbers[places] = np.where(alone, -1, len(numbers) + found)
        return numbers

    @locked_cached_property
    def common_headings(self) -> frozenset[str]:
        """Headings that several of some documents have, in lower case, such as "introduction": they tell of none."""
        return self._parts.catalog.common_headings(self._readable)

    @locked_cached_property
    def references(self) -> dict[str, np.ndarray] | None:
        """The reference texts among them as every space sees them, by fingerprint: float32; None with one space alone.

        Where they are few, neutral sentences stand beside them.
        """
        reference, catalog = self._parts.reference, self._parts.catalog
        if reference is None:
            return None
        readable = catalog.attributes.doc_ids.filter(pl.Series(self._readable)).implode()
        chunks = catalog.chunks("text_hash", "doc_id").filter(pl.col("doc_id").is_in(readable))
        own = reference["text_hash"].is_in(chunks["text_hash"].implode())
        if own.sum() < _FEWEST:
            own |= reference["text_hash"].is_in(list(NEUTRAL))
        chosen = reference.filter(own).drop("text_hash")
        return {fingerprint: chosen[fingerprint].to_numpy().astype(np.float32) for fingerprint in chosen.columns}


class Views:
    """The views of a version, by which documents are readable: many people may read the same."""

    def __init__(self, parts: Parts, size: int) -> None:
        """Keep views of a version of so many documents and chunks."""
        self._parts = parts
        self._kept = method_cache(max(8, min(256, _BYTES // max(1, size))), self._made)

    def of(self, readable: np.ndarray) -> View:
        """Return the view of these documents: bool, for each of the version's."""
        return self._kept(np.packbits(readable).tobytes(), len(readable))

    def _made(self, packed: bytes, count: int) -> View:
        return View(self._parts, np.unpackbits(np.frombuffer(packed, np.uint8), count=count).astype(bool))
