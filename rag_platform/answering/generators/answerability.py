"""Evidence -> how probable it is that the hits hold an answer.

One logistic curve for every model and corpus. Its features depend neither on the size of the corpus nor on the scale of
a model's cosines: nearness counts from how near any two tokens of that model are, and what a hit's score means is said
by the curves of its own space. `benchmarks/answers.py --fit` fits it to one half (by a hash of the question id) of many
collections, each and each kind of question counting the same; docs/measurements.md tells how it does on collections
that gave it nothing.
"""

from dataclasses import astuple, dataclass

import numpy as np

from rag_platform.answering.generators.evidence import Evidence
from rag_platform.models.calibration import sigmoid

THRESHOLD = 0.35
"""Answerability from which a question is answered: a passage beside the point does less harm than to hide the right
one."""


@dataclass(frozen=True, slots=True)
class Features:
    """What an answer's presence is estimated from."""

    words: float
    """How near the question's words are to words of the sentence that has them best; see `Candidate.words`."""
    relevance: float
    """The log-odds that the most relevant hit is relevant, within `_SUREST`; 0 where it is not known."""
    lacking: float
    """Names and numbers of the question that the passage with most of them lacks, at most `_MOST`."""
    coverage: float
    """The largest share of the question's words that a passage has, weighted by their rarity."""


@dataclass(frozen=True, slots=True)
class Coefficients:
    """A logistic curve over the features."""

    constant: float
    features: Features


COEFFICIENTS = Coefficients(-4.35, Features(words=5.34, relevance=0.155, lacking=-0.17, coverage=2.46))
"""Fitted by `benchmarks/answers.py --fit`."""
_SUREST = 6.0
_MOST = 5
_COVERAGE = 20.0
"""Weight of the coverage, where no model reads the language."""
_ENOUGH = {False: 0.375, True: 0.26}
"""Coverage that makes an answer as probable as not, by whether the question is written without spaces: its words are
then pieces of words, of which many are not in a text that answers."""


def extract_features(evidence: Evidence) -> Features:
    """Compute the features of evidence that has candidates."""
    likely = evidence.relevance
    odds = 0.0 if likely is None else float(np.log(max(likely, 1e-9) / max(1 - likely, 1e-9)))
    words = max(candidate.words for candidate in evidence.candidates)
    lacking = min(passage.lacking for passage in evidence.passages)
    return Features(words, max(-_SUREST, min(_SUREST, odds)), float(min(_MOST, lacking)), _coverage(evidence))


def answerability(evidence: Evidence) -> float:
    """Return the probability that the hits hold an answer, in [0, 1]."""
    if not evidence.candidates:
        return 0.0
    if not evidence.understood:
        return _probability(_COVERAGE * (_coverage(evidence) - _ENOUGH[evidence.unspaced]))
    weighed = zip(astuple(COEFFICIENTS.features), astuple(extract_features(evidence)), strict=True)
    return _probability(COEFFICIENTS.constant + sum(weight * value for weight, value in weighed))


def _coverage(evidence: Evidence) -> float:
    return max(passage.coverage for passage in evidence.passages)


def _probability(log_odds: float) -> float:
    return float(sigmoid(np.array(log_odds)))
