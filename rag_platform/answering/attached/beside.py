"""What was found in a chat's files, put among what was found in what is published."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rag_platform.answering.attached.attached_index import AttachedIndex
from rag_platform.core.hits import Hit
from rag_platform.retrieval.results import SearchResult
from rag_platform.retrieval.retriever import Retriever


@dataclass(frozen=True, slots=True)
class Attachments:
    """The files of the chat in which a question is asked."""

    index: AttachedIndex
    alone: bool = False
    """Whether the question is answered from them alone, and nothing that is published is searched."""

    def among(self, result: SearchResult, k: int, retriever: Retriever, least: float) -> SearchResult:
        """Return a result with their passages, the k most relevant of all; at equal relevance theirs come first.

        Args:
            result: of the search of what is published.
            k: how many passages.
            retriever: which searched; it knows how rare words are.
            least: probability of being relevant below which a passage is none, unless they alone are asked.
        """
        view = retriever.version(result.version).view(result.filters.principals)
        own = self.index.search(result.question, k, view.word_weight)
        relevant = [hit for hit in own if self.alone or hit.relevance is None or hit.relevance >= least]
        if not relevant:
            return result if result.hits else replace(result, hits=own, nothing_relevant=bool(own))
        others: Sequence[Hit] = () if result.nothing_relevant else result.hits
        ordered = sorted((*relevant, *others), key=lambda hit: -_relevance(hit))[:k]
        hits = tuple(replace(hit, rank=rank) for rank, hit in enumerate(ordered, start=1))
        return replace(result, hits=hits, nothing_relevant=False)


def _relevance(hit: Hit) -> float:
    return 0.5 if hit.relevance is None else hit.relevance
