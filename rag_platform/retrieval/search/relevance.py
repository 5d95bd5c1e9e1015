"""How probable it is that candidates are relevant, and whether any is."""

from collections.abc import Sequence

import numpy as np

from rag_platform.core.hits import Filters
from rag_platform.core.ports import Reranker
from rag_platform.index.question_words import highest
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.models.calibration import WORDS
from rag_platform.models.cards import languages_of
from rag_platform.retrieval.candidates import Candidates
from rag_platform.retrieval.query.parsing import Query
from rag_platform.retrieval.search.question_language import read_with
from rag_platform.retrieval.search.similarity import Similarity

STAGE = "irrelevant"
"""Under this name, candidates that are not relevant enough are dropped."""


def relevance(
    found: Candidates,
    index: OpenVersion,
    query: Query,
    similarity: Similarity | None,
    readers: Sequence[tuple[Reranker, np.ndarray]],
) -> np.ndarray:
    """Return the probability that each candidate is relevant: float32; NaN where it is not known.

    The reranker says what its scores mean. Where it does not, or gave no score, words and similarity count by the
    curves of the model; and words alone, where no model has read both. A similarity means nothing when question or
    passage are in a language that the model does not read, nor do words of different languages.

    Args:
        found: the candidates, with their scores.
        index: what was searched.
        query: what was searched for.
        similarity: of the question; None: only its words were looked up.
        readers: the rerankers that ran, each with which candidates it read (bool).
    """
    held, languages = shares(found, index, query.words, query.filters), index.catalog.facts(found.keys).language
    estimated = np.where(found.foreign, np.nan, WORDS.of(held)).astype(np.float32)
    if similarity is None:
        return estimated
    near, held = found.evidence.copy(), np.where(found.foreign, np.nan, held).astype(np.float32)
    estimated[np.isfinite(near)] = np.nan
    for one, own in similarity.each(found.keys):
        near[own & ~read_with(query.text, languages, languages_of(one.space.model))] = np.nan
    for reranker, own in readers:
        estimated[own] = reranker.relevance(found.rerank[own], held[own], near[own])
    for one, own in similarity.each(found.keys):
        for curve in (one.curves.hybrid, one.curves.vector) if one.curves else ():
            estimated[own] = np.where(np.isnan(estimated[own]), curve.of(held[own], near[own]), estimated[own])
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


def shares(found: Candidates, index: OpenVersion, words: str, filters: Filters) -> np.ndarray:
    """Return which share of what was searched for each candidate holds, in [0, 1]; NaN: there was no lexical search."""
    if "lexical" not in found.trace.retrievers:
        return np.full(len(found.keys), np.nan, np.float32)
    most = highest(words, index.view(filters.principals).statistics)
    held = np.nan_to_num(found.lexical, nan=0.0) / most if most > 0 else np.zeros(len(found.keys))
    return np.minimum(held, 1.0).astype(np.float32)
