"""Question to hits: two legs, fused, decayed by age, reranked; every step can be explained.

Page, terminal, evaluation and answering all search through `Retriever.search`: what is scored is what is served.
Filters, and who may read what, apply before anything is counted: each leg ranks the allowed chunks only.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Literal

import numpy as np

from rag_platform.config.settings import Mode, RetrievalSettings
from rag_platform.core.errors import ModelError
from rag_platform.core.hits import Filters
from rag_platform.core.ports import Embedder, Reranker
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.versions import Versions
from rag_platform.retrieval.arrangement import Arrangement, arrange
from rag_platform.retrieval.candidates import Candidates, hits_of, ranked
from rag_platform.retrieval.explain.explanation import explain_all
from rag_platform.retrieval.facets import Facets, facets
from rag_platform.retrieval.query.parsing import Query, understand
from rag_platform.retrieval.results import Searched, SearchResult
from rag_platform.retrieval.search.date_order import newest_first, worth_listing
from rag_platform.retrieval.search.ranking import Ranking, timed

Order = Literal["relevance", "date"]

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

    def holdings(self, filters: Filters, now: datetime | None = None) -> dict[tuple[str, str], int]:
        """Count the documents that a search with these filters may find, by collection and language."""
        index = self.live()
        keys = self._readable(index, filters, now or datetime.now(UTC))
        documents = index.catalog.document_of if keys is None else index.catalog.documents_of(keys)
        return index.catalog.attributes.counted(np.unique(documents), "collection", "language")

    def facets(
        self,
        filters: Filters,
        question: str = "",
        *,
        mode: Mode = "hybrid",
        known: SearchResult | None = None,
        moments: Sequence[datetime] = (),
        now: datetime | None = None,
    ) -> Facets:
        """Count the documents that each choice of a filter leaves: of all, or of the relevant ones of a question.

        `known` is a search for the question with these filters that kept its trace. `moments`: see `facets.Facets`.
        """
        now = now or datetime.now(UTC)

        def documents(chosen: Filters) -> np.ndarray:
            if not question.strip():
                return self._passing(index, chosen, now)
            searched = known.trace if known and chosen == filters else None
            if searched is None:
                searched = self.search(question, k=1, mode=mode, filters=chosen, trace=True, now=now).trace
            found = np.zeros(len(index.catalog.attributes.doc_ids), bool)
            keys = searched.found.keys[worth_listing(searched.found, self._settings.min_relevance)]
            found[index.catalog.documents_of(keys)] = True
            return found

        index = known.trace.index if known and known.trace else self.live()
        return facets(index, filters, documents, moments)

    def _passing(self, index: OpenVersion, filters: Filters, now: datetime) -> np.ndarray:
        """Tell which documents pass the filters, may be read by the asker and are searched at all: bool."""
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
        as the best one, see `pertinence`. `trace` keeps what the search did, as `explain` does, and tells nothing.
        """
        index = self.versions.open(version) if version else self.live()
        mode = mode or self._settings.mode
        now = now or datetime.now(UTC)
        took: dict[str, float] = {}
        asked = question.strip()[:_LONGEST_QUESTION]
        with timed(took, "total"):
            with timed(took, "understand"):
                readable, known = partial(self._readable, index, now=now), partial(self._knows, index, mode)
                query = understand(asked, index, filters, self._settings, readable, known)
            find = partial(self._find, index, query, mode=mode, filters=query.filters, took=took, now=now)
            arranging = self._arranging | ({} if per_document is None else {"per_document": per_document})
            nothing = Candidates.none(), Arrangement()
            if not asked or k <= 0:
                found, arranged = nothing
            elif order == "date":
                found, arranged = self._newest(index, find, k, arranging, took)
            else:
                found, arranged = self._distinct(index, find, k, arranging, took)
            with timed(took, "read"):
                hits = hits_of(found, query.text, arranged.kept, index.catalog.text)
        told = query.told()
        warnings = tuple(found.warnings)
        searched = Searched(index, query.words, mode, k, query.filters, now, found, arranged, arranging)
        return SearchResult(
            question=question,
            version=index.id,
            mode=mode,
            took_ms=took,
            hits=hits,
            explanation=explain_all(searched) if explain else None,
            trace=searched if explain or trace else None,
            understood=told,
            warnings=warnings,
            nothing_relevant=found.nothing_relevant,
        )

    def _knows(self, index: OpenVersion, mode: Mode, word: str) -> bool:
        """Tell whether the model reads a word in one piece, and not in several as one that is misspelled."""
        if mode == "lexical":  # which works without the model
            return False
        try:
            one, pieces = self._embedder_of(index.spaces[0].model).count_tokens(["a", word])
        except ModelError:  # that of another space will do for the search
            return False
        return pieces <= one

    def _distinct(
        self, index: OpenVersion, find: Callable[..., Candidates], k: int, arranging: dict, took: dict[str, float]
    ) -> tuple[Candidates, Arrangement]:
        """Return candidates and how the k best of them are shown; look deeper where it takes that.

        Only what passed the filters, and what the asker may read, is ever a candidate, folded or not.
        """
        depth, before = max(self._settings.depth, k), 0
        while True:
            found = find(depth=depth)
            with timed(took, "arrange"):
                rows = ranked(found, index.catalog.facts(found.keys), index.catalog.ordinals_of(found.keys))
                arranged = arrange(rows, k, **arranging)
            if len(arranged.kept) == k or not arranged.saved or len(rows) <= before or found.trace.exhausted:
                return found, arranged
            depth, before = 2 * depth, len(rows)

    def _newest(
        self, index: OpenVersion, find: Callable[..., Candidates], k: int, arranging: dict, took: dict[str, float]
    ) -> tuple[Candidates, Arrangement]:
        """Return candidates and how the k newest of those that are relevant are shown."""
        found = find(depth=max(self._settings.depth, k))
        with timed(took, "arrange"):
            facts = index.catalog.facts(found.keys)
            rows = ranked(found, facts, index.catalog.ordinals_of(found.keys))
            arranged = arrange(rows, len(rows), **arranging)
            listed = worth_listing(found, self._settings.min_relevance)
            return found, newest_first(arranged, listed, facts.dated, k)

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
        with timed(took, "filter"):
            hidden = self._hidden(index, filters, now)
            allowed = query.narrow(index, self._without(index, filters, hidden))
        ranking = Ranking(index, query, allowed, self._settings, mode, self._embedder_of, took)
        found = ranking.run(depth, self._reranker, self._half_lives, now)
        found.trace.hidden = hidden
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


class _Pinned:
    """Versions of which one is live for good."""

    def __init__(self, versions: Versions, version: str) -> None:
        self._versions = versions
        self._version = version

    def live(self) -> OpenVersion:
        return self._versions.open(self._version)

    def open(self, version: str) -> OpenVersion:
        return self._versions.open(version)
