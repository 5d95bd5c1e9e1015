"""Which chunks are in the language of a question, and which a model reads together with it."""

from collections.abc import Sequence

import numpy as np

from rag_platform.text.language import UNDETERMINED, may_be

FOREIGN = 0.3
"""What words count in passages of another language than the question's, of what they count in those of its own: names
and numbers are the same there, all else is not."""
SHARED = 0.5
"""Share of the most that BM25 can be from which the best passage counts whole, if all candidates were of another
language: where the one that answers may share no word with the question, one that shares a few tells less."""
FOREIGN_RERANKED = 15
"""What late interaction counts there, of what it counts elsewhere: it decides alone, for what the stage before knows,
how near two texts are as wholes, says nothing that it does not see itself, and less surely between languages."""
FOREIGN_MARGIN = 1.5
"""How far behind the best of the first stage such passages are reranked, of the usual margin: it is less sure there."""
_NEAR = 0.7
"""Score that late interaction gives to a passage that answers a question of its own language; between two languages it
depends on which they are."""


def unknown(word: str) -> float:  # noqa: ARG001
    """Return what a word of the question weighs in passages of another language: their corpus does not tell."""
    return 0.0


def may_share_language(question: str, languages: Sequence[str | None]) -> np.ndarray:
    """Return which of the languages a question may be in: bool, shape (len(languages),); in doubt it may."""
    shared = {one: one in (None, UNDETERMINED) or may_be(question, (one,)) for one in set(languages)}
    return np.array([shared[one] for one in languages], bool)


def read_with(question: str, languages: Sequence[str | None], model: Sequence[str]) -> np.ndarray:
    """Return which chunks, given by their languages, a model reads as well as the question: bool, (len(languages),).

    Args:
        question: what is asked.
        languages: of the chunks.
        model: the languages that it reads; empty: not stated, or all.
    """
    if not model:
        return np.ones(len(languages), bool)
    if not may_be(question, model):
        return np.zeros(len(languages), bool)
    return np.array([one in (None, UNDETERMINED) or one in model for one in languages], bool)


def levelled(scores: np.ndarray, before: np.ndarray, foreign: np.ndarray) -> np.ndarray:
    """Move the scores of foreign chunks, so that the best of them has what it would have in the question's language.

    Args:
        scores: of late interaction; NaN: no judgement.
        before: of the stage before, which says how near the best of them is.
        foreign: bool.
    """
    judged = foreign & np.isfinite(scores)
    if not judged.any():
        return scores
    lacking = _NEAR * before[judged].max() - scores[judged].max()
    return np.where(foreign, scores + lacking, scores)
