"""What became of a chunk in a search, in sentences."""

from collections.abc import Iterator

from rag_platform.retrieval.explain.explanation import BEYOND, COLLAPSED, CROWDED, MERGED, RETURNED
from rag_platform.retrieval.explain.outcome import DEPTH, ChunkOutcome
from rag_platform.retrieval.explain.ranks import RetrieverRank
from rag_platform.retrieval.results import Searched
from rag_platform.retrieval.search import relevance
from rag_platform.retrieval.trace import Drop

NAMES = {"lexical": "by words", "vector": "by meaning"}
SHORT = {"fused": "fused", "decayed": "aged", "reranked": "look", "fed back": "again", "unwanted": "wanted"}
"""Column headings for the stages."""


def describe(fate: ChunkOutcome, searched: Searched, row: dict) -> str:
    """Say where a chunk ended, and why there."""
    if fate.drop:
        return _dropped(fate.drop, fate)
    told = {
        RETURNED: f"It is hit {fate.rank} of {len(searched.arranged.kept)}.",
        MERGED: f"It is part of hit {fate.rank}, together with its neighbours.",
        COLLAPSED: f"A passage of {fate.into_uri} says nearly the same and ranks higher: hit {fate.rank} names it.",
        CROWDED: "Its document has as many hits as one may have.",
        DEPTH: " ".join(["It was no candidate.", *_legs(fate)]),
    }
    return told.get(fate.stage) or _outranked(fate, searched, row)


def remedy(fate: ChunkOutcome, row: dict) -> str | None:
    """Say what would bring a lost chunk back, where that is known."""
    more = f"Ask for {fate.rank} hits (-k {fate.rank})." if fate.rank else None
    return {
        COLLAPSED: "With fold = false in [retrieval] it has a place of its own.",
        CROWDED: "Raise per_document in [retrieval].",
        DEPTH: _deeper(fate),
        "decayed": f"Raise half_life_days of the source {row['source']}. {more or ''}".rstrip(),
        "unwanted": "Ask without what is not wanted.",
        relevance.STAGE: "Lower min_relevance in [retrieval], or set drop_irrelevant = false there.",
        "reranked": more or "--mode hybrid drops nothing.",
        RETURNED: None,
        MERGED: None,
    }.get(fate.stage, more if not fate.drop else None)


def _dropped(drop: Drop, fate: ChunkOutcome) -> str:
    last = list(fate.ranks.values())[-1:]
    stood = f"It stood at rank {last[0]}, and " if last else "It was a candidate, and "
    if drop.limit is None:
        return f"{stood}the stage “{drop.stage}” dropped it."
    had = drop.score if drop.value is None else drop.value
    return f"{stood}the stage “{drop.stage}” dropped it: its {drop.of} is {had:.3f}, {drop.limit:.3f} is needed."


def _before(fate: ChunkOutcome) -> int | None:
    """Return the rank that a chunk had before the stage that lost it."""
    names = list(fate.ranks)
    place = names.index(fate.stage) if fate.stage in names else len(names) if fate.drop else 0
    return fate.ranks[names[place - 1]] if place else None


def _outranked(fate: ChunkOutcome, searched: Searched, row: dict) -> str:
    last = list(fate.ranks.values())[-1]
    asked = f"{searched.k} were asked for"
    if fate.stage == "decayed":
        dated = row["published_at"] or row["updated_at"]
        days = (searched.now - dated).total_seconds() / 86_400
        left = f"its age of {days:,.0f} days leaves {fate.scores.decay:.0%} of its score"
        return f"It stood at rank {_before(fate)}; {left}, which is rank {fate.ranks['decayed']}; {asked}."
    if fate.stage == "unwanted":
        return f"It stood at rank {_before(fate)}; what the question does not want took it to {last}; {asked}."
    if fate.stage == "reranked":
        return f"It stood at rank {_before(fate)}, and at {last} after the closer look; {asked}."
    if fate.stage != BEYOND:
        return f"It stood at rank {_before(fate)} before the stage “{fate.stage}”, and at {last} after it; {asked}."
    seen = "" if fate.scores.rerank is not None or "reranked" not in fate.ranks else " It was not looked at closely."
    return f"It is a candidate, at rank {last} of {len(searched.found.keys)}; {asked}.{seen}"


def _legs(fate: ChunkOutcome) -> Iterator[str]:
    for name, leg in fate.legs.items():
        yield f"{NAMES.get(name, name).capitalize()}: {_leg(name, leg)}{_lacks(fate) if name == 'lexical' else ''}."


def _leg(name: str, leg: RetrieverRank) -> str:
    if leg.rank is None:
        return "it has none of the words" if name == "lexical" else "the model of its source is not here"
    place = f"rank {leg.rank:,} of {leg.of:,}, and the best {leg.depth:,} were taken"
    if leg.missed:
        return f"{place}, but the approximate search passed over it"
    return f"{place}; {leg.score:.3f} against {leg.last:.3f} of the last of them" if leg.last is not None else place


def _lacks(fate: ChunkOutcome) -> str:
    return f"; it lacks “{'”, “'.join(fate.lacks)}”" if fate.lacks else ""


def _deeper(fate: ChunkOutcome) -> str | None:
    ranks = [leg.rank for leg in fate.legs.values() if leg.rank and not leg.missed]
    return f"With depth = {min(ranks)} in [retrieval] it would be a candidate." if ranks else None
