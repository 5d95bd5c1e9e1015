"""The stages of one search: retrieve, fuse, age, weigh by trust, rerank, feed back, demote, estimate relevance."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from math import inf
from typing import Any

import numpy as np

from rag_platform.config.settings import Mode, RetrievalSettings
from rag_platform.core.errors import RerankError
from rag_platform.core.ids import embedding_text
from rag_platform.core.ports import Embedder, Reranker, SpaceReranker
from rag_platform.core.trust import NORMAL, WEIGHTS, Trust, trust_of
from rag_platform.index.question_words import highest
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.retrieval.candidates import Candidates, GroupingRow, grouping_rows
from rag_platform.retrieval.query.parsing import Query
from rag_platform.retrieval.result_grouping import representatives
from rag_platform.retrieval.search import age, feedback, relevance
from rag_platform.retrieval.search.demotion import demotions
from rag_platform.retrieval.search.fusion import LONG, fuse, min_max, surer
from rag_platform.retrieval.search.question_language import (
    FOREIGN,
    FOREIGN_MARGIN,
    FOREIGN_RERANKED,
    SHARED,
    levelled,
    read_with,
    unknown,
)
from rag_platform.retrieval.search.retrievers import Retrievers, aligned
from rag_platform.retrieval.search.similarity import Similarity
from rag_platform.retrieval.search.stage_times import timed


class Ranking:
    """The stages of one search, each applied to the candidates as the one before left them."""

    def __init__(
        self,
        index: OpenVersion,
        query: Query,
        allowed: np.ndarray | None,
        settings: RetrievalSettings,
        mode: Mode,
        embedder_of: Callable[[Mapping[str, Any]], Embedder],
        took: dict[str, float],
    ) -> None:
        """Begin without candidates; `allowed` are the keys (ascending) to retrieve from, `took` gets milliseconds."""
        self._index = index
        self._view = index.view(query.filters.principals)
        self._query = query
        self._settings = settings
        self._mode = mode
        self._embedder_of = embedder_of
        self._took = took
        self._retrievers = Retrievers(index, query, allowed, mode, embedder_of, took)
        self.found = Candidates.none()

    @property
    def _similarity(self) -> Similarity | None:
        return self._retrievers.similarity

    def fuse(self) -> None:
        """Make one score of the lexical and the vector one."""
        self._first(self.found.vector)
        self.found.order("fused")

    def _first(self, similarities: np.ndarray) -> None:
        """Score the first stage, in [0, 1]."""
        found, fusion = self.found, self._settings.fusion
        weight = {"lexical": 1.0, "vector": 0.0}.get(self._mode, self._settings.lexical_weight)
        if fusion == "minmax":
            weight = surer(weight, found.lexical, similarities, self._highest(LONG))
        foreign = found.foreign & (self._mode != "lexical")
        least = SHARED * self._highest() * foreign.sum() / max(len(foreign), 1)
        found.fused = fuse(found.lexical, similarities, fusion, np.where(foreign, FOREIGN * weight, weight), least)
        self._total()

    def _highest(self, words: float = inf) -> float:
        return highest(self._query.words, self._view.statistics, words)

    def _total(self) -> None:
        """Add the reranker's score of those that have one to that of the first stage; age and mistrust lower both."""
        found = self.found
        weight = np.nan_to_num(found.rerank_weight, nan=0.0)
        relevance = (found.fused + weight * np.nan_to_num(found.rerank_scaled, nan=0.0)) / (1 + weight)
        blended = age.aged(relevance, found.recency, self._settings.recency_weight)
        found.score = blended * np.nan_to_num(found.trust, nan=1.0)

    def age(self, half_lives: Mapping[str, float], now: datetime) -> None:
        """Blend the normalised score with recency, where the source has a half-life and the document a date."""
        if not half_lives:
            return
        found, facts = self.found, self._index.catalog.facts(self.found.keys)
        of = [np.nan if source is None else half_lives.get(source, np.nan) for source in facts.source]
        moment = np.datetime64(now.astimezone(UTC).replace(tzinfo=None), "us")
        found.recency = age.recency(facts.dated, moment, np.array(of, np.float32))
        if np.isfinite(found.recency).any():
            self._total()
            found.order("aged")

    def weigh(self, trust: Mapping[str, Trust]) -> None:
        """Lower what is trusted less than usual, and raise what is trusted more, on the normalised score."""
        if not trust:
            return
        found, facts = self.found, self._index.catalog.facts(self.found.keys)
        levels = [trust_of(trust, *named) for named in zip(facts.source, facts.collection, strict=True)]
        found.trust = np.array([np.nan if one == NORMAL else WEIGHTS[one] for one in levels], np.float32)
        if np.isfinite(found.trust).any():
            self._total()
            found.order("trusted")

    def rerank(self, reranker: Reranker) -> None:
        """Rerank the best candidates; what the reranker drops goes, and everything that it did not score too."""
        found = self.found
        depth = self._rerank_depth(reranker)
        if not (readers := self._readers(reranker, found.keys[:depth])):
            return
        scores = self._rerank_scores(readers, depth)
        if (dropped := np.isneginf(scores)).any():
            found.drop(np.append(dropped, np.ones(len(found.keys) - depth, bool)), "reranked")
            scores = scores[~dropped]
        scaled = scores if reranker.calibrated else np.where(np.isnan(scores), np.nan, min_max(scores))
        found.rerank[: len(scores)] = scores
        found.rerank_weight[:] = _first_of(self._settings.rerank_weight, reranker.weight)
        before = found.score[: len(scores)]
        if isinstance(reranker, SpaceReranker):
            found.rerank_weight[found.foreign & np.isfinite(found.rerank)] *= FOREIGN_RERANKED
            scaled = levelled(scaled, before, found.foreign[: len(scores)])
        found.rerank_scaled[: len(scores)] = _in_place(scaled, before)
        self._total()
        found.order("reranked")

    def _rerank_depth(self, reranker: Reranker) -> int:
        """Return how many of the best candidates are worth the reranker's look."""
        found, margin = self.found, _first_of(self._settings.rerank_margin, reranker.margin)
        near = int((found.score >= found.score[0] - margin).sum())
        if isinstance(reranker, SpaceReranker) and self._settings.rerank_margin is None and found.foreign[:near].any():
            near = int((found.score >= found.score[0] - FOREIGN_MARGIN * margin).sum())
        return min(self._settings.rerank_depth or reranker.depth, near)

    def _readers(self, reranker: Reranker, keys: np.ndarray) -> list[tuple[Reranker, np.ndarray]]:
        """Return what reranks, each with which of the chunks (bool); nothing where none reads the question."""
        readers: list[tuple[Reranker | None, np.ndarray]]
        if isinstance(reranker, SpaceReranker):
            each = self._similarity.each(keys) if self._similarity else ()
            readers = [(reranker.of_space(query.space.model, query.space.tokens), own) for query, own in each]
        else:
            readers = [(reranker, read_with(self._query.text, self._languages(keys), reranker.languages))]
        return [(one, read) for one, read in readers if one and read.any()]

    def _languages(self, keys: np.ndarray) -> list[str | None]:
        return self._index.catalog.facts(keys).language

    def _rerank_scores(self, readers: list[tuple[Reranker, np.ndarray]], depth: int) -> np.ndarray:
        """Return the rerankers' scores of the first; what would be collapsed into a better one has that one's."""
        rows = grouping_rows(self.found, self._index, self._view, depth)
        sources = representatives(rows) if self._settings.collapse else list(range(depth))
        distinct = sorted(set(sources))
        scores = np.full(depth, np.nan, np.float32)
        for reranker, read in readers:
            apart = self.found.foreign[:depth] & isinstance(reranker, SpaceReranker)
            for weight, among in ((self._view.word_weight, read & ~apart), (unknown, read & apart)):
                own = [place for place in distinct if among[place]]
                scores[own] = self._judged(reranker, [rows[place] for place in own], weight) if own else ()
        return scores[sources]

    def _judged(self, reranker: Reranker, rows: Sequence[GroupingRow], weight: Callable[[str], float]) -> np.ndarray:
        passages = [embedding_text(row["header"], row["text"]) for row in rows]
        try:
            return reranker.score(self._query.text, passages, weight)
        except RerankError as error:
            self.found.warnings.append(str(error))
            return error.scores

    def _uses_feedback(self) -> bool:
        return self._mode in ("hybrid", "rerank") and self._settings.feedback > 0 and len(self.found.keys) > 0

    def feed_back(self, similarity: Similarity) -> None:
        """Score the first stage again, for a question moved towards the best candidates: pseudo-relevance feedback.

        Not towards passages of another language that were not reranked: with one kind of evidence, or beside such
        passages, the first are less surely the best.
        """
        found, best = self.found, feedback.PASSAGES
        if (found.foreign[:best] & np.isnan(found.rerank[:best])).any():
            return
        moved = similarity.towards(found.keys[:best], feedback.shares(found.score[:best]), self._settings.feedback)
        found.feedback = moved.of(found.keys)
        self._first(found.feedback)
        found.order("fed back")

    def demote(self) -> None:
        """Lower the candidates that are near to any of what the question does not want."""
        found = self.found
        keys = np.sort(found.keys)
        lost = np.max([demotions(*self._nearness(one, keys)) for one in self._query.unwanted], axis=0)
        found.score = found.score - lost[np.searchsorted(keys, found.keys)]
        found.order("unwanted")

    def _nearness(self, unwanted: str, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how near these chunks (their keys ascend) are to a text by words and by meaning; NaN: not at all."""
        lexical = vector = np.full(len(keys), np.nan, np.float32)
        if self._mode != "vector":
            lexical = aligned(keys, *self._retrievers.by_words(unwanted, len(keys), keys))
        if self._similarity is not None:
            vector = Similarity(self._index, unwanted, self._embedder_of, keys).of(keys)
        return lexical, vector

    def estimate_relevance(self, reranker: Reranker | None) -> None:
        """Estimate how relevant each candidate is; the order stays. If `drop_irrelevant`, what is not relevant goes."""
        found, least = self.found, self._settings.min_relevance
        readers = self._readers(reranker, found.keys) if reranker else []
        found.relevance = relevance.relevance(found, self._index, self._query, self._similarity, readers)
        found.nothing_relevant = relevance.nothing_relevant(found, least)
        if self._settings.drop_irrelevant:
            found.drop(found.relevance < least, relevance.STAGE, least, "relevance")

    def run(
        self,
        depth: int,
        reranker: Callable[[], Reranker],
        half_lives: Mapping[str, float],
        now: datetime,
        trust: Mapping[str, Trust],
    ) -> Candidates:
        """Run the stages that the mode and the question call for; return the candidates, best first."""
        self.found = self._retrievers.retrieve(depth)
        with timed(self._took, "catalog"):
            self.found.rows = self._index.catalog.candidates(self.found.keys)
        with timed(self._took, "fuse"):
            self.fuse()
            self.age(half_lives, now)
            self.weigh(trust)
        if not len(self.found.keys):
            return self.found
        opened = reranker() if self._mode == "rerank" else None
        if opened:
            with timed(self._took, "rerank"):
                self.rerank(opened)
        if self._query.unwanted:  # the best candidates may be what is not wanted: no feedback from them
            with timed(self._took, "exclude"):
                self.demote()
        elif self._similarity and self._uses_feedback():
            with timed(self._took, "feedback"):
                self.feed_back(self._similarity)
        with timed(self._took, "judge"):
            self.estimate_relevance(opened)
        return self.found


def _first_of(setting: float | None, otherwise: float) -> float:
    return otherwise if setting is None else setting


def _in_place(scores: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Give what has no score (NaN) one with which it stays at its place, as if the reranker agreed on it.

    Args:
        scores: of the reranker.
        before: of the stage before, of the same candidates.
    """
    judged = np.isfinite(scores)
    if judged.all() or not judged.any():
        return scores
    return np.where(judged, scores, np.interp(before, np.sort(before[judged]), np.sort(scores[judged])))
