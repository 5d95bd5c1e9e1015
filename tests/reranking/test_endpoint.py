"""The rerank endpoint against a server on loopback."""

import numpy as np
import pytest

from rag_platform.config.settings import RerankerSettings
from rag_platform.core.errors import RerankError
from rag_platform.reranking.endpoint import RerankEndpoint
from tests.reranking.conftest import ranked

PASSAGES = ["a heron stands", "the ferry crosses", "the river"]


def same(word):
    return 1.0


@pytest.fixture
def endpoint(server):
    def make(key=None, **settings):
        return RerankEndpoint(RerankerSettings(base_url=server.address + "/", **settings), key, pause=0.01)

    return make


def results(*pairs):
    return 200, {"results": [{"index": index, "relevance_score": score} for index, score in pairs]}


def test_scores_come_back_to_their_passages(server, endpoint):
    server.script = [ranked]
    scores = endpoint("secret", model="ranker").score("the ferry", PASSAGES, same)
    assert scores.tolist() == [0.0, 1.0, 0.5]
    assert server.requests == [{"model": "ranker", "query": "the ferry", "documents": PASSAGES}]
    assert (server.paths, server.keys) == (["/v1/rerank"], ["Bearer secret"])


def test_no_model_is_named_unless_set(server, endpoint):
    server.script = [ranked]
    endpoint().score("x", ["a"], same)
    assert "model" not in server.requests[0] and server.keys == [None]


@pytest.mark.parametrize("failure", [(503, {}), (429, {"detail": "slow down"}), ["die"]])
def test_failures_that_may_pass_are_tried_again(server, endpoint, failure):
    server.script = [failure, failure, ranked]
    assert endpoint().score("the ferry", PASSAGES, same).tolist() == [0.0, 1.0, 0.5]
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("status", "advice"),
    [(401, "RERANKER_API_KEY"), (404, r"reranker\.base_url"), (500, "the server's log"), (307, "log")],
)
def test_a_refusal_says_what_to_do(server, endpoint, status, advice):
    server.script = [(status, {"detail": "no such thing"})]
    with pytest.raises(RerankError, match=rf"answered {status} .*no such thing.*{advice}") as caught:
        endpoint().score("x", PASSAGES, same)
    assert np.isnan(caught.value.scores).all() and caught.value.scores.shape == (3,)


def test_a_server_that_is_late_is_asked_only_once(server, endpoint):
    server.script = [["hang"]]
    with pytest.raises(RerankError, match=r"within 0\.2 s; raise reranker\.timeout"):
        endpoint(timeout=0.2).score("x", PASSAGES, same)
    assert len(server.requests) == 1


def test_no_server_at_all():
    nobody = RerankEndpoint(RerankerSettings(base_url="http://127.0.0.1:9/v1"), pause=0.01)
    with pytest.raises(RerankError, match=r"cannot be reached .* reranker\.base_url"):
        nobody.score("x", PASSAGES, same)


@pytest.mark.parametrize(
    "answer",
    [
        (200, b"no json"),
        (200, {"data": []}),
        (200, []),
        (200, {"results": [{"index": 0}]}),
        results((3, 0.5)),
        results((-1, 0.5)),
        results((True, 0.5)),
        results((0, None)),
        results((0, "NaN")),
        results((0, 1e999)),
        results((0, 1), ("1", 1)),
    ],
)
def test_an_answer_of_another_form_is_not_believed(server, endpoint, answer):
    server.script = [answer]
    with pytest.raises(RerankError, match="is it a rerank endpoint") as caught:
        endpoint().score("x", PASSAGES, same)
    assert np.isnan(caught.value.scores).all()


def test_what_is_left_out_is_said(server, endpoint):
    server.script = [results((2, 0.5))]
    with pytest.raises(RerankError, match="judged 1 of 3 passages") as caught:
        endpoint().score("x", PASSAGES, same)
    np.testing.assert_array_equal(caught.value.scores, [np.nan, np.nan, 0.5])


def test_an_answer_without_end_is_cut(server, endpoint, monkeypatch):
    monkeypatch.setattr("rag_platform.reranking.endpoint._MOST", 1000)
    server.script = [(200, b" " * 2000)]
    with pytest.raises(RerankError, match="more than 1000 bytes"):
        endpoint().score("x", PASSAGES, same)
