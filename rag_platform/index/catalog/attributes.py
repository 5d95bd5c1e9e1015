"""What filters and ranking ask of the documents of a version, as columns in memory."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
import polars as pl

from rag_platform.access import DocumentAccess, Readable
from rag_platform.core.hits import Filters
from rag_platform.core.lazy import method_cache
from rag_platform.core.principals import PUBLIC, limits
from rag_platform.core.schemas import CANARY
from rag_platform.storage.columnar.columns import Labels, Lists

LABELS = ("collection", "source", "language", "type")
LISTS = ("principals", "tags")
MOST_CHOICES = 1000
"""Values of a facet that are counted, the most frequent ones; a source may have a tag for each of its rows."""


class Facts(NamedTuple):
    """What ranking asks of chunks, a value for each."""

    document: np.ndarray
    """Its document, as a number: uint32."""
    source: list[str | None]
    dated: np.ndarray
    """When its document was published, else updated: datetime64, UTC; NaT: that is not known."""
    language: list[str | None]
    """Of its document."""
    collection: list[str | None]
    """Of its document."""


class Attributes:
    """The attributes of each document, in the order of a version's documents; safe to ask from many threads."""

    def __init__(self, documents: pl.DataFrame, access: DocumentAccess | None = None) -> None:
        """Read what is asked of documents.

        Args:
            documents: `doc_id`, `near` and `dated` beside the columns of `LABELS` and `LISTS`.
            access: who may read them now; None: whom the documents themselves name.
        """
        self._access = access
        self.doc_ids = documents["doc_id"]
        self.near = Labels(documents["near"]).numbers(np.arange(documents.height))
        """The group of near-duplicates of each, among all documents of the version: int64; -1: there is none."""
        self._dated = documents["dated"].dt.convert_time_zone("UTC").dt.replace_time_zone(None).to_numpy()
        self._labels = {name: Labels(documents[name]) for name in LABELS}
        self._stated = method_cache(32, self._state)
        self._lists = {name: Lists(documents[name]) for name in LISTS}

    def facts(self, documents: np.ndarray) -> Facts:
        """Return the facts of chunks by the numbers of their documents; of arrays, which wake no other thread."""
        named = (self._labels[name].words(documents) for name in ("source", "language", "collection"))
        source, language, collection = named
        return Facts(documents, source, self._dated[documents], language, collection)

    def counted(self, documents: np.ndarray, *names: str) -> dict[tuple[str, ...], int]:
        """Count these documents, given by their numbers, by what they have in the columns of `LABELS` named."""
        columns = np.stack([self._labels[name].numbers(documents) for name in names])
        _, first, counts = np.unique(columns, axis=1, return_index=True, return_counts=True)
        words = zip(*(self._labels[name].words(documents[first]) for name in names), strict=True)
        return {row: count for row, count in zip(words, counts.tolist(), strict=True) if None not in row}

    def facets(self, chosen: np.ndarray) -> dict[str, dict[str, int]]:
        """Count the chosen documents (bool, for each document) by label and by tag, the most frequent first.

        Planted documents are nobody's choice. Of a facet's values at most `MOST_CHOICES` are counted.
        """
        chosen = chosen & ~self.planted
        counts = {name: self._labels[name].counted(chosen) for name in LABELS}
        counts["tag"] = self._lists["tags"].counted(chosen)
        ordered = {name: sorted(count.items(), key=lambda one: (-one[1], one[0])) for name, count in counts.items()}
        return {name: dict(count[:MOST_CHOICES]) for name, count in ordered.items()}

    def since(self, chosen: np.ndarray, moments: Sequence[datetime]) -> list[int]:
        """Count the chosen documents (bool, for each document) that are dated at or after each moment."""
        dated = self._dated[chosen]
        return [int((dated >= _moment(moment)).sum()) for moment in moments]  # no date is neither before nor after

    def named(self, chosen: np.ndarray) -> list[str]:
        """Return the ids of the documents that are chosen: bool, for each document."""
        return self.doc_ids.filter(pl.Series(chosen)).to_list()

    def archived(self, max_ages: Mapping[str, float], now: datetime) -> np.ndarray:
        """Tell of each document whether it is older than so many days of its source: bool; undated ones are not."""
        older = np.zeros(len(self.doc_ids), bool)
        for source, days in max_ages.items():
            older |= self._labels["source"].any((source,)) & (self._dated < _moment(now - timedelta(days=days)))
        return older

    def readable(self, principals: Collection[str]) -> np.ndarray:
        """Tell of each document whether these principals may read it now: bool, not to be written to.

        The one place where that is asked: every view, count and figure is made of what this lets through.
        """
        return self.reading(principals).documents

    def reading(self, principals: Collection[str]) -> Readable:
        """Return the same as an object, which is another one as soon as somebody decides otherwise: a key of caches."""
        return self._access.readable(principals) if self._access else self._stated(frozenset(principals))

    def readable_then(self, principals: Collection[str]) -> np.ndarray:
        """Tell of each document whether these principals might read it when it was as it is here: bool."""
        return self._access.then(principals) if self._access else self._stated(frozenset(principals)).documents

    def _state(self, principals: frozenset[str]) -> Readable:
        documents = self._lists["principals"].any({PUBLIC, *principals})
        if limited := limits(principals):
            documents &= self._labels["collection"].any(limited)
        return Readable(documents, bool(documents.all()))

    @property
    def planted(self) -> np.ndarray:
        """Which documents were planted, to see whether permissions are kept: bool."""
        return self._labels["type"].any((CANARY,))

    def languages(self, chosen: np.ndarray) -> list[str]:
        """Return the languages of the chosen documents (bool, for each document), the commonest first."""
        counts = self._labels["language"].counted(chosen)
        return sorted(counts, key=lambda language: (-counts[language], language))

    def passing(self, filters: Filters) -> np.ndarray:
        """Tell of each document whether it passes the filters and the asker may read it: bool."""
        passing = self.readable(filters.principals).copy()
        if CANARY not in filters.types:
            passing &= ~self.planted
        for name, chosen in zip(
            LABELS, (filters.collections, filters.sources, filters.languages, filters.types), strict=True
        ):
            if chosen:
                passing &= self._labels[name].any(chosen)
        if filters.documents:
            passing &= self.doc_ids.is_in(filters.documents).to_numpy()
        for tag in filters.tags:
            passing &= self._lists["tags"].any((tag,))
        if filters.since:  # no date is neither before nor after
            passing &= self._dated >= _moment(filters.since)
        if filters.until:
            passing &= self._dated < _moment(filters.until)
        return passing


def _moment(moment: datetime) -> np.datetime64:
    return np.datetime64(moment.astimezone(UTC).replace(tzinfo=None), "us")
