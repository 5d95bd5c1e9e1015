"""Question to hits: two legs, fused, decayed by age, reranked; every step can be explained.

Page, terminal, evaluation and answering all search through `Retriever.search`: what is scored is what is served.
Filters, and who may read what, apply before anything is counted: each leg ranks the allowed chunks only.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial

import numpy as np

from rag_platform.errors import RerankError
from rag_platform.index.version import OpenVersion
from rag_platform.index.versions import Versions
from rag_platform.ports import Embedder, Reranker
from rag_platform.records import Filters, SearchResult, embedding_text
from rag_platform.retrieval.arrangement import Arrangement, arrange
from rag_platform.retrieval.candidates import NOTHING, Candidates, hits_of, ranked
from rag_platform.retrieval.exclusions import penalties
from rag_platform.retrieval.explanation import explain_all
from rag_platform.retrieval.fusion import fuse, min_max
from rag_platform.retrieval.queries import Query, understand
from rag_platform.retrieval.similarity import Similarity
from rag_platform.retrieval.trace import Leg, Searched, Standing, Trace
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
        max_ages: Mapping[str, float] | None = None,
        *,
        embedder_of: Callable[[Mapping], Embedder] | None = None,
    ) -> None:
        """Search with these parts.

        `half_lives` and `max_ages` are days, by source; `embedder_of` gives the model of a vector space, by default
        `embedder` for each.
        """
        self.versions = versions
        self._embedder = embedder
        self._embedder_of = embedder_of or (lambda _: embedder())
        self._reranker = reranker
        self._settings = settings
        self._half_lives = dict(half_lives or {})
        self._max_ages = dict(max_ages or {})
        self._arranging = settings.model_dump(include={"fold", "merge", "per_document"})
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
        parts = (self._embedder, self._reranker, self._settings, self._half_lives, self._max_ages)
        return Retriever(pinned, *parts, embedder_of=self._embedder_of)

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
        per_document: int | None = None,
    ) -> SearchResult:
        """Return the k best chunks for a question that pass the filters and that the asker may read.

        `now` is the moment from which ages are counted; None: this one. `per_document` is how many hits one document
        may have (0: any number); None: as set.
        """
        index = self.versions.open(version) if version else self.live()
        mode = mode or self._settings.mode
        now = now or datetime.now(UTC)
        took: dict[str, float] = {}
        asked = question.strip()[:_LONGEST_QUESTION]
        with _timed(took, "total"):
            with _timed(took, "understand"):
                query = understand(asked, index, filters, self._settings, partial(self._readable, index, now=now))
            find = partial(self._find, index, query, mode=mode, filters=query.filters, took=took, now=now)
            arranging = self._arranging | ({} if per_document is None else {"per_document": per_document})
            found, arranged = self._distinct(index, find, k, arranging) if asked and k > 0 else (NOTHING, Arrangement())
            hits = hits_of(found, query.text, arranged.kept, index.catalog.text)
        told = query.told()
        warnings = tuple(found.warnings)
        if not explain:
            return SearchResult(question, index.id, mode, took, hits, understood=told, warnings=warnings)
        trace = Searched(index, query.words, mode, k, query.filters, now, found, arranged, arranging)
        return SearchResult(question, index.id, mode, took, hits, explain_all(trace), trace, told, warnings)

    def _distinct(
        self, index: OpenVersion, find: Callable[..., Candidates], k: int, arranging: dict
    ) -> tuple[Candidates, Arrangement]:
        """Return candidates and how the k best of them are shown; look deeper where it takes that.

        Only what passed the filters, and what the asker may read, is ever a candidate, folded or not.
        """
        depth, before = max(self._settings.depth, k), 0
        while True:
            found = find(depth=depth)
            rows = ranked(found, index.catalog.facts(found.keys))
            arranged = arrange(rows, k, **arranging)
            if len(arranged.kept) == k or not arranged.saved or len(rows) <= before:
                return found, arranged
            depth, before = 2 * depth, len(rows)

    def _find(
        self,
        index: OpenVersion,
        query: Query,
        *,
        depth: int,
        mode: Mode,
        filters: Filters,
        took: dict[str, float],
        now: datetime,
    ) -> Candidates:
        with _timed(took, "filter"):
            hidden = self._hidden(index, filters, now)
            allowed = query.narrow(index, self._without(index, filters, hidden))
        found = self._propose(index, query, depth=depth, mode=mode, allowed=allowed, took=took)
        found.trace.hidden = hidden
        with _timed(took, "catalog"):
            found.rows = index.catalog.candidates(found.keys)
        with _timed(took, "fuse"):
            found.order("fused")
            if self._decay(index, found, now):
                found.order("decayed")
        if mode == "rerank" and len(found.keys):
            with _timed(took, "rerank"):
                self._rerank(index, query.text, found)
        if query.unwanted and len(found.keys):
            with _timed(took, "exclude"):
                self._lower(index, query.unwanted, mode, found)
        return found

    def _readable(self, index: OpenVersion, filters: Filters, now: datetime) -> np.ndarray | None:
        """Return the keys that pass the filters and that the asker may read; None means all."""
        return self._without(index, filters, self._hidden(index, filters, now))

    def _without(self, index: OpenVersion, filters: Filters, hidden: dict[str, list[str]]) -> np.ndarray | None:
        return index.catalog.without(index.catalog.allowed(filters), [one for some in hidden.values() for one in some])

    def _hidden(self, index: OpenVersion, filters: Filters, now: datetime) -> dict[str, list[str]]:
        """Name the documents that are not searched whatever is asked, by the reason for it."""
        oldest = {source: now - timedelta(days=days) for source, days in self._max_ages.items()}
        hidden = {"expired": index.catalog.older(oldest)} if oldest else {}
        if self._today:
            hidden["unreadable"] = self._today().catalog.unreadable(filters.principals)
        return hidden

    def _propose(
        self, index: OpenVersion, query: Query, *, depth: int, mode: Mode, allowed: np.ndarray | None, took: dict
    ) -> Candidates:
        lexical = vector = (np.empty(0, np.uint64), np.empty(0, np.float32))
        similarity, trace = None, Trace(allowed)
        if mode != "vector":
            further = partial(index.lexical.search, query.words, allowed=allowed)
            with _timed(took, "lexical"):
                lexical = further(depth)
            trace.legs["lexical"] = Leg(*lexical, depth, further)
        if mode != "lexical":
            with _timed(took, "embed"):
                similarity = Similarity(index, query.text, self._embedder_of, allowed)
            with _timed(took, "vector"):
                vector = similarity.nearest(depth)
            trace.legs["vector"] = Leg(*vector, depth, similarity.nearest, similarity.of)
        keys = np.union1d(lexical[0], vector[0])
        lexical_scores, vector_scores = _aligned(keys, *lexical), _aligned(keys, *vector)
        if similarity is not None:  # a chunk that only the words found has a similarity all the same
            unknown = np.isnan(vector_scores)
            vector_scores[unknown] = similarity.of(keys[unknown])
        fused = fuse(lexical_scores, vector_scores, self._settings.fusion, self._weight(mode))
        unset = np.full(len(keys), np.nan, np.float32)
        scores = (lexical_scores, vector_scores, fused, unset.copy(), unset.copy(), fused.copy())
        return Candidates(keys, *scores, trace=trace)

    def _weight(self, mode: Mode) -> float:
        return {"lexical": 1.0, "vector": 0.0}.get(mode, self._settings.lexical_weight)

    def _decay(self, index: OpenVersion, found: Candidates, now: datetime) -> bool:
        """Weigh down what is old, by its source's half-life, on the normalised score; tell whether anything was."""
        if not self._half_lives:
            return False
        facts = index.catalog.facts(found.keys)
        half_lives = np.array([self._half_lives.get(source, np.nan) for source in facts.source], np.float32)
        age = np.datetime64(now.astimezone(UTC).replace(tzinfo=None), "us") - facts.dated
        days = np.maximum(age / np.timedelta64(1, "D"), 0.0)  # NaN where there is no date
        found.decay = np.exp2(-days / half_lives).astype(np.float32)
        found.score = found.score * np.nan_to_num(found.decay, nan=1.0)
        return bool(np.isfinite(found.decay).any())

    def _rerank(self, index: OpenVersion, question: str, found: Candidates) -> None:
        """Let the reranker reorder the best candidates; the others stay below them."""
        depth = min(self._settings.rerank_depth, len(found.keys))
        rows = [found.row(place) for place in range(depth)]
        passages = [embedding_text(row["header"], row["text"]) for row in rows]
        try:
            scores = self._reranker().score(question, passages, index.word_weight)
        except RerankError as error:
            scores = error.scores
            found.warnings.append(str(error))
        if (dropped := np.isneginf(scores)).any():  # what was not looked at is below what was dropped: it goes too
            found.drop(np.append(dropped, np.ones(len(found.keys) - depth, bool)), "reranked", np.nan)
            scores = scores[~dropped]
            depth = len(scores)
        found.rerank[:depth] = scores
        weight = self._settings.rerank_weight
        decay, first = np.nan_to_num(found.decay[:depth], nan=1.0), min_max(found.score[:depth])
        closer = np.where(np.isnan(scores), first, min_max(scores) * decay)
        found.score[:depth] = 1 + weight * closer + (1 - weight) * first  # above what was not looked at closely
        found.order()
        found.score[:depth] -= 1
        found.trace.stages["reranked"] = Standing(found.keys, found.score.copy())

    def _lower(self, index: OpenVersion, unwanted: str, mode: Mode, found: Candidates) -> None:
        """Lower the candidates that are near to what the question does not want."""
        keys = np.sort(found.keys)
        unset = np.full(len(keys), np.nan, np.float32)
        lexical = _aligned(keys, *index.lexical.search(unwanted, len(keys), keys)) if mode != "vector" else unset
        vector = unset
        if mode != "lexical":
            vector = Similarity(index, unwanted, self._embedder_of, keys).of(keys)
        found.score = found.score - penalties(lexical, vector)[np.searchsorted(keys, found.keys)]
        found.order("excluded")


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
