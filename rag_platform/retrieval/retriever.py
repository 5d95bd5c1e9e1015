"""Question to hits: lexical and vector search, fused, blended with recency, reranked; every step can be explained.

Page, terminal, evaluation and answering all search through `Retriever.search`: what is scored is what is served.
Filters, and who may read what, apply before anything is counted: each retriever ranks the allowed chunks only.
"""

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from rag_platform.access import asking_once
from rag_platform.config.settings import Mode, RetrievalSettings
from rag_platform.core.errors import DamagedVersion, ModelError
from rag_platform.core.hits import Filters, Hit
from rag_platform.core.ports import Embedder, Reranker
from rag_platform.core.trust import Trust
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.versions import Versions
from rag_platform.index.releases.view import View
from rag_platform.retrieval.candidates import Candidates, grouping_rows, hits_of
from rag_platform.retrieval.explain.outcomes import explain_candidates
from rag_platform.retrieval.facets import Facets, facets
from rag_platform.retrieval.pinned_version import PinnedVersion
from rag_platform.retrieval.query.parsing import Query, understand
from rag_platform.retrieval.query.scope import Scoped, scoped
from rag_platform.retrieval.result_grouping import Grouping, GroupingOptions, group_results
from rag_platform.retrieval.results import SearchResult, SearchTrace
from rag_platform.retrieval.search.date_order import newest_first, worth_listing
from rag_platform.retrieval.search.ranking import Ranking
from rag_platform.retrieval.search.similarity import spaces_read
from rag_platform.retrieval.search.stage_times import TOTAL, timed

Order = Literal["relevance", "date"]
_Find = Callable[[int], Candidates]
"""Searches to a depth."""

_LONGEST_QUESTION = 2_000
"""Characters of a question that are searched for; the model reads fewer."""
_RECENT = 4
"""Searches by which a version is warmed."""


