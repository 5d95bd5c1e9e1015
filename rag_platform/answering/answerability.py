"""Evidence -> how probable it is that the hits hold an answer.

PLACEHOLDER
"""

import math
from dataclasses import astuple, dataclass

import numpy as np

from rag_platform.answering.evidence import Evidence

THRESHOLD = 0.5
"""Answerability from which a question is answered."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells whether an answer is there."""

    words: float
    """How near the question's words are to words of the sentence that has them best, in [-1, 1]."""
    weakest: float
    """How near the least near of the telling words is to a word of the best passage."""
    lead: float
    """By how much the best sentence is nearer to the question than the one in the middle."""
    background: float
    """The question's mean similarity to the corpus: where everything is about one subject, a question need not be
    near to its answer's words, as neither repeats that subject."""


_CONSTANT, _WEIGHTS = -7.76, Signs(words=6.67, weakest=5.08, lead=5.7, background=30.1)
_WORDS_ONLY = (-5.85, 20.0)
"""Constant and weight of the coverage, in a language that the model does not read."""


def signs(evidence: Evidence, background: float) -> Signs:
    """Draw the signs from evidence that has candidates."""
    words = evidence.words
    sentences = np.stack([candidate.words for candidate in evidence.candidates])
    meanings = [candidate.meaning for candidate in evidence.candidates]
    best = max(evidence.passages, key=lambda passage: float(words.rarity @ passage))
    return Signs(
        words=float((sentences @ words.shares).max()),
        weakest=float(best[words.telling].min()),
        lead=max(meanings) - float(np.median(meanings)),
        background=background,
    )


def answerability(evidence: Evidence, background: float, *, understood: bool) -> float:
    """Return the probability that the hits hold an answer, in [0, 1].

    Args:
        evidence: what the hits say.
        background: the question's mean similarity to the corpus; see `OpenVersion.background`.
        understood: whether the model reads the question's language.
    """
    if not evidence.candidates:
        return 0.0
    if not understood:
        constant, weight = _WORDS_ONLY
        return _probability(constant + weight * evidence.coverage)
    weighed = zip(astuple(_WEIGHTS), astuple(signs(evidence, background)), strict=True)
    return _probability(_CONSTANT + sum(weight * value for weight, value in weighed))


def _probability(evidence: float) -> float:
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, evidence))))
