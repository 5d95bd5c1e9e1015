"""An odd shape of texts or questions takes from both retrievers together no more than from each alone (real model)."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.retrieval.odd import SHAPES, Shape, plain, sections
from benchmarks.retrieval.scoring import documents
from benchmarks.retrieval.trees import ROOT
from evals.measures.rank_metrics import rank_measures
from rag_platform.config.settings import MODES, RetrievalSettings
from rag_platform.index.build.builder import build
from rag_platform.index.releases.versions import Versions
from rag_platform.reranking.late_interaction import LateInteraction
from rag_platform.retrieval import Retriever
from tests.index.corpora import corpus, document

NOISE = 0.02
"""What chance does to twenty questions."""


@pytest.fixture(scope="module")
def given() -> dict[str, str]:
    return sections(ROOT / "docs", 20)


@pytest.fixture(scope="module")
def behind(embedder, tmp_path_factory) -> Callable[[Shape], float]:
    """Return how far the worse of our modes is behind the better retriever, in nDCG@10."""
    described = {"name": embedder.card.name, "fingerprint": embedder.fingerprint, "dimension": embedder.dimension}
    reranker = LateInteraction(embedder)

    def _behind(shape: Shape) -> float:
        texts, questions = shape
        made = corpus(*(document(key, text, title="") for key, text in texts.items()))
        space = made.spaces[0]
        vectors = embedder.embed_passages(made.chunks["text"].to_list())
        made = replace(made, spaces=(replace(space, model=space.model | described, vectors=vectors),))
        versions = Versions(tmp_path_factory.mktemp("odd"))
        versions.promote(build(made, versions, partitions={}).version, why="test")
        retriever = Retriever(versions, lambda: embedder, lambda: reranker, RetrievalSettings())
        qrels = {question: dict.fromkeys(found, 1) for question, found in questions.items()}
        scores = {}
        for mode in MODES:
            ranking = {question: documents(retriever, question, mode) for question in questions}
            scores[mode] = np.mean(rank_measures(qrels, ranking, {"nDCG@10": "nDCG@10"})["nDCG@10"].to_numpy())
        assert max(scores.values()) > 0.2, scores  # else it tells nothing
        return max(scores["lexical"], scores["vector"]) - min(scores["hybrid"], scores["rerank"])

    return _behind


@pytest.fixture(scope="module")
def usual(behind, given) -> float:
    return behind(plain(given))


@pytest.mark.parametrize("shape", [name for name in SHAPES if name != "plain"])
def test_an_odd_shape_is_no_reason_to_fall_behind_the_better_retriever(shape, behind, usual, given) -> None:
    assert behind(SHAPES[shape](given)) <= max(usual, 0) + NOISE
