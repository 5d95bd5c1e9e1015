"""Fitting a logistic curve (Platt, "Probabilistic Outputs for Support Vector Machines", 1999)."""

import numpy as np

_RIDGE = 1e-4
_STEPS = 50


def fit_logistic(inputs: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Fit by Newton's method, with a slight ridge so that what can be told apart wholly stays finite.

    Args:
        inputs: Features, shape (n, features).
        labels: 1 or 0, shape (n,).
        weights: What each row counts, shape (n,).

    Returns:
        The constant, then the weight of each feature; rounded to two digits.
    """
    rows = np.column_stack([np.ones(len(inputs)), inputs.astype(float)])
    weights = weights * (len(labels) / weights.sum())
    ridge = np.diag([1e-9] + [_RIDGE * len(labels)] * inputs.shape[1])
    found = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-rows @ found))
        curvature = rows.T @ ((weights * likely * (1 - likely))[:, None] * rows) + ridge
        found += np.linalg.solve(curvature, rows.T @ (weights * (labels - likely)) - ridge @ found)
    rounded: np.ndarray = np.round(found, 2)
    return rounded