class Retriever:
    """Searches the live version, or any other. Safe to use from many threads."""

    def __init__(
        self,
        versions: Versions | PinnedVersion,
        embedder: Callable[[], Embedder],
        reranker: Callable[[], Reranker],
        settings: RetrievalSettings,
        half_lives: Mapping[str, float] | None = None,
        max_ages: Mapping[str, float] | None = None,
        trust: Mapping[str, Trust] | None = None,
        *,
        embedder_of: Callable[[Mapping[str, Any]], Embedder] | None = None,
    ) -> None:
        """Search with these parts.

        `half_lives` and `max_ages` are days, by source; `trust` is as in `core.trust`; `embedder_of` gives the model of
        a vector space, by default `embedder` for each.
        """
        self.versions = versions
        self._embedder = embedder
        self.embedder_of = embedder_of or (lambda _: embedder())
        """Gives the model of a vector space, as a manifest describes it."""
        self._reranker = reranker
        self._settings = settings
        self._half_lives = dict(half_lives or {})
        self._max_ages = dict(max_ages or {})
        self._trust = dict(trust or {})
        self._grouping: GroupingOptions = {
            "collapse": settings.collapse,
            "merge": settings.merge,
            "per_document": settings.per_document,
        }
        self._past = False
        self._recent: deque[_Asked] = deque(maxlen=_RECENT)

    def live(self) -> OpenVersion:
        """Open the live version; `NothingPublished` when there is none."""
        return self.versions.live()

    def reranks_at_once(self) -> bool:
        """Whether a rerank of the live version reads what is stored of its passages: it takes milliseconds then."""
        return self._settings.reranker == "late-interaction" and self.live().has_tokens

    def version(self, version: str) -> OpenVersion:
        """Open a version, such as the one that a result came from."""
        return self.versions.open(version)

    def pinned(self, version: str, *, or_live: bool = False) -> "Retriever":
        """Return a retriever whose live version is, always, that one; `or_live`: as long as it can be opened."""
        pinned = PinnedVersion(self.versions, version, or_live=or_live)
        parts = (self._embedder, self._reranker, self._settings, self._half_lives, self._max_ages, self._trust)
        return Retriever(pinned, *parts, embedder_of=self.embedder_of)

    def as_of(self, version: str) -> "Retriever":
        """Return a retriever of what that version held, for somebody of today.

        Unlike a pinned one, it shows only what its asker may read now and might read then: what was opened since stays
        as closed as it was.
        """
        past = self.pinned(version)
        past._past = True
        return past

    def holdings(
        self, filters: Filters, now: datetime | None = None, version: str | None = None
    ) -> dict[tuple[str, ...], int]:
        """Count the documents that a search with these filters may find, by collection and language."""
        index = self.version(version) if version else self.live()
        keys = self._readable(index, filters, now or datetime.now(UTC))
        documents = index.catalog.document_of if keys is None else index.catalog.documents_of(keys)
        return index.catalog.attributes.counted(np.unique(documents), "collection", "language")

    def scoped(self, question: str, filters: Filters, version: str | None = None) -> Scoped:
        """Return a question without what it says of where it is to be answered from, and that as filters."""
        return scoped(question, self.version(version) if version else self.live(), filters)

    def facets(
        self,
        filters: Filters,
        question: str = "",
        *,
        mode: Mode = "hybrid",
        order: Order = "relevance",
        known: SearchResult | None = None,
        moments: Sequence[datetime] = (),
        now: datetime | None = None,
    ) -> Facets:
        """Count the documents that each choice of a filter leaves: of all, or of those that a question's results list.

        `known` is a search for the question in this order, with these filters, that has its trace. `moments`: see
        `facets.Facets`.
        """
        now = now or datetime.now(UTC)

        def documents(chosen: Filters) -> np.ndarray:
            if not question.strip():
                return self._passing(index, chosen, now)
            trace = known.trace if known and chosen == filters else None
            if trace is None:
                trace = self.search(question, k=1, mode=mode, filters=chosen, trace=True, now=now).trace
            assert trace is not None  # it was asked for
            keys = trace.candidates.keys
            if order == "date":
                keys = keys[worth_listing(trace.candidates, self._settings.min_relevance)]
            found = np.zeros(len(index.catalog.attributes.doc_ids), bool)
            found[index.catalog.documents_of(keys)] = True
            return found

        index = known.trace.index if known and known.trace else self.live()
        return facets(index, filters, documents, moments)

    def _passing(self, index: OpenVersion, filters: Filters, now: datetime) -> np.ndarray:
        """Return which documents pass the filters, may be read by the asker and are searched at all: bool."""
        passing, hidden = index.catalog.attributes.passing(filters), self._hidden(index, filters, now)
        gone = [one for some in hidden.values() for one in some]
        return passing & ~index.catalog.attributes.doc_ids.is_in(gone).to_numpy() if gone else passing

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
        order: Order = "relevance",
        trace: bool = False,
    ) -> SearchResult:
        """Return the k best chunks for a question that pass the filters and that the asker may read.

        `now` is the moment from which ages are counted; None: this one. `per_document` is how many hits one document
        may have (0: any number); None: as set. `order` "date": the newest of the candidates that are about as relevant
        as the best one, see `date_order`. `trace` returns what the search did, as `explain` does.
        """
        index = self.versions.open(version) if version else self.live()
        asked = _Asked(question, k, mode or self._settings.mode, filters, now or datetime.now(UTC), per_document, order)
        self._recent.append(asked)
        try:
            return self._search(index, asked, explain=explain, trace=trace)
        except DamagedVersion:  # the disk gives other bytes than were checked: go on with what is sound
            self.versions.distrust(index.id)
            index = self.versions.open(version) if version else self.live()
            return self._search(index, asked, explain=explain, trace=trace)

    def warm(self, index: OpenVersion) -> None:
        """Ask a version what was asked last, so that what a search needs of it is in memory."""
        first = _Asked("warm", 10, self._settings.mode, Filters(), datetime.now(UTC))
        for asked in list(self._recent) or [first]:
            self._search(index, asked, explain=False, trace=False)

    def _search(self, index: OpenVersion, asked: "_Asked", *, explain: bool, trace: bool) -> SearchResult:
        question, k, mode, filters, now, per_document, order = asked
        took: dict[str, float] = {}
        text = question.strip()[:_LONGEST_QUESTION]
        options = self._grouping if per_document is None else {**self._grouping, "per_document": per_document}
        with asking_once(), timed(took, TOTAL, _about(index, asked, text)) as noted:
            with timed(took, "understand"):
                readable, known = partial(self._readable, index, now=now), partial(self._knows, index, mode)
                query = understand(text, index, filters, self._settings, readable, known)
            view = index.view(filters.principals)
            find = partial(self._find, index, query, mode=mode, took=took, now=now)
            if not text or k <= 0:
                found, grouping = Candidates.none(), Grouping()
            elif order == "date":
                found, grouping = self._newest(index, view, find, k, options, took)
            else:
                found, grouping = self._best(index, view, find, k, options, took)
            with timed(took, "read"):
                hits = hits_of(found, query.text, grouping.groups, self._trust, complete=self._settings.complete)
            noted["gen_ai.retrieval.documents"] = lambda: json.dumps([_scored(hit) for hit in hits])
        made = SearchTrace(index, query.words, mode, k, query.filters, now, found, grouping, options)
        return SearchResult(
            question=question,
            version=index.id,
            mode=mode,
            took_ms=took,
            hits=hits,
            explanation=explain_candidates(made) if explain else None,
            trace=made if explain or trace else None,
            understood=query.interpretation(),
            warnings=(*filter(None, [self.versions.notice(index.id)]), *found.warnings),
            k=k,
            filters=query.filters,
            nothing_relevant=found.nothing_relevant,
        )

    def _knows(self, index: OpenVersion, mode: Mode, word: str) -> bool:
        """Return whether a model reads a word in one piece, and not in several like one that is misspelled."""
        if mode == "lexical" or not (read := spaces_read(index, word)):  # which works without a model
            return False
        try:
            one, pieces = self.embedder_of(index.spaces[min(read)].model).count_tokens(["a", word])
        except ModelError:  # that of another space will do for the search
            return False
        return pieces <= one

    def _best(
        self, index: OpenVersion, view: View, find: _Find, k: int, options: GroupingOptions, took: dict[str, float]
    ) -> tuple[Candidates, Grouping]:
        """Return candidates and the grouping of the k best; search deeper when grouping leaves fewer.

        Only what passed the filters, and what the asker may read, is ever a candidate, collapsed or not.
        """
        depth, before = max(self._settings.depth, k), 0
        while True:
            found = find(depth)
            with timed(took, "arrange"):
                rows = grouping_rows(found, index, view)
                grouping = group_results(rows, k, **options)
            enough = len(grouping.groups) == k or not grouping.any_grouped
            if enough or len(rows) <= before or found.trace.exhausted:
                return found, grouping
            depth, before = 2 * depth, len(rows)

    def _newest(
        self, index: OpenVersion, view: View, find: _Find, k: int, options: GroupingOptions, took: dict[str, float]
    ) -> tuple[Candidates, Grouping]:
        """Return candidates and the grouping of the k newest of those that are relevant."""
        found = find(max(self._settings.depth, k))
        with timed(took, "arrange"):
            rows, dated = grouping_rows(found, index, view), index.catalog.facts(found.keys).dated
            listed = worth_listing(found, self._settings.min_relevance)
            return found, newest_first(group_results(rows, len(rows), **options), listed, dated, k)

    def _find(
        self, index: OpenVersion, query: Query, depth: int, *, mode: Mode, took: dict[str, float], now: datetime
    ) -> Candidates:
        with timed(took, "filter"):
            hidden = self._hidden(index, query.filters, now)
            allowed = query.narrow(index, self._without(index, query.filters, hidden))
        ranking = Ranking(index, query, allowed, self._settings, mode, self.embedder_of, took)
        found = ranking.run(depth, self._reranker, self._half_lives, now, self._trust)
        found.trace.hidden = hidden
        return found

    def _readable(self, index: OpenVersion, filters: Filters, now: datetime) -> np.ndarray | None:
        """Return the keys that pass the filters and that the asker may read; None means all."""
        return self._without(index, filters, self._hidden(index, filters, now))

    def _without(self, index: OpenVersion, filters: Filters, hidden: dict[str, list[str]]) -> np.ndarray | None:
        return index.catalog.without(index.catalog.allowed(filters), [one for some in hidden.values() for one in some])

    def _hidden(self, index: OpenVersion, filters: Filters, now: datetime) -> dict[str, list[str]]:
        """Return the documents that are not searched whatever the filters, by the reason."""
        hidden = {}
        if self._max_ages or filters.archived:
            attributes = index.catalog.attributes
            archived = attributes.archived(self._max_ages, now)
            reason, left_out = ("not archived", ~archived) if filters.archived else ("archived", archived)
            hidden[reason] = attributes.named(left_out)
        if self._past:
            hidden["unreadable"] = index.catalog.unreadable_then(filters.principals)
        return hidden


def _about(index: OpenVersion, asked: "_Asked", text: str) -> dict[str, Any]:
    """Return the attributes of a search's span."""
    return {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.data_source.id": index.id,
        "gen_ai.retrieval.query.text": lambda: text,
        "rag.k": asked.k,
        "rag.mode": asked.mode,
    }


def _scored(hit: Hit) -> dict[str, Any]:
    return {"id": hit.chunk_id, "score": hit.score}


class _Asked(NamedTuple):
    """What a search is asked for; see `Retriever.search`."""

    question: str
    k: int
    mode: Mode
    filters: Filters
    now: datetime
    per_document: int | None = None
    order: Order = "relevance"
