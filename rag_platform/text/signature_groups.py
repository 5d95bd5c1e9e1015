"""Which of many signatures are alike: groups of nearly the same texts.

Which are compared is found by locality-sensitive hashing of the signatures in bands (Leskovec, Rajaraman and Ullman,
"Mining of Massive Datasets", chapter 3). Two that are similar enough are in one group, and so is whatever is similar to
either: the groups depend on the texts alone, not on their order or history.
"""

from collections.abc import Iterator

import numpy as np

from rag_platform.text.shingles import SIZE

_MISSED = 0.01
"""Share of pairs just at the threshold that the bands may overlook."""


def roots(matrix: np.ndarray, threshold: float) -> np.ndarray:
    """Return for each row the number of its group's root: shape (len(matrix),)."""
    roots = np.arange(len(matrix))
    alike = int(np.ceil(threshold * SIZE))
    for bucket in _buckets(matrix, threshold):
        for place, row in enumerate(bucket[:-1]):
            if (roots[bucket] == roots[row]).all():
                break
            others = bucket[place + 1 :]
            others = others[roots[others] != roots[row]]  # those in its group already need no look
            similar = others[(matrix[others] == matrix[row]).sum(axis=1) >= alike]
            roots[np.isin(roots, roots[similar])] = roots[row]
    return roots


def _buckets(matrix: np.ndarray, threshold: float) -> Iterator[np.ndarray]:
    """Yield the rows that agree in a whole band of places."""
    width = _band(threshold)
    for start in range(0, SIZE - width + 1, width):
        band = np.ascontiguousarray(matrix[:, start : start + width]).view(f"V{matrix.itemsize * width}")[:, 0]
        order = np.argsort(band, kind="stable")
        changes = np.flatnonzero(band[order][1:] != band[order][:-1]) + 1
        bounds = np.concatenate([[0], changes, [len(order)]])
        for at in np.flatnonzero(np.diff(bounds) > 1).tolist():  # most rows are alone
            yield order[bounds[at] : bounds[at + 1]]


def _band(threshold: float) -> int:
    """Return the widest band that still finds pairs at the threshold: each band agrees with threshold ** width."""
    widths = range(SIZE, 0, -1)
    return next(width for width in widths if (1 - threshold**width) ** (SIZE // width) <= _MISSED or width == 1)
