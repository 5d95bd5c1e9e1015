"""How probable it is that a passage is relevant, from what is absolute about it.

A fused score is relative: the best candidate has about 1, however poor all of them are. The share of the question's
words that a passage holds, its cosine, and the score of late interaction mean the same for every question. A logistic
curve over them (Platt, "Probabilistic Outputs for Support Vector Machines", 1999) turns them into a probability.
`benchmarks/relevance.py` fits the coefficients.
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
class Curves:
    """What a model's similarities say, for each way of searching that has them."""

    vector: Curve
    hybrid: Curve
    rerank: Curve


WORDS = Curve(-3.63, words=18.48)
"""For words alone, where there is no model, or one that does not read the passage's language."""


def sigmoid(evidence: np.ndarray) -> np.ndarray:
    """Return the probabilities (float32) that stand for log-odds."""
    probabilities: np.ndarray = 1 / (1 + np.exp(-np.clip(evidence, -50, 50)))
    return probabilities.astype(np.float32)
