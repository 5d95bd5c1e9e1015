"""Why each candidate stands where it does."""

from collections.abc import Mapping

import numpy as np

from rag_platform.retrieval.candidates import Candidates


def explain_all(found: Candidates, kept: Mapping[int, list[int]]) -> tuple[dict, ...]:
    """Tell of every candidate how each stage saw it and where it ended."""
    lexical, vector = _ranks(found.lexical), _ranks(found.vector)
    chunks = [found[place]["chunk_id"] for place in range(len(found))]
    folded = {place: chunks[original] for original, places in kept.items() for place in places}
    return tuple(
        {
            "rank": place + 1,
            "returned": place in kept,
            "folded_into": folded.get(place),
            "chunk_id": chunks[place],
            "uri": found[place]["uri"],
            "lexical_rank": lexical[place],
            "vector_rank": vector[place],
            "reranked": bool(np.isfinite(found.rerank[place])),
            "score": round(float(found.score[place]), 6),
            "scores": found.scores(place),
        }
        for place in range(len(found))
    )


def _ranks(scores: np.ndarray) -> list[int | None]:
    order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")
    ranks = np.empty(len(scores), int)
    ranks[order] = np.arange(1, len(scores) + 1)
    return [int(rank) if np.isfinite(score) else None for rank, score in zip(ranks, scores, strict=True)]
