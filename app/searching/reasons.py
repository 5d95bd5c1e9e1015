"""Why a hit has its rank, and why a document is not among the hits -> HTML."""

from collections.abc import Iterable, Mapping
from html import escape

from app.texts import say, say_html
from rag_platform.core.hits import Hit
from rag_platform.provenance.why import Why
from rag_platform.retrieval.explain.retriever_ranks import RetrieverRank

_SCORES = {
    "lexical": "lexical",
    "vector": "vector",
    "fused": "fused",
    "aged": "recency",
    "trusted": "trust",
    "reranked": "rerank",
    "fed back": "feedback",
}
"""Of each stage, the score that it gives."""
_RETRIEVERS = ("lexical", "vector")
_ENDS = ("beyond k", "depth", "aged", "trusted", "reranked", "unwanted", "irrelevant")
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


def why_html(found: Why) -> str:
    """Render where a document ended, what would bring it back, and the outcomes of its passages."""
    name, end = escape(found.document.uri) if found.document else "", found.explanation
    lost = say_html("search-why-lost", stage=_ended(end.stage))
    ended = say_html("search-why-found", rank=end.rank or 0) if found.returned else lost
    said = f'<div class="source"><h3>{ended}</h3><div class="facts">{name}</div></div>'
    said += f'<p class="about">{escape(end.reason)} {escape(end.remedy or "")}</p>'
    if not found.chunks:
        return said
    retrievers = list(found.chunks[0].retrievers)
    named = [say_html(f"search-why-retriever-{one}") if one in _RETRIEVERS else escape(one) for one in retrievers]
    rows = [(say_html("search-why-passage"), *named, say_html("search-why-ended"))]
    for chunk in found.chunks[:_PASSAGES]:
        section = escape(chunk.section or say("search-why-passage-n", n=chunk.ordinal + 1))
        ranks = [_retriever_rank(chunk.retrievers[one]) for one in retrievers]
        rows.append((section, *ranks, escape(_ended(chunk.outcome.stage))))
    more = len(found.chunks) - _PASSAGES
    return said + _table(rows) + (f'<div class="quiet">{say_html("search-why-more", count=more)}</div>' * (more > 0))


def _key(stage: str) -> str:
    return stage.replace(" ", "-")


def _ended(stage: str) -> str:
    return say(f"search-end-{_key(stage)}") if stage in _ENDS else stage


def _retriever_rank(seen: RetrieverRank) -> str:
    return _rank(None) if seen.rank is None else say_html("search-why-of", rank=seen.rank, of=seen.of)


def _rank(rank: int | None) -> str:
    return "–" if rank is None else f"{rank:,}"


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    head, *body = (tuple(row) for row in rows)
    lines = [f"<tr>{''.join(f'<th>{cell}</th>' if cell else '<td></td>' for cell in head)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body]
    return f'<div class="wide" tabindex="0"><table class="scores">{"".join(lines)}</table></div>'
