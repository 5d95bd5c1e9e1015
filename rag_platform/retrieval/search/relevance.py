"""How probable it is that candidates are relevant, and whether any is."""

import numpy as np

from rag_platform.core.ports import Reranker
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.models.calibration import WORDS
from rag_platform.models.cards import CARDS
from rag_platform.retrieval.candidates import Candidates
from rag_platform.retrieval.query.parsing import Query
from rag_platform.text.language import UNDETERMINED, may_be

STAGE = "irrelevant"
"""Under this name, candidates that are not relevant enough are dropped."""


def relevance(found: Candidates, index: OpenVersion, query: Query, reranker: Reranker | None) -> np.ndarray:
    """Return the probability that each candidate is relevant: float32; NaN where it is not known.

    The reranker says what its scores mean. Where it does not, or gave no score, words and cosine count by the curves of
    the model; and words alone, after a lexical search. A cosine means nothing when question or passage are in a
    language that the model does not read.

    Args:
        found: the candidates, with their scores.
        index: what was searched.
        query: what was searched for.
        reranker: the reranker that ran; None: none did.
    """
    held = shares(found, index, query)
    if np.isnan(found.vector).all():
        return WORDS.of(held)
    model = CARDS.get(index.spaces[0].model["name"])  # the scale of all cosines is that of the first space
    similarity = np.where(_read(index, found.keys, query.text, model.languages if model else ()), found.vector, np.nan)
    estimated = np.full(len(found.keys), np.nan, np.float32)
    if reranker:
        estimated = reranker.relevance(found.rerank, held, similarity)
    curves = model and model.relevance
    for curve in (curves.hybrid, curves.vector) if curves else ():
        estimated = np.where(np.isnan(estimated), curve.of(held, similarity), estimated)
    return estimated


def nothing_relevant(found: Candidates, least: float) -> bool:
    """Return whether there are candidates and none is relevant enough, as far as that is known of the best ones.

    Reranked ones are known best; only without any does the first stage's estimate count.
    """
    if not len(found.keys):
        return bool(found.trace.dropped)  # by a reranker that drops
    if np.isnan(found.relevance[0]):
        return False
    reranked = np.isfinite(found.rerank)
    known = found.relevance[reranked] if reranked.any() else found.relevance
    return bool(max(float(found.relevance[0]), *known[np.isfinite(known)].tolist(), 0.0) < least)


def shares(found: Candidates, index: OpenVersion, query: Query) -> np.ndarray:
    """Return which share of the question's words each candidate holds, in [0, 1]; NaN: there was no lexical search."""
    if "lexical" not in found.trace.retrievers:
        return np.full(len(found.keys), np.nan, np.float32)
    highest = index.lexical.highest(query.words, index.view(query.filters.principals).statistics)
    held = np.nan_to_num(found.lexical, nan=0.0) / highest if highest > 0 else np.zeros(len(found.keys))
    return np.minimum(held, 1.0).astype(np.float32)


def _read(index: OpenVersion, keys: np.ndarray, question: str, languages: tuple[str, ...]) -> np.ndarray:
    """Return which chunks are, like the question, in a language that a model reads; `languages` empty: not stated."""
    if not languages:
        return np.ones(len(keys), bool)
    if not may_be(question, languages):
        return np.zeros(len(keys), bool)
    return np.array([one in (*languages, UNDETERMINED) for one in index.catalog.facts(keys).language], bool)
