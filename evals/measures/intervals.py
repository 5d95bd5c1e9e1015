"""How sure is a mean? The percentile bootstrap over questions.

Questions are drawn again, with replacement, as many as there are; the means of such draws show how far chance alone
would move the mean (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13; for measures of
retrieval: Sakai, "Evaluating evaluation metrics based on the bootstrap", SIGIR 2006). The interval of a difference is
over the differences of each question, so what is hard for both versions cancels out. With few questions, and where all
have the same value, the interval is too narrow.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

CONFIDENCE = 0.95
_DRAWS = 2_000
_AT_ONCE = 2_000_000
"""Numbers drawn at once: memory stays small for many questions."""


def mean(values: pl.Series) -> float | None:
    """Return the mean of a column of numbers without its nulls; None without any."""
    known = values.drop_nulls()
    return float(np.mean(known.to_numpy())) if len(known) else None


def interval(values: Sequence[float] | np.ndarray) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean of these values; None for fewer than two."""
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return None
    generator = np.random.default_rng(0)  # the same scores must always have the same interval
    rows = max(1, _AT_ONCE // len(values))
    means = [
        values[generator.integers(len(values), size=(min(rows, _DRAWS - start), len(values)))].mean(axis=1)
        for start in range(0, _DRAWS, rows)
    ]
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(np.concatenate(means), [tail, 1 - tail])
    return float(low), float(high)
