"""How probable it is that a passage is relevant, from what is absolute about it.

A fused score is relative: the best candidate has about 1, however poor all of them are. The share of the question's
words that a passage holds, its similarity, and the score of late interaction mean the same for every question. A
logistic curve over them (Platt, "Probabilistic Outputs for Support Vector Machines", 1999) turns them into a
probability. `benchmarks/relevance.py` fits the coefficients.

Cosines of some models mean the same for every question. Those of others, such as E5's, all lie close together, at a
height that depends on the language; there a cosine counts by its distance from those of the question and passages
taken at random: as a z-score.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Curve:
    """A logistic curve; what it does not use may be unknown (NaN)."""

    constant: float
    words: float = 0.0
    """Weight of a passage's share of the question's words: its BM25 against the most that BM25 can be, in [0, 1]."""
    similarity: float = 0.0
    """Weight of the cosine."""
    rerank: float = 0.0
    """Weight of the score of late interaction."""

    def of(
        self, words: np.ndarray, similarity: np.ndarray | None = None, rerank: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the probability that each passage is relevant; NaN where something that is needed is not known."""
        evidence = np.full(len(words), self.constant)
        for weight, values in ((self.words, words), (self.similarity, similarity), (self.rerank, rerank)):
            if weight:
                evidence = evidence + weight * (np.nan if values is None else values)
        return sigmoid(evidence)


@dataclass(frozen=True, slots=True)
class RandomCosines:
    """Cosines of a question and passages taken at random."""

    mean: float
    spread: float
    """Standard deviation, within one question."""

    def observed(self, cosines: np.ndarray) -> "RandomCosines":
        """Return them as they are for a question and a sample of passages; of few, they stay near to the usual."""
        count, weight = len(cosines), len(cosines) / (len(cosines) + _DOUBT)
        if not count:
            return self
        mean = weight * float(cosines.mean()) + (1 - weight) * self.mean
        variance = weight * float(cosines.var()) + (1 - weight) * self.spread**2
        return RandomCosines(mean, variance**0.5)


_RIDGE = 1e-4
_STEPS = 50
"""Of Newton's method, which needs about ten."""
_DOUBT = 10
"""Passages for which the usual mean and spread count."""


@dataclass(frozen=True, slots=True)
class Curves:
    """What a model's similarities say, for each way of searching that has them."""

    vector: Curve
    hybrid: Curve
    rerank: Curve
    random: RandomCosines | None = None
    """The usual ones, of a model whose similarities count as z-scores; None: they count as they are."""

    @classmethod
    def of_similarity(cls, vector: Curve) -> "Curves":
        """Return curves of which only that over similarity is known: what words say beside it depends on no model.

        Late interaction has no say in them.
        """
        words = Curve(
            round(vector.constant + _BESIDE.constant, 2),
            words=_BESIDE.words,
            similarity=round(vector.similarity * _BESIDE.similarity, 2),
        )
        return cls(vector, words, words)


_BESIDE = Curve(-0.19, words=5.87, similarity=0.875)
"""How the curve over words and similarity differs from that over similarity alone, where both were measured: what is
added to its constant, the weight of words, and the share of its weight that similarity keeps."""

WORDS = Curve(-3.63, words=18.48)
"""For words alone, where there is no model, or one that does not read the passage's language."""


def sigmoid(evidence: np.ndarray) -> np.ndarray:
    """Return the probabilities (float32) that stand for log-odds."""
    probabilities: np.ndarray = 1 / (1 + np.exp(-np.clip(evidence, -50, 50)))
    return probabilities.astype(np.float32)


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
