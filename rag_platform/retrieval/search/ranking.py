"""One question's candidates on their way: proposed by two legs, fused, decayed, reranked, fed back, excluded."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial

import numpy as np

from rag_platform.config.settings import Mode, RetrievalSettings
from rag_platform.core.errors import ModelError, RerankError
from rag_platform.core.ids import embedding_text
from rag_platform.core.ports import Embedder, Reranker
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.retrieval.arrangement import originals
from rag_platform.retrieval.candidates import Candidates
from rag_platform.retrieval.query.exclusions import penalties
from rag_platform.retrieval.query.parsing import Query
from rag_platform.retrieval.search import feedback, relevance
from rag_platform.retrieval.search.fusion import fuse, min_max
from rag_platform.retrieval.search.similarity import Similarity
from rag_platform.retrieval.trace import RetrieverTrace, ScoredKeys, Trace

_NOTHING: ScoredKeys = (np.empty(0, np.uint64), np.empty(0, np.float32))


class Ranking:
    """The stages of one search, each applied to the candidates as the one before left them."""

    def __init__(
        self,
        index: OpenVersion,
        query: Query,
        allowed: np.ndarray | None,
        settings: RetrievalSettings,
        mode: Mode,
        embedder_of: Callable[[Mapping], Embedder],
        took: dict[str, float],
    ) -> None:
        """Begin with nothing; `allowed` are the keys (ascending) that may be proposed, `took` collects milliseconds."""
        self._index = index
        self._query = query
        self._allowed = allowed
        self._settings = settings
        self._mode = mode
        self._embedder_of = embedder_of
        self._took = took
        self._similarity: Similarity | None = None
        self._weight = 0.0  # of the closer look, once there was one
        self.found = Candidates.none()

    def propose(self, depth: int) -> None:
        """Let each leg name its best `depth` chunks, and give each candidate the scores of both legs."""
        lexical, vector, trace, warnings = _NOTHING, _NOTHING, Trace(self._allowed), []
        further = partial(self._index.lexical.search, self._query.words, allowed=self._allowed)
        with ThreadPoolExecutor(1) as beside:  # the question is embedded while its words are looked up
            words = beside.submit(timed(self._took, "lexical")(further), depth) if self._mode != "vector" else None
            if self._mode != "lexical":
                self._similarity = self._embedded(warnings)
        if words:
            lexical = words.result()
            trace.legs["lexical"] = RetrieverTrace(*lexical, depth, further)
        if self._similarity is not None:
            with timed(self._took, "vector"):
                vector = self._similarity.nearest(depth)
            trace.legs["vector"] = RetrieverTrace(*vector, depth, self._similarity.nearest, self._similarity.of)
        keys = np.union1d(lexical[0], vector[0])
        with timed(self._took, "fill"):
            by_words, by_meaning = self._words_of(keys, *lexical), self._meaning_of(keys, *vector)
        self.found = Candidates.proposed(keys, by_words, by_meaning, trace)
        self.found.warnings += warnings

    def _embedded(self, warnings: list[str]) -> Similarity | None:
        """Embed the question; None, with a warning, where no model here gives such vectors: words have to do."""
        try:
            with timed(self._took, "embed"):
                return Similarity(self._index, self._query.text, self._embedder_of, self._allowed)
        except ModelError as error:
            warnings.append(f"nothing was found by meaning: {error}")
            return None

    def _words_of(self, keys: np.ndarray, found: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """Return BM25 of each candidate; one that the other leg found may hold words as well."""
        aligned = _aligned(keys, found, scores)
        unknown = keys[np.isnan(aligned)]
        if len(found) and len(unknown):
            places, known = self._index.lexical.search(self._query.words, len(unknown), unknown)
            aligned[np.searchsorted(keys, places)] = known
        return aligned

    def _meaning_of(self, keys: np.ndarray, found: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """Return the similarity of each candidate, also of one that only its words found."""
        aligned = _aligned(keys, found, scores)
        unknown = np.isnan(aligned)
        if self._similarity is not None:
            aligned[unknown] = self._similarity.of(keys[unknown])
        return aligned

    def fuse(self) -> None:
        """Make one score of the two legs."""
        self._first(self.found.vector)
        self.found.order("fused")

    def _first(self, similarities: np.ndarray) -> None:
        """Score the first stage, in [0, 1]."""
        found, weight = self.found, {"lexical": 1.0, "vector": 0.0}.get(self._mode, self._settings.lexical_weight)
        found.fused = fuse(found.lexical, similarities, self._settings.fusion, weight)
        self._total()

    def _total(self) -> None:
        """Add up: the first stage, and what a closer look says of those that had one; both as far as age leaves it."""
        found, weight = self.found, self._weight
        closer = np.nan_to_num(found.closer, nan=0.0)
        found.score = (found.fused + weight * closer) * np.nan_to_num(found.decay, nan=1.0) / (1 + weight)

    def decay(self, half_lives: Mapping[str, float], now: datetime) -> None:
        """Weigh down what is old, by its source's half-life, on the normalised score."""
        if not half_lives:
            return
        found, facts = self.found, self._index.catalog.facts(self.found.keys)
        days_to_half = np.array([half_lives.get(source, np.nan) for source in facts.source], np.float32)
        age = np.datetime64(now.astimezone(UTC).replace(tzinfo=None), "us") - facts.dated
        days = np.maximum(age / np.timedelta64(1, "D"), 0.0)  # NaN where there is no date
        found.decay = np.exp2(-days / days_to_half).astype(np.float32)
        if np.isfinite(found.decay).any():
            self._total()
            found.order("decayed")

    def rerank(self, reranker: Reranker) -> None:
        """Let the reranker look closely at the best candidates; what it drops goes, and what is below that too."""
        found = self.found
        margin = _first_of(self._settings.rerank_margin, reranker.margin)
        depth = min(self._settings.rerank_depth, int((found.score >= found.score[0] - margin).sum()))
        scores = self._looked_at([found.row(place) for place in range(depth)], reranker)
        if (dropped := np.isneginf(scores)).any():
            found.drop(np.append(dropped, np.ones(len(found.keys) - depth, bool)), "reranked")
            scores = scores[~dropped]
        judged = np.isfinite(scores)
        closer = scores if reranker.calibrated else min_max(scores)
        found.rerank[: len(scores)] = scores
        found.closer[: len(scores)] = np.where(judged, closer, closer[judged].mean() if judged.any() else np.nan)
        self._weight = _first_of(self._settings.rerank_weight, reranker.weight)
        self._total()
        found.order("reranked")

    def _looked_at(self, rows: Sequence[Mapping], reranker: Reranker) -> np.ndarray:
        """Return the reranker's score of each row; what repeats a better one, and would be folded, has that one's."""
        sources = originals(rows) if self._settings.fold else list(range(len(rows)))
        looked = sorted(set(sources))
        passages = [embedding_text(rows[place]["header"], rows[place]["text"]) for place in looked]
        try:
            scores = reranker.score(self._query.text, passages, self._index.word_weight)
        except RerankError as error:
            scores = error.scores
            self.found.warnings.append(str(error))
        return scores[np.searchsorted(looked, sources)]

    def _learns(self) -> bool:
        wanted = self._mode in ("hybrid", "rerank") and self._settings.feedback > 0
        return wanted and self._similarity is not None and len(self.found.keys) > 0

    def feed_back(self) -> None:
        """Score the first stage again, for a question moved towards the best candidates."""
        found, best = self.found, feedback.PASSAGES
        near = self._similarity.towards(found.keys[:best], feedback.shares(found.score[:best]), self._settings.feedback)
        found.feedback = near.of(found.keys)
        self._first(found.feedback)
        found.order("fed back")

    def exclude(self) -> None:
        """Lower the candidates that are near to what the question does not want."""
        found, unwanted = self.found, self._query.unwanted
        keys = np.sort(found.keys)
        lexical = vector = np.full(len(keys), np.nan, np.float32)
        if self._mode != "vector":
            lexical = _aligned(keys, *self._index.lexical.search(unwanted, len(keys), keys))
        if self._similarity is not None:
            vector = Similarity(self._index, unwanted, self._embedder_of, keys).of(keys)
        found.score = found.score - penalties(lexical, vector)[np.searchsorted(keys, found.keys)]
        found.order("unwanted")

    def judge(self, reranker: Reranker | None) -> None:
        """Estimate how relevant each candidate is; the order stays. Where it is set, what is not relevant goes."""
        found, least = self.found, self._settings.min_relevance
        found.relevance = relevance.relevance(found, self._index, self._query, reranker)
        found.nothing_relevant = relevance.nothing_relevant(found, least)
        if self._settings.drop_irrelevant:
            found.drop(found.relevance < least, relevance.STAGE, least, "relevance")

    def run(
        self, depth: int, reranker: Callable[[], Reranker], half_lives: Mapping[str, float], now: datetime
    ) -> Candidates:
        """Let all stages run that the mode and the question call for; returns the candidates, best first."""
        self.propose(depth)
        with timed(self._took, "catalog"):
            self.found.rows = self._index.catalog.candidates(self.found.keys)
        with timed(self._took, "fuse"):
            self.fuse()
            self.decay(half_lives, now)
        if not len(self.found.keys):
            return self.found
        closer = reranker() if self._mode == "rerank" else None
        if closer:
            with timed(self._took, "rerank"):
                self.rerank(closer)
        if self._query.unwanted:  # whose best candidates may be what is not wanted: nothing is learnt of them
            with timed(self._took, "exclude"):
                self.exclude()
        elif self._learns():
            with timed(self._took, "feedback"):
                self.feed_back()
        with timed(self._took, "judge"):
            self.judge(closer)
        return self.found


@contextmanager
def timed(took: dict[str, float], stage: str) -> Iterator[None]:
    """Note the milliseconds that a stage took."""
    start = time.perf_counter()
    yield
    took[stage] = round((time.perf_counter() - start) * 1000, 3)


def _first_of(setting: float | None, otherwise: float) -> float:
    return otherwise if setting is None else setting


def _aligned(keys: np.ndarray, found: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Put the scores where their keys stand in `keys` (ascending); NaN elsewhere."""
    aligned = np.full(len(keys), np.nan, np.float32)
    aligned[np.searchsorted(keys, found)] = scores
    return aligned
