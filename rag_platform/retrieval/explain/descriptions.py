"""The outcome of a chunk in sentences: where it ended and why, and what would bring it back."""

from collections.abc import Iterator

from rag_platform.retrieval.candidates import Row
from rag_platform.retrieval.explain.chunk_outcomes import ChunkOutcome
from rag_platform.retrieval.explain.outcomes import BEYOND, COLLAPSED, MERGED, NOT_RETRIEVED, OVER_LIMIT, RETURNED
from rag_platform.retrieval.explain.retriever_ranks import RetrieverRank
from rag_platform.retrieval.results import SearchTrace
from rag_platform.retrieval.search import relevance
from rag_platform.retrieval.trace import Drop

NAMES = {"lexical": "by words", "vector": "by meaning"}
SHORT = {
    "fused": "fused",
    "aged": "aged",
    "trusted": "trust",
    "reranked": "rerank",
    "fed back": "prf",
    "unwanted": "demote",
}
"""Column headings for the stages."""


def describe(chunk: ChunkOutcome, search: SearchTrace, row: Row) -> str:
    """Return where a chunk ended and why; `row` has the columns of its document."""
    end = chunk.outcome
    if end.drop:
        return _dropped(end.drop, end.ranks)
    sentences = {
        RETURNED: f"It is hit {end.rank} of {len(search.grouping.groups)}.",
        MERGED: f"It is part of hit {end.rank}, together with its neighbours.",
        OVER_LIMIT: "Its document has as many hits as one may have.",
        NOT_RETRIEVED: " ".join(["It was no candidate.", *_retrievers(chunk)]),
    }
    if end.stage == COLLAPSED and end.into:
        return f"A passage of {end.into['uri']} says nearly the same and ranks higher: hit {end.rank} names it."
    return sentences.get(end.stage) or _outranked(chunk, search, row)


def remedy(chunk: ChunkOutcome, row: Row) -> str | None:
    """Return what would bring a lost chunk back, where that is known."""
    end = chunk.outcome
    more = f"Ask for {end.rank} hits (-k {end.rank})." if end.rank else None
    return {
        COLLAPSED: "With collapse = false in [retrieval] it has a place of its own.",
        OVER_LIMIT: "Raise per_document in [retrieval].",
        NOT_RETRIEVED: _deeper(chunk),
        "aged": f"Raise half_life_days of the source {row['source']}. {more or ''}".rstrip(),
        "trusted": f"Raise the trust of the source {row['source']}. {more or ''}".rstrip(),
        "unwanted": "Ask without what is not wanted.",
        relevance.STAGE: "Lower min_relevance in [retrieval], or set drop_irrelevant = false there.",
        "reranked": more or "--mode hybrid drops nothing.",
        RETURNED: None,
        MERGED: None,
    }.get(end.stage, more if not end.drop else None)


def _dropped(drop: Drop, ranks: dict[str, int]) -> str:
    before = f"It was at rank {list(ranks.values())[-1]}, and " if ranks else "It was a candidate, and "
    if drop.limit is None:
        return f"{before}the stage “{drop.stage}” dropped it."
    had = drop.score if drop.value is None else drop.value
    return f"{before}the stage “{drop.stage}” dropped it: its {drop.measure} is {had:.3f}, {drop.limit:.3f} is needed."


def _outranked(chunk: ChunkOutcome, search: SearchTrace, row: Row) -> str:
    end, names = chunk.outcome, list(chunk.outcome.ranks)
    last, requested = end.ranks[names[-1]], f"{search.k} were asked for"
    if end.stage == BEYOND:
        unseen = chunk.scores.rerank is None and "reranked" in end.ranks
        return f"It is a candidate, at rank {last} of {len(search.candidates.keys)}; {requested}." + (
            " It was not reranked." if unseen else ""
        )
    before = f"It was at rank {end.ranks[names[names.index(end.stage) - 1]]}"
    if end.stage == "aged":
        days = (search.now - (row["published_at"] or row["updated_at"])).total_seconds() / 86_400
        recency = f"it is {days:,.0f} days old, a recency of {chunk.scores.recency:.2f}"
        return f"{before}; {recency}, which took it to rank {end.ranks['aged']}; {requested}."
    if end.stage == "trusted":
        left = f"its source is trusted less, which leaves {chunk.scores.trust:.0%} of its score"
        return f"{before}; {left}, which is rank {end.ranks['trusted']}; {requested}."
    if end.stage == "unwanted":
        return f"{before}; what the question does not want took it to {last}; {requested}."
    if end.stage == "reranked":
        return f"{before}, and at {last} after reranking; {requested}."
    return f"{before} before the stage “{end.stage}”, and at {last} after it; {requested}."


def _retrievers(chunk: ChunkOutcome) -> Iterator[str]:
    for name, seen in chunk.retrievers.items():
        missing = f"; it lacks “{'”, “'.join(chunk.missing_terms)}”" if chunk.missing_terms else ""
        yield f"{NAMES.get(name, name).capitalize()}: {_rank(seen)}{missing if name == 'lexical' else ''}."


def _rank(seen: RetrieverRank) -> str:
    if seen.rank is None:
        return seen.absent or "it has none of the words"
    place = f"rank {seen.rank:,} of {seen.of:,}, and the best {seen.depth:,} were taken"
    if seen.missed:
        return f"{place}, but the approximate search passed over it"
    return f"{place}; {seen.score:.3f} against {seen.last:.3f} of the last of them" if seen.last is not None else place


def _deeper(chunk: ChunkOutcome) -> str | None:
    ranks = [seen.rank for seen in chunk.retrievers.values() if seen.rank and not seen.missed]
    return f"With depth = {min(ranks)} in [retrieval] it would be a candidate." if ranks else None
