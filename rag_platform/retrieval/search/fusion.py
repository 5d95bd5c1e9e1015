"""The scores of several retrievers to one, on one scale."""

from typing import Literal

import numpy as np

_STANDS_OUT = 10
"""The best of a retriever is compared with the mean of so many after it."""
_FLAT = 0.1
"""What a retriever counts whose best does not stand out at all; one whose best stands alone counts 1 more."""
_HELD = 1 / 3
"""Share of the question's words from which on the best passage may be as sure as it stands out."""
LONG = 12
"""Words of a question; a passage that holds much of so many is sure, however many more there are."""
_RRF = 60  # the constant of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009


def fuse(
    lexical: np.ndarray,
    vector: np.ndarray,
    fusion: Literal["minmax", "rrf"],
    weight: float | np.ndarray,
    least: float = 0.0,
) -> np.ndarray:
    """Combine the scores to [0, 1]; a retriever that found nothing leaves its weight to the other.

    Args:
        lexical: Scores, NaN where the chunk has no word of the question; float32, shape (n,).
        vector: Likewise, NaN where no model has read both the question and the chunk: its words alone count.
        fusion: How scores are made comparable.
        weight: Of the lexical scores: one for all, or one for each chunk, shape (n,).
        least: The lexical score from which on the best one counts as 1.
    """
    if fusion == "rrf":
        by_words, near = reciprocal_ranks(lexical), reciprocal_ranks(vector)
    else:
        by_words, near = of_best(lexical, least), min_max(vector)
    if not np.isfinite(lexical).any():
        weight = 0.0
    words: np.ndarray = np.where(np.isnan(vector), 1.0, weight).astype(np.float32)
    fused: np.ndarray = words * by_words + (1 - words) * near
    return fused


def surer(weight: float, lexical: np.ndarray, vector: np.ndarray, highest: float = 0.0) -> float:
    """Return the weight of the lexical scores, in [0, 1], as far as each retriever's best stands out.

    A word that one passage alone holds, or a passage that is far nearer than all others, decides; where a retriever
    finds a hundred passages about equally good, it does not matter which of them it happens to place first.

    Args:
        weight: What it is where both stand out alike.
        lexical: Scores, NaN where the chunk has no word of the question; float32, shape (n,).
        vector: Likewise.
        highest: What BM25 can be at most. Words are as little sure as the best passage holds few of them, for then it
            may be ahead by a word beside the point.
    """
    if not np.isfinite(lexical).any():
        return weight
    held = min(1.0, float(np.nanmax(lexical)) / (_HELD * highest)) if highest > 0 else 1.0
    words = weight * (held * _stands_out(np.nan_to_num(lexical)) + _FLAT) ** 2
    near = (1 - weight) * (_stands_out(vector) + _FLAT) ** 2
    return float(words / (words + near))


def _stands_out(scores: np.ndarray) -> float:
    """Return how far the best is above those that follow, in [0, 1] of the range of all."""
    known = -np.sort(-scores[np.isfinite(scores)])
    if len(known) < 2 or known[0] == known[-1]:
        return 0.5
    return float((known[0] - known[1 : _STANDS_OUT + 1].mean()) / (known[0] - known[-1]))


def min_max(scores: np.ndarray) -> np.ndarray:
    """Scale to [0, 1]; what has no score gets 0."""
    known = np.isfinite(scores)
    if not known.any():
        return np.zeros_like(scores)
    low, high = scores[known].min(), scores[known].max()
    return np.where(known, (scores - low) / (high - low) if high > low else 1.0, 0.0).astype(np.float32)


def of_best(scores: np.ndarray, least: float) -> np.ndarray:
    """Return scores of 0 and more as shares of the best one, or of `least`, in [0, 1]; what has no score gets 0."""
    known = np.nan_to_num(scores)
    return np.asarray(known / max(known.max(initial=0.0), least, np.finfo(np.float32).tiny), np.float32)


def reciprocal_ranks(scores: np.ndarray) -> np.ndarray:
    """Return 1 / (60 + rank), scaled so that the first has 1; what has no score gets 0."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")] = np.arange(1, len(scores) + 1)
    return np.where(np.isfinite(scores), (_RRF + 1) / (_RRF + ranks), 0.0).astype(np.float32)
