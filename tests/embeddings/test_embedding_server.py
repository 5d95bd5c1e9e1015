"""The embedder of a server, against one on loopback."""

import numpy as np
import pytest

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.embeddings.embedding_server import PROBE, ServerEmbedder
from tests.chat_server import serving
from tests.embeddings.embedding_servers import TEI, VLLM, embedding


@pytest.fixture
def server():
    with serving() as running:
        running.models = VLLM
        yield running


@pytest.fixture
def connect(server, tmp_path):
    def to(address=None, now=lambda: 0.0, **settings):
        chosen = {"name": "tiny", "runtime": "openai", "base_url": address or server.address} | settings
        return ServerEmbedder(ModelSettings(**chosen), cache=tmp_path, pause=0.01, now=now)

    return to


def test_the_first_contact_tells_dimension_and_length_and_is_remembered(server, connect, tiny_embedder, monkeypatch):
    monkeypatch.setenv("EMBEDDINGS_API_KEY", "secret")
    server.script = [embedding(tiny_embedder)]
    model = connect()
    assert (model.dimension, model.max_tokens, model.card.name) == (32, 300, "tiny")
    assert server.requests == [{"model": "tiny", "input": [PROBE], "encoding_format": "float"}]
    assert (server.paths, server.keys) == (["/v1/embeddings"], ["Bearer secret"])
    again = connect()
    assert len(server.requests) == 1 and again.fingerprint == model.fingerprint
    np.testing.assert_allclose(again.embed_query("x"), tiny_embedder.embed_query("x"), atol=1e-5)
    again.embed_query("x")
    assert [request["input"] for request in server.requests[1:]] == [[PROBE], ["x"]]


def test_a_server_of_another_kind_tells_the_commit_of_its_model(server, connect, tiny_embedder):
    server.models, server.script = TEI, [embedding(tiny_embedder)]
    model = connect()
    assert model.max_tokens == 200
    server.models = (200, TEI[1] | {"model_sha": "b" * 40})
    assert connect(revision="2").fingerprint != model.fingerprint


def test_a_server_that_says_nothing_of_its_model_is_taken_to_read_512_tokens(server, connect, tiny_embedder):
    server.models, server.script = (404, b""), [embedding(tiny_embedder)]
    assert connect().max_tokens == 512
    assert connect(max_tokens=64, revision="2").max_tokens == 64


def test_another_model_under_the_same_name_is_refused_until_it_is_said(
    server, connect, tiny_embedder, tiny_unigram_embedder
):
    server.script = [embedding(tiny_embedder)]
    before = connect().fingerprint
    server.script = [embedding(tiny_unigram_embedder)]
    with pytest.raises(ModelError, match=r"other vectors than it first did .*48 numbers.*`revision` in \[model\]"):
        connect().embed_passages(["a"])
    after = connect(revision="2")
    assert after.embed_passages(["a"]).shape == (1, 48) and after.fingerprint != before


def test_other_hardware_changes_the_last_digits_and_nothing_else(server, connect, tiny_embedder):
    exact = embedding(tiny_embedder)
    server.script = [exact]
    connect()

    def rounded(body):
        status, answer = exact(body)
        return status, answer | {
            "data": [one | {"embedding": [round(x, 2) for x in one["embedding"]]} for one in answer["data"]]
        }

    server.script = [rounded]
    assert connect().embed_passages(["a"]).shape == (1, 32)


def test_what_is_too_much_is_sent_in_smaller_parts(server, connect, tiny_embedder):
    server.script = [embedding(tiny_embedder, most=2, longest=150)]
    model, texts = connect(batch=8), [f"number {place}" for place in range(7)]
    np.testing.assert_allclose(model.embed_passages(texts), tiny_embedder.embed_passages(texts), atol=1e-5)
    longer = "b" * 1000  # the estimate takes five letters for a token; this model takes one
    assert np.linalg.norm(model.embed_passages([longer, "a"]), axis=1) == pytest.approx(1, abs=1e-5)
    assert max(len(request["input"]) for request in server.requests) == 7


def test_a_refusal_of_another_kind_is_told(server, connect, tiny_embedder):
    server.script = [embedding(tiny_embedder)]
    model = connect()
    server.script = [(400, {"error": {"message": "no such encoding"}})]
    with pytest.raises(ModelError, match=r"answered 400 .*no such encoding"):
        model.embed_passages(["a", "b"])
    server.script = [(401, {"error": "Unauthorized"})]
    with pytest.raises(ModelError, match=r"answered 401 .*EMBEDDINGS_API_KEY"):
        model.embed_query("a")


@pytest.mark.parametrize("failure", [(503, {}), (429, {"detail": "slow down"}), ["die"]])
def test_failures_that_may_pass_are_tried_again(server, connect, tiny_embedder, failure):
    server.script = [failure, failure, embedding(tiny_embedder)]
    assert connect().dimension == 32
    assert len(server.requests) == 3


def test_a_server_out_of_reach_is_left_alone_for_a_while(server, connect, tiny_embedder):
    clock = [0.0]
    server.script = [embedding(tiny_embedder)]
    connect()
    gone = connect("http://127.0.0.1:9/v1", now=lambda: clock[0])  # what was first said is known
    assert gone.count_tokens(["a text"])[0] > 2
    for problem in ("cannot be reached", "a moment ago"):
        with pytest.raises(ModelError, match=problem):
            gone.embed_query("a")
    clock[0] = 16.0
    with pytest.raises(ModelError, match="cannot be reached"):
        gone.embed_query("a")


@pytest.mark.parametrize(
    "answer",
    [
        (200, b"no json"),
        (200, []),
        (200, {"data": []}),
        (200, {"data": [{"index": 1, "embedding": [1.0]}]}),
        (200, {"data": [{"index": 0, "embedding": "AAAA"}]}),
        (200, {"data": [{"index": 0, "embedding": [0.0, 0.0]}]}),
        (200, {"data": [{"index": 0, "embedding": [float("nan")]}]}),
    ],
)
def test_an_answer_that_is_none_is_told(server, connect, answer):
    server.script = [answer]
    with pytest.raises(ModelError, match="is it an embeddings endpoint"):
        connect()


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"runtime": "openai", "name": "x"}, "base_url"),
        ({"base_url": "http://127.0.0.1/v1", "name": "x"}, "go together"),
        ({"runtime": "openai", "base_url": "http://127.0.0.1/v1"}, "needs a name"),
    ],
)
def test_settings_of_a_server_are_whole(settings, problem):
    with pytest.raises(ValueError, match=problem):
        ModelSettings(**settings)
