"""Columns of words as numbers, of which masks are made in microseconds."""

from collections.abc import Collection

import numpy as np
import polars as pl

from rag_platform.core.lazy import locked_cached_property


class Labels:
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


class Lists:
    """A column of lists of words."""

    def __init__(self, lists: pl.Series) -> None:
        self._given = lists

    @locked_cached_property
    def _flat(self) -> tuple[np.ndarray, Labels]:
        """The row of each word, and the words."""
        lengths = self._given.list.len().fill_null(0).to_numpy()
        rows = np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
        return rows, Labels(self._given.filter(pl.Series(lengths > 0)).explode())

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
