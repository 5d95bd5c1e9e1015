"""Evidence -> how probable it is that the hits hold an answer.

A logistic curve over four features, fitted by `benchmarks/answers.py --fit` to one half (by a hash of the question id)
of four sets, each set and each kind of question counting the same: CLAPnq, whose unanswerable questions come with a
passage on their very subject; XQuAD-en and PubMedQA, of which every second document was taken out; and the questions on
this product's own handbook, worded far from its text. Of the values that did about equally well on these halves,
`THRESHOLD` is the one that declines least: a passage beside the point does less harm than to hide the right one. The
figures of the other halves stand in docs/measurements.md.

A cosine says little in a language that the model was not made for, and another model has other cosines. There the
share of the question's words that a passage holds decides, by limits chosen on XQuAD in German, Spanish, Hindi and
Chinese.
"""

from dataclasses import astuple, dataclass

import numpy as np

from rag_platform.answering.generators.evidence import Evidence
from rag_platform.models.calibration import sigmoid

THRESHOLD = 0.45
"""Answerability from which a question is answered."""


@dataclass(frozen=True, slots=True)
class Features:
    """What an answer's presence is estimated from."""

    words: float
    """How near the question's words are to words of the sentence that has them best, in [-1, 1]."""
    weakest: float
    """How near the least near of the telling words is to a word of the best passage."""
    lead: float
    """By how much the best sentence is nearer to the question than the one in the middle."""
    background: float
    """The question's mean similarity to the corpus: where everything is about one subject, a question need not be
    near to its answer's words, as neither repeats that subject."""


@dataclass(frozen=True, slots=True)
class Coefficients:
    """A logistic curve over the features."""

    constant: float
    features: Features


MEASURED = {"all-MiniLM-L6-v2": Coefficients(-7.87, Features(words=6.53, weakest=5.92, lead=6.52, background=12.77))}
"""By the model's name: what is near for one model is far for another. `benchmarks/answers.py` fits the weights."""
_COVERAGE = 20.0
"""Weight of the coverage, where no model that was measured reads the language."""
_ENOUGH = {False: 0.375, True: 0.26}
"""Coverage that makes an answer as probable as not, by whether the question is written without spaces: its words are
then pieces of words, of which many are not in a text that answers."""


def extract_features(evidence: Evidence, background: float) -> Features:
    """Compute the features of evidence that has candidates."""
    words = evidence.words
    sentences = np.stack([candidate.words for candidate in evidence.candidates])
    meanings = [candidate.meaning for candidate in evidence.candidates]
    best = max(evidence.passages, key=lambda passage: float(words.rarity @ passage))
    return Features(
        words=float((sentences @ words.shares).max()),
        weakest=float(best[words.telling].min()),
        lead=max(meanings) - float(np.median(meanings)),
        background=background,
    )


def answerability(evidence: Evidence, background: float, model: str) -> float:
    """Return the probability that the hits hold an answer, in [0, 1].

    Args:
        evidence: what the hits say.
        background: the question's mean similarity to the corpus; see `View.background`.
        model: the name of the model that read them.
    """
    if not evidence.candidates:
        return 0.0
    measured = MEASURED.get(model) if evidence.understood else None
    if measured is None:
        return _probability(_COVERAGE * (evidence.coverage - _ENOUGH[evidence.unspaced]))
    weighed = zip(astuple(measured.features), astuple(extract_features(evidence, background)), strict=True)
    return _probability(measured.constant + sum(weight * value for weight, value in weighed))


def _probability(log_odds: float) -> float:
    return float(sigmoid(np.array(log_odds)))
