"""Why a hit stands where it does, and why a document is none -> HTML."""

from collections.abc import Iterable
from html import escape

from rag_platform.records import Hit
from rag_platform.retrieval.standing import LegStanding
from rag_platform.why import Why

STAGES = {
    "lexical": "words (BM25)",
    "vector": "meaning (cosine)",
    "fused": "both, fused",
    "decayed": "after its age",
    "reranked": "after a closer look",
    "fed back": "again, by what was found",
}
_SCORES = {
    "lexical": "lexical",
    "vector": "vector",
    "fused": "fused",
    "decayed": "decay",
    "reranked": "rerank",
    "fed back": "feedback",
}
_LEGS = {"lexical": "words", "vector": "meaning"}
_ENDS = {
    "beyond k": "ranked lower",
    "depth": "no candidate",
    "decayed": "too old",
    "reranked": "after a closer look",
    "unwanted": "not wanted",
    "irrelevant": "not relevant",
}
_PASSAGES = 6


def rank_html(hit: Hit, entry: dict) -> str:
    """Render the rank and the score that each stage gave a hit; `entry` is the hit's part of the explanation."""
    ranks = {"lexical": entry["lexical_rank"], "vector": entry["vector_rank"], **entry["ranks"]}
    rows = [("", "rank", "score")]
    for stage, name in STAGES.items():
        score = getattr(hit.scores, _SCORES[stage])
        if score is not None:
            rows.append((name, _rank(ranks.get(stage)), f"{score:.4f}"))
    rows.append(("final", _rank(hit.rank), f"{hit.score:.4f}"))
    if hit.relevance is not None:
        rows.append(("probably relevant", "", f"{hit.relevance:.0%}"))
    return _table(rows)


def why_html(told: Why) -> str:
    """Render where a document ended, what would bring it back, and how its passages fared."""
    name = escape(told.document.uri) if told.document else ""
    ended = f"Found at rank {told.rank}" if told.returned else f"Not among the hits: {_ended(told.stage)}"
    said = f'<div class="source"><h4>{ended}</h4><div class="facts">{name}</div></div>'
    said += f'<p class="about">{escape(told.reason)} {escape(told.remedy or "")}</p>'
    if not told.chunks:
        return said
    legs = list(told.chunks[0].legs)
    rows = [("passage", *(_LEGS.get(leg, leg) for leg in legs), "ended")]
    for chunk in told.chunks[:_PASSAGES]:
        section = escape(chunk.section or f"passage {chunk.ordinal + 1}")
        rows.append((section, *(_leg(chunk.legs[leg]) for leg in legs), _ended(chunk.stage)))
    more = len(told.chunks) - _PASSAGES
    return said + _table(rows) + (f'<div class="quiet">and {more} more passages</div>' if more > 0 else "")


def _ended(stage: str) -> str:
    return escape(_ENDS.get(stage, stage))


def _leg(leg: LegStanding) -> str:
    return "–" if leg.rank is None else f"{leg.rank:,} of {leg.of:,}"


def _rank(rank: int | None) -> str:
    return "–" if rank is None else f"{rank:,}"


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    head, *body = (tuple(row) for row in rows)
    lines = [f"<tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body]
    return f'<div class="wide"><table class="scores">{"".join(lines)}</table></div>'
