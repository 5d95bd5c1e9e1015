"""Question to hits: two legs, fused, decayed by age, reranked; every step can be explained.

Page, terminal, evaluation and answering all search through `Retriever.search`: what is scored is what is served.
Filters, and who may read what, apply before anything is counted: each leg ranks the allowed chunks only.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial

import numpy as np

from rag_platform.index.version import OpenVersion
from rag_platform.index.versions import Versions
from rag_platform.ports import Embedder, Reranker
from rag_platform.records import Filters, SearchResult, embedding_text
from rag_platform.retrieval.candidates import Candidates, hits_of
from rag_platform.retrieval.explanation import explain_all
from rag_platform.retrieval.folding import fold
from rag_platform.retrieval.fusion import fuse, min_max
from rag_platform.settings import Mode, RetrievalSettings

_LONGEST_QUESTION = 2_000
"""Characters of a question that are searched for; the model reads fewer."""


class Retriever:
    """Searches the live version, or any other. Safe to use from many threads."""

    def __init__(
        self,
        versions: "Versions | _Pinned",
        embedder: Callable[[], Embedder],
        reranker: Callable[[], Reranker],
        settings: RetrievalSettings,
        half_lives: Mapping[str, float] | None = None,
    ) -> None:
        self.versions = versions
        self._embedder = embedder
        self._reranker = reranker
        self._settings = settings
        self._half_lives = dict(half_lives or {})
        self._today: Callable[[], OpenVersion] | None = None

    def live(self) -> OpenVersion:
        """Open the live version; `NothingPublished` when there is none."""
        return self.versions.live()

    def version(self, version: str) -> OpenVersion:
        """Open a version, such as the one that a result came from."""
        return self.versions.open(version)

    def pinned(self, version: str) -> "Retriever":
        """Return a retriever whose live version is, always, that one."""
        pinned = _Pinned(self.versions, version)
        return Retriever(pinned, self._embedder, self._reranker, self._settings, self._half_lives)

    def as_of(self, version: str) -> "Retriever":
        """Return a retriever of what that version held, for somebody of today.

        Unlike a pinned one, it shows no document that its asker may not read in the version that is live now: what was
        public once may not be so any more.
        """
        past = self.pinned(version)
        past._today = self.live
        return past

    def search(
        self,
        question: str,
        *,
        k: int = 10,
        mode: Mode | None = None,
        filters: Filters = Filters(),  # noqa: B008  frozen
        explain: bool = False,
        version: str | None = None,
        now: datetime | None = None,
    ) -> SearchResult:
        """Return the k best chunks for a question that pass the filters and that the asker may read.

        `now` is the moment from which ages are counted; None: this one.
        """
        index = self.versions.open(version) if version else self.live()
        mode = mode or self._settings.mode
        took: dict[str, float] = {}
        asked = question.strip()[:_LONGEST_QUESTION]
        with _timed(took, "total"):
            find = partial(self._find, index, asked, mode=mode, filters=filters, took=took)
            find = partial(find, now=now or datetime.now(UTC))
            found, kept = self._distinct(index, find, k) if asked and k > 0 else (None, {})
            hits = hits_of(found, asked, kept) if found else ()
        explanation = explain_all(found, kept) if explain and found else (() if explain else None)
        return SearchResult(question, index.id, mode, took, hits, explanation)

    def _distinct(
        self, index: OpenVersion, find: Callable[..., Candidates], k: int
    ) -> tuple[Candidates, dict[int, list[int]]]:
        """Return candidates and the places of the k best with those folded into each; look deeper where it takes that.

        Only what passed the filters, and what the asker may read, is ever a candidate, folded or not.
        """
        depth, before = max(self._settings.depth, k), 0
        while True:
            found = find(depth=depth)
            facts = index.catalog.facts(found.keys)
            near = facts.near.tolist() if self._settings.fold else [-1] * len(found)
            kept = fold(found, near, facts.document.tolist(), k)
            if len(kept) == k or not any(kept.values()) or len(found) <= before:
                return found, kept
            depth, before = 2 * depth, len(found)

    def _find(
        self,
        index: OpenVersion,
        question: str,
        *,
        depth: int,
        mode: Mode,
        filters: Filters,
        took: dict[str, float],
        now: datetime,
    ) -> Candidates:
        with _timed(took, "filter"):
            allowed = index.catalog.allowed(filters)
            if self._today:
                allowed = index.catalog.without(allowed, self._today().catalog.unreadable(filters.principals))
        found = self._propose(index, question, depth=depth, mode=mode, allowed=allowed, took=took)
        with _timed(took, "catalog"):
            found.rows = index.catalog.candidates(found.keys)
        with _timed(took, "fuse"):
            self._decay(index, found, now)
            found.order()
        if mode == "rerank" and len(found):
            with _timed(took, "rerank"):
                self._rerank(index, question, found)
        return found

    def _propose(
        self, index: OpenVersion, question: str, *, depth: int, mode: Mode, allowed: np.ndarray | None, took: dict
    ) -> Candidates:
        lexical = vector = (np.empty(0, np.uint64), np.empty(0, np.float32))
        embedded = None
        if mode != "vector":
            with _timed(took, "lexical"):
                lexical = index.lexical.search(question, depth, allowed)
        if mode != "lexical":
            with _timed(took, "embed"):
                embedded = self._embedder().embed_query(question)
            with _timed(took, "vector"):
                vector = index.vectors.search(embedded, depth, allowed)
        keys = np.union1d(lexical[0], vector[0])
        lexical_scores, vector_scores = _aligned(keys, *lexical), _aligned(keys, *vector)
        if embedded is not None:  # a chunk that only the words found has a similarity all the same
            unknown = np.isnan(vector_scores)
            vector_scores[unknown] = index.vectors.similarities(embedded, keys[unknown])
        fused = fuse(lexical_scores, vector_scores, self._settings.fusion, self._weight(mode))
        unset = np.full(len(keys), np.nan, np.float32)
        return Candidates(keys, lexical_scores, vector_scores, fused, unset.copy(), unset.copy(), fused.copy())

    def _weight(self, mode: Mode) -> float:
        return {"lexical": 1.0, "vector": 0.0}.get(mode, self._settings.lexical_weight)

    def _decay(self, index: OpenVersion, found: Candidates, now: datetime) -> None:
        """Weigh down what is old, by its source's half-life, on the normalised score."""
        if not self._half_lives:
            return
        facts = index.catalog.facts(found.keys)
        half_lives = np.array([self._half_lives.get(source, np.nan) for source in facts.source], np.float32)
        age = np.datetime64(now.astimezone(UTC).replace(tzinfo=None), "us") - facts.dated
        days = np.maximum(age / np.timedelta64(1, "D"), 0.0)  # NaN where there is no date
        found.decay = np.exp2(-days / half_lives).astype(np.float32)
        found.score = found.score * np.nan_to_num(found.decay, nan=1.0)

    def _rerank(self, index: OpenVersion, question: str, found: Candidates) -> None:
        """Let the reranker reorder the best candidates; the others stay below them."""
        depth = min(self._settings.rerank_depth, len(found))
        rows = [found[place] for place in range(depth)]
        passages = [embedding_text(row["header"], row["text"]) for row in rows]
        scores = self._reranker().score(question, passages, index.word_weight)
        found.rerank[:depth] = scores
        weight = self._settings.rerank_weight
        decay = np.nan_to_num(found.decay[:depth], nan=1.0)
        closer = weight * min_max(scores) * decay + (1 - weight) * min_max(found.score[:depth])
        found.score[:depth] = 1 + closer  # above everything that was not looked at closely
        found.order()
        found.score[:depth] -= 1


class _Pinned:
    """Versions of which one is live for good."""

    def __init__(self, versions: Versions, version: str) -> None:
        self._versions = versions
        self._version = version

    def live(self) -> OpenVersion:
        return self._versions.open(self._version)

    def open(self, version: str) -> OpenVersion:
        return self._versions.open(version)


@contextmanager
def _timed(took: dict[str, float], stage: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    took[stage] = round((time.perf_counter() - start) * 1000, 3)


def _aligned(keys: np.ndarray, found: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Put the scores where their keys stand in `keys` (ascending); NaN elsewhere."""
    aligned = np.full(len(keys), np.nan, np.float32)
    aligned[np.searchsorted(keys, found)] = scores
    return aligned
