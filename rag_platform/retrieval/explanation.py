"""Why each candidate stands where it does."""

import numpy as np

from rag_platform.retrieval.arrangement import pairs
from rag_platform.retrieval.trace import Searched


def explain_all(searched: Searched) -> tuple[dict, ...]:
    """Tell of every candidate how each stage saw it and where it ended."""
    found, kept = searched.found, searched.arranged.kept
    lexical, vector = _ranks(found.lexical), _ranks(found.vector)
    chunks = [found.row(place)["chunk_id"] for place in range(len(found.keys))]
    behind = {place: (kind, chunks[hit]) for place, hit, kind in pairs(searched.arranged)}
    ranks = {place: rank for rank, place in enumerate(kept, start=1)}
    stages = {name: _places(stage.keys) for name, stage in found.trace.stages.items()}
    explained = []
    for place, key in enumerate(found.keys.tolist()):
        kind, into = behind.get(place, (None, None))
        explained.append(
            {
                "rank": place + 1,
                "returned": place in kept,
                "hit": ranks.get(place),
                "folded_into": into if kind == "folded" else None,
                "merged_into": into if kind == "merged" else None,
                "crowded": place in searched.arranged.crowded,
                "chunk_id": chunks[place],
                "uri": found.row(place)["uri"],
                "lexical_rank": lexical[place],
                "vector_rank": vector[place],
                "ranks": {name: places[key] for name, places in stages.items() if key in places},
                "reranked": bool(np.isfinite(found.rerank[place])),
                "score": round(float(found.score[place]), 6),
                "scores": found.scores(place),
            }
        )
    return tuple(explained)


def _places(keys: np.ndarray) -> dict[int, int]:
    return {key: rank for rank, key in enumerate(keys.tolist(), start=1)}


def _ranks(scores: np.ndarray) -> list[int | None]:
    order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")
    ranks = np.empty(len(scores), int)
    ranks[order] = np.arange(1, len(scores) + 1)
    return [int(rank) if np.isfinite(score) else None for rank, score in zip(ranks, scores, strict=True)]
