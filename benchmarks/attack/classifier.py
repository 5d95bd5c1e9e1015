"""A classifier that is told what an asker sees."""

import numpy as np

_RIDGE = 1.0
_STEPS = 30


def accuracy(known: np.ndarray, labels: np.ndarray, asked: np.ndarray, truth: np.ndarray) -> tuple[int, int]:
    """Return how many of the `asked` rows a logistic regression over ranks and their squares gets right, of how many.

    Args:
        known: features of the rows that it learns from, shape (n, features).
        labels: bool, shape (n,).
        asked: features of the rows that it is tested on.
        truth: their labels.
    """
    if not len(known) or not len(asked) or labels.all() or not labels.any():
        return 0, len(asked)
    learnt, tested = _ranked(known, known), _ranked(known, asked)
    weights = _fitted(learnt, labels.astype(float))
    said = tested @ weights > 0
    return int((said == truth).sum()), len(truth)


def _ranked(known: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return each feature as its rank among the known, which outliers do not move, with its square and a constant."""
    columns = [
        np.searchsorted(np.sort(known[:, column]), rows[:, column], side) / len(known) - 0.5
        for column in range(known.shape[1])
        for side in ("left", "right")
    ]
    ranks = np.stack(columns, axis=1)
    return np.concatenate([ranks, ranks**2, np.ones((len(rows), 1))], axis=1)


def _fitted(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Fit by Newton's method (iteratively reweighted least squares)."""
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (labels - chance) - _RIDGE * weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + _RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights
