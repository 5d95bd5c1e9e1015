"""Three signs -> how probable it is that a source supports a claim.

The signs are the same for every language, corpus and model: what share of the claim's words the source holds, how
many of the things differ that must agree, and what share of them the claim says twice and the source once. A logistic
curve over them was fitted by `benchmarks/claims.py --fit` to claims that people judged (docs/answers.md): sentences of
Wikipedia beside the pages they cite, a model's statements beside what was found on the web, answers of dialogue
systems, and summaries of which some were falsified.

More of the words says nothing once most of them are held: a falsified sentence keeps close to its source, and a true
one says it in its own words. There only what differs decides.
"""

from typing import NamedTuple

import numpy as np

from rag_platform.models.calibration import sigmoid

ENOUGH = 0.75
"""Share of a claim's words from which more of them say nothing."""


class Signs(NamedTuple):
    """What tells whether a source supports a claim."""

    held: float
    """Share that the source holds of the claim's telling words, or of that run of ten of them of which it holds least:
    in a sentence half of which is made up that is the other half. At most 1."""
    differing: float
    """How many of these differ: its numbers, its names, a "not"."""
    repeated: float
    """Share of the claim's telling words that it repeats, and the source does not."""


class SupportCurve(NamedTuple):
    """A logistic curve over the signs."""

    constant: float
    held: float
    differing: float
    repeated: float
    version: str

    def probability(self, signs: Signs) -> float:
        """Return how probable it is that the claim is supported, in [0, 1]."""
        held = self.held * min(ENOUGH, signs.held)
        evidence = self.constant + held + self.differing * signs.differing + self.repeated * signs.repeated
        return float(sigmoid(np.array(evidence)))


MEASURED = SupportCurve(-1.03, held=2.4, differing=-1.14, repeated=-4.21, version="words 3")
ACCEPTED = 0.62
"""Probability from which a claim is supported."""
