"""What filters and ranking ask of the documents of a version, as columns in memory."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
import polars as pl

from rag_platform.core.hits import Filters
from rag_platform.core.lazy import locked_cached_property
from rag_platform.core.principals import PUBLIC
from rag_platform.core.schemas import CANARY

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

    def __init__(self, documents: pl.DataFrame) -> None:
        """`documents` has `doc_id`, `near` and `dated` beside the columns of `LABELS` and `LISTS`."""
        self.doc_ids = documents["doc_id"]
        self.near = _Labels(documents["near"]).numbers(np.arange(documents.height))
        """The group of near-duplicates of each, among all documents of the version: int64; -1: there is none."""
        self._dated = documents["dated"].dt.convert_time_zone("UTC").dt.replace_time_zone(None).to_numpy()
        self._labels = {name: _Labels(documents[name]) for name in LABELS}
        self._lists = {name: _Lists(documents[name]) for name in LISTS}

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

    def older(self, oldest: Mapping[str, datetime]) -> np.ndarray:
        """Tell of each document whether it is dated before its source's moment, if it has one: bool."""
        older = np.zeros(len(self.doc_ids), bool)
        for source, moment in oldest.items():
            older |= self._labels["source"].any((source,)) & (self._dated < _moment(moment))
        return older

    def readable(self, principals: Collection[str]) -> np.ndarray:
        """Tell of each document whether these principals may read it: bool."""
        return self._lists["principals"].any((PUBLIC, *principals))

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
        passing = self.readable(filters.principals)
        if CANARY not in filters.types:
            passing &= ~self.planted
        for name, chosen in zip(
            LABELS, (filters.collections, filters.sources, filters.languages, filters.types), strict=True
        ):
            if chosen:
                passing &= self._labels[name].any(chosen)
        for tag in filters.tags:
            passing &= self._lists["tags"].any((tag,))
        if filters.since:  # no date is neither before nor after
            passing &= self._dated >= _moment(filters.since)
        if filters.until:
            passing &= self._dated < _moment(filters.until)
        return passing


def _moment(moment: datetime) -> np.datetime64:
    return np.datetime64(moment.astimezone(UTC).replace(tzinfo=None), "us")


class _Labels:
    """A column of words, as numbers."""

    def __init__(self, words: pl.Series) -> None:
        values = words.drop_nulls().unique(maintain_order=True)
        self._words = values.to_list()
        self._numbers = {word: number for number, word in enumerate(self._words)}
        numbers = words.cast(pl.Enum(values)).to_physical().cast(pl.Int64).fill_null(len(values))
        self._column = numbers.to_numpy().astype(np.uint32)

    def numbers(self, rows: np.ndarray) -> np.ndarray:
        """Return the number of each row's word; -1: it has none."""
        numbers = self._column[rows].astype(np.int64)
        return np.where(numbers < len(self._words), numbers, -1)

    def words(self, rows: np.ndarray) -> list[str | None]:
        """Return each row's word."""
        return [self._words[number] if number >= 0 else None for number in self.numbers(rows).tolist()]

    def counted(self, rows: np.ndarray) -> dict[str, int]:
        """Count the words of these rows (bool, for each row, or their numbers)."""
        counts = np.bincount(self._column[rows], minlength=len(self._words) + 1)
        return {self._words[number]: int(counts[number]) for number in np.flatnonzero(counts[:-1]).tolist()}

    def any(self, chosen: Collection[str]) -> np.ndarray:
        """Tell of each row whether its word is one of these."""
        wanted = np.zeros(len(self._numbers) + 1, bool)
        wanted[[self._numbers[word] for word in chosen if word in self._numbers]] = True
        found: np.ndarray = wanted[self._column]
        return found


class _Lists:
    """A column of lists of words."""

    def __init__(self, lists: pl.Series) -> None:
        self._given = lists

    @locked_cached_property
    def _flat(self) -> tuple[np.ndarray, _Labels]:
        """The row of each word, and the words."""
        lengths = self._given.list.len().fill_null(0).to_numpy()
        rows = np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
        return rows, _Labels(self._given.filter(pl.Series(lengths > 0)).explode())

    def counted(self, chosen: np.ndarray) -> dict[str, int]:
        """Count the words of the lists of the chosen rows (bool, for each row)."""
        rows, words = self._flat
        return words.counted(chosen[rows])

    def any(self, chosen: Collection[str]) -> np.ndarray:
        """Tell of each row whether one of these words is in its list."""
        rows, words = self._flat
        found = np.zeros(len(self._given), bool)
        found[rows[words.any(chosen)]] = True
        return found
