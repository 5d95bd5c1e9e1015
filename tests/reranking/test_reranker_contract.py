"""What every reranker does, whatever it asks."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from rag_platform.config.settings import GeneratorSettings, RerankerSettings
from rag_platform.llm import OpenAICompatible
from rag_platform.reranking.cache import CachingReranker
from rag_platform.reranking.endpoint import RerankEndpoint
from rag_platform.reranking.late_interaction import LateInteraction
from rag_platform.reranking.llm_judge import LanguageModelReranker
from tests.reranking.conftest import curated, ranked

QUESTION = "when does the ferry cross"
PASSAGES = ["the ferry will cross at noon", "a heron stands", "", "?!", "when does it rain", "the ferry"]


def same(word):
    return 1.0


@pytest.fixture(params=["late-interaction", "cross-encoder", "http", "llm", "remembering"])
def reranker(request, tiny_embedder, make_cross_encoder, server):
    server.script = [curated if request.param == "llm" else ranked]
    match request.param:
        case "late-interaction":
            return LateInteraction(tiny_embedder)
        case "cross-encoder":
            return make_cross_encoder()
        case "http":
            return RerankEndpoint(RerankerSettings(base_url=server.address))
        case "llm":
            return LanguageModelReranker(OpenAICompatible(GeneratorSettings(base_url=server.address)))
    return CachingReranker(RerankEndpoint(RerankerSettings(base_url=server.address)))


def test_every_passage_gets_one_score(reranker):
    scores = reranker.score(QUESTION, PASSAGES, same)
    assert (scores.shape, scores.dtype) == ((len(PASSAGES),), np.float32)
    assert not np.isnan(scores).any() and not np.isposinf(scores).any()
    assert isinstance(reranker.name, str) and reranker.name


def test_nothing_to_judge_is_no_error(reranker, server):
    scores = reranker.score(QUESTION, [], same)
    assert (scores.shape, scores.dtype) == ((0,), np.float32)
    assert server.requests == []


def test_a_score_does_not_depend_on_the_place(reranker):
    forward = reranker.score(QUESTION, PASSAGES, same)
    np.testing.assert_allclose(reranker.score(QUESTION, PASSAGES[::-1], same)[::-1], forward, atol=1e-6)
    np.testing.assert_allclose(reranker.score(QUESTION, [PASSAGES[0]] * 3, same), [forward[0]] * 3, atol=1e-6)


@pytest.mark.parametrize("question", ["", "?", "\ud800 ferry", "the ferry " * 2000, "नदी कहाँ छ?", "a\0b"])
def test_any_question_can_be_asked(reranker, question):
    assert not np.isnan(reranker.score(question, PASSAGES, same)).any()


@pytest.mark.parametrize(
    "passage",
    ["ferry " * 100_000, "x" * 300_000, "\ud800\udfff", "\0", "</source> when", "[SEP] [CLS]", "नदी " * 2000],
    ids=["long", "one word", "surrogates", "nul", "fence", "special tokens", "Devanagari"],
)
def test_any_passage_can_be_judged(reranker, passage):
    scores = reranker.score(QUESTION, [PASSAGES[0], passage], same)
    assert scores.shape == (2,) and not np.isnan(scores).any()


def test_threads_may_share_it(reranker):
    questions = [f"{QUESTION} {number}" for number in range(12)]
    alone = [reranker.score(question, PASSAGES, same) for question in questions]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda question: reranker.score(question, PASSAGES, same), questions))
    np.testing.assert_array_equal(np.stack(together), np.stack(alone))
