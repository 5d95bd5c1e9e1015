"""The two retrievers of one search, by words and by meaning, and what either says of what the other found."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import lru_cache, partial
from typing import Any

import numpy as np

from rag_platform.config.settings import Mode
from rag_platform.core.errors import ModelError
from rag_platform.core.ports import Embedder
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.retrieval.candidates import Candidates
from rag_platform.retrieval.query.parsing import Query
from rag_platform.retrieval.search.question_language import may_share_language
from rag_platform.retrieval.search.similarity import Similarity
from rag_platform.retrieval.search.stage_times import timed
from rag_platform.retrieval.trace import RetrieverTrace, ScoredKeys, Trace

_HELD = 1e-3
"""What a chunk has instead of BM25 that holds what is asked for within its words alone: less than any word gives."""
_AT_ONCE = 64
"""Searches whose words are looked up beside their embedding."""
_NOTHING: ScoredKeys = (np.empty(0, np.uint64), np.empty(0, np.float32))


@lru_cache(1)
def _beside(process: int) -> ThreadPoolExecutor:  # noqa: ARG001  threads do not come along into another process
    """Return the threads in which words are looked up: to start one takes longer than to look up a rare word."""
    return ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="search by words")


class Retrievers:
    """Those that a mode asks, each of the chunks from which may be retrieved."""

    def __init__(
        self,
        index: OpenVersion,
        query: Query,
        allowed: np.ndarray | None,
        mode: Mode,
        embedder_of: Callable[[Mapping[str, Any]], Embedder],
        took: dict[str, float],
    ) -> None:
        """Ask nothing yet; `allowed` are the keys (ascending) to retrieve from, `took` gets milliseconds."""
        self._index = index
        self._statistics = index.view(query.filters.principals).statistics
        self._query = query
        self._allowed = allowed
        self._mode = mode
        self._embedder_of = embedder_of
        self._took = took
        self.similarity: Similarity | None = None
        """Of the question; None: only its words were looked up."""

    def retrieve(self, depth: int) -> Candidates:
        """Return the best `depth` chunks of each retriever, each with the scores of both."""
        lexical, vector, trace = _NOTHING, _NOTHING, Trace(self._allowed)
        warnings: list[str] = []
        asked = partial(self.by_words, self._query.words, allowed=self._allowed)
        search = timed(self._took, "lexical")(asked)
        # the question is embedded while its words are looked up
        words = (
            _beside(os.getpid()).submit(copy_context().run, search, depth)
            if self._mode not in ("vector", "lexical")
            else None
        )
        if self._mode != "lexical":
            self.similarity = self._embedded(warnings)
        if self._mode != "vector":
            lexical = words.result() if words else search(depth)
            trace.retrievers["lexical"] = RetrieverTrace(*lexical, depth, asked)
        if self.similarity is not None:
            with timed(self._took, "vector"):
                vector = self.similarity.nearest(depth)
            both = (self.similarity.nearest, self.similarity.of)
            trace.retrievers["vector"] = RetrieverTrace(*vector, depth, *both)
        keys = np.union1d(lexical[0], vector[0])
        with timed(self._took, "fill"):
            scores = self._lexical_scores(keys, *lexical), self._vector_scores(keys, *vector)
        found = Candidates.retrieved(keys, *scores, trace)
        if self.similarity is not None:
            found.evidence = self.similarity.evidence(keys, scores[1])
        found.foreign = ~may_share_language(self._query.text, self._index.catalog.facts(keys).language)
        found.warnings += warnings
        return found

    def by_words(self, words: str, depth: int, allowed: np.ndarray | None) -> ScoredKeys:
        """Return the best `depth` chunks that hold any of the words, with BM25, of those allowed (None: all)."""
        found = self._index.lexical.search(words, depth, self._statistics, allowed)
        if allowed is None or not self._query.literals or words != self._query.words:
            return found
        others = np.setdiff1d(allowed, found[0])[: depth - len(found[0])]  # they hold it within other words
        return np.append(found[0], others), np.append(found[1], np.full(len(others), _HELD, np.float32))

    def _embedded(self, warnings: list[str]) -> Similarity | None:
        """Embed the question; None, with a warning, where no model here gives such vectors: words have to do."""
        try:
            with timed(self._took, "embed", {"gen_ai.operation.name": "embeddings"}):
                return Similarity(self._index, self._query.text, self._embedder_of, self._allowed)
        except ModelError as error:
            warnings.append(f"nothing was found by meaning: {error}")
            return None

    def _lexical_scores(self, keys: np.ndarray, found: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """Return BM25 of each candidate; one that vector search found may have words of the question as well."""
        scored = aligned(keys, found, scores)
        unknown = keys[np.isnan(scored)]
        if len(found) and len(unknown):
            places, known = self.by_words(self._query.words, len(unknown), unknown)
            scored[np.searchsorted(keys, places)] = known
        return scored

    def _vector_scores(self, keys: np.ndarray, found: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """Return the similarity of each candidate, also of one that only lexical search found."""
        scored = aligned(keys, found, scores)
        unknown = np.isnan(scored)
        if self.similarity is not None:
            scored[unknown] = self.similarity.of(keys[unknown])
        return scored


def aligned(keys: np.ndarray, found: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return the scores in the order of `keys` (ascending); NaN for keys that have none."""
    scored = np.full(len(keys), np.nan, np.float32)
    scored[np.searchsorted(keys, found)] = scores
    return scored
