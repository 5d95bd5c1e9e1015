"""Vectors that are copied when they are asked for: a build that shares segments asks for those of what is new alone."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

Places = np.ndarray | slice
"""Which rows: their places, bool for each, or a slice."""


class VectorRows(Protocol):
    """The vectors of some chunks: a matrix, or what reads its rows."""

    def __len__(self) -> int: ...

    def __getitem__(self, rows: Places, /) -> np.ndarray:
        """Return those rows: float32, shape (rows, dimension)."""
        ...


class GatheredRows:
    """Rows of several parts, in an order of their own; fulfils `VectorRows`."""

    def __init__(self, parts: Sequence[VectorRows], order: np.ndarray, dimension: int) -> None:
        """Take the rows of the parts, numbered on from one to the next, in this order (int64)."""
        self._parts, self._order, self._dimension = parts, order, dimension
        self._starts = np.cumsum([0, *map(len, parts)])

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, rows: Places, /) -> np.ndarray:
        """Return those rows: float32, shape (rows, dimension)."""
        wanted = self._order[rows]
        found = np.empty((len(wanted), self._dimension), np.float32)
        owners = np.searchsorted(self._starts, wanted, side="right") - 1
        for owner in np.unique(owners).tolist():
            own = owners == owner
            found[own] = self._parts[owner][wanted[own] - self._starts[owner]]
        return found

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        """Return all of them, as numpy asks for them."""
        return self[:].astype(dtype or np.float32, copy=bool(copy))
