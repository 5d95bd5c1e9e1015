"""Why a hit stands where it does, and why a document is none -> HTML."""

from collections.abc import Iterable, Mapping
from html import escape

from app.texts import say, say_html
from rag_platform.core.hits import Hit
from rag_platform.provenance.why import Why
from rag_platform.retrieval.explain.ranks import RetrieverRank

_SCORES = {
    "lexical": "lexical",
    "vector": "vector",
    "fused": "fused",
    "decayed": "decay",
    "reranked": "rerank",
    "fed back": "feedback",
}
"""Of each stage, the score that it gives."""
_LEGS = ("lexical", "vector")
_ENDS = ("beyond k", "depth", "decayed", "reranked", "unwanted", "irrelevant")
"""Stages that have a name of their own for people."""
_PASSAGES = 6


def rank_html(hit: Hit, ranks: Mapping[str, int]) -> str:
    """Render the rank and the score that each stage gave a hit; `ranks` are those of the stages."""
    rows = [("", say_html("search-why-rank"), say_html("search-why-score"))]
    for stage, name in _SCORES.items():
        score = getattr(hit.scores, name)
        if score is not None:
            rows.append((say_html(f"search-why-{_key(stage)}"), _rank(ranks.get(stage)), f"{score:.4f}"))
    rows.append((say_html("search-why-final"), _rank(hit.rank), f"{hit.score:.4f}"))
    if hit.relevance is not None:
        rows.append((say_html("search-why-probably"), "", f"{hit.relevance:.0%}"))
    return _table(rows)


def why_html(told: Why) -> str:
    """Render where a document ended, what would bring it back, and how its passages fared."""
    name = escape(told.document.uri) if told.document else ""
    lost = say_html("search-why-lost", stage=_ended(told.stage))
    ended = say_html("search-why-found", rank=told.rank or 0) if told.returned else lost
    said = f'<div class="source"><h4>{ended}</h4><div class="facts">{name}</div></div>'
    said += f'<p class="about">{escape(told.reason)} {escape(told.remedy or "")}</p>'
    if not told.chunks:
        return said
    legs = list(told.chunks[0].legs)
    named = [say_html(f"search-why-leg-{leg}") if leg in _LEGS else escape(leg) for leg in legs]
    rows = [(say_html("search-why-passage"), *named, say_html("search-why-ended"))]
    for chunk in told.chunks[:_PASSAGES]:
        section = escape(chunk.section or say("search-why-passage-n", n=chunk.ordinal + 1))
        rows.append((section, *(_leg(chunk.legs[leg]) for leg in legs), escape(_ended(chunk.stage))))
    more = len(told.chunks) - _PASSAGES
    return said + _table(rows) + (f'<div class="quiet">{say_html("search-why-more", count=more)}</div>' * (more > 0))


def _key(stage: str) -> str:
    return stage.replace(" ", "-")


def _ended(stage: str) -> str:
    return say(f"search-end-{_key(stage)}") if stage in _ENDS else stage


def _leg(leg: RetrieverRank) -> str:
    return _rank(None) if leg.rank is None else say_html("search-why-of", rank=leg.rank, of=leg.of)


def _rank(rank: int | None) -> str:
    return "–" if rank is None else f"{rank:,}"


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    head, *body = (tuple(row) for row in rows)
    lines = [f"<tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body]
    return f'<div class="wide"><table class="scores">{"".join(lines)}</table></div>'
