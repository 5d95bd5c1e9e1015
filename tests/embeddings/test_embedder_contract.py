"""What every embedding model does, whatever runs it."""

import json
import shutil

import numpy as np
import pytest

from rag_platform.chunks import Chunker
from rag_platform.config.settings import ModelSettings
from rag_platform.core.ids import digest
from rag_platform.embeddings.batched_embedder import TOLERANCE
from rag_platform.embeddings.embedding_model import TokenModel
from rag_platform.embeddings.runtimes import open_model
from tests.chat_server import serving
from tests.embeddings.embedding_servers import VLLM, embedding
from tests.foreign_models import export

TEXTS = ["A ferry crosses the river.", "", "नमस्ते, 渡し船!", "b", "half \ud83d", "long text " * 400, "b"]


@pytest.fixture(scope="module")
def server(tiny_embedder):
    with serving() as running:
        running.models, running.script = VLLM, [embedding(tiny_embedder)]
        yield running


def _server(request):
    address = request.getfixturevalue("server").address
    return {"name": "tiny", "runtime": "openai", "base_url": address, "batch": 3}


def _sentence_transformers(request):
    pytest.importorskip("sentence_transformers", reason="the extra `torch` is not installed")
    folder = request.getfixturevalue("tmp_path_factory").mktemp("torch") / "tiny"
    shutil.copytree(request.getfixturevalue("tiny_model_folder"), folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"vocab_size": 108}))  # which only transformers asks for
    return {"folder": folder, "runtime": "sentence-transformers", "device": "cpu"}


def _foreign_graph(request):
    folder = request.getfixturevalue("tmp_path_factory").mktemp("foreign") / "tiny"
    return {"folder": export(request.getfixturevalue("tiny_model_folder"), folder)}


def _card(runtime):
    """Return what runs on a card, or here, where there is none, on the processor by the same code."""

    def chosen(request):
        return {"folder": request.getfixturevalue("tiny_model_folder"), "runtime": runtime}

    return chosen


RUNTIMES = {
    "cuda": _card("cuda"),
    "tensorrt": _card("tensorrt"),
    "foreign graph": _foreign_graph,
    "onnx": lambda request: {"folder": request.getfixturevalue("tiny_model_folder")},
    "openai": _server,
    "sentence-transformers": _sentence_transformers,
}
EXACT = ("onnx", "foreign graph")
"""Those of which a vector does not depend on what it was made beside to the last digit."""

ROUNDED = ("onnx", "openai")
"""Those whose weights are rounded to eight bits here."""


@pytest.fixture(scope="module", params=RUNTIMES)
def make(request, tmp_path_factory):
    """Return what opens the model with further settings, and by its name the runtime."""
    chosen = {"name": "tiny"} | RUNTIMES[request.param](request)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAG_MODEL_CACHE", str(tmp_path_factory.mktemp("cache")))
        opening = lambda **more: open_model(ModelSettings(**(chosen | more)))  # noqa: E731
        opening.runtime = request.param
        yield opening


@pytest.fixture(scope="module")
def model(make):
    return make()


def test_vectors_are_unit_in_order_and_of_single_precision(model):
    seen = []
    vectors = model.embed_passages(TEXTS, lambda *done: seen.append(done))
    assert (vectors.shape, vectors.dtype) == ((len(TEXTS), model.dimension), np.float32)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert seen[-1] == (len(TEXTS), len(TEXTS)) and seen == sorted(seen)
    np.testing.assert_allclose(vectors[3], vectors[6], atol=1e-5)
    assert abs(float(vectors[0] @ vectors[3])) < 0.999


def test_a_vector_is_the_same_beside_others_and_alone(make, model):
    tolerance = 0.0 if make.runtime in EXACT else 1e-4
    together = model.embed_passages(TEXTS)
    for place in (0, 2, 5):
        np.testing.assert_allclose(model.embed_passages([TEXTS[place]])[0], together[place], atol=tolerance)
    np.testing.assert_allclose(model.embed_query(TEXTS[0]), together[0], atol=tolerance)


def test_vectors_are_those_of_the_processor_in_full_precision(make, model, tiny_model_folder):
    reference = open_model(ModelSettings(name="tiny", folder=tiny_model_folder, precision="fp32"))
    few = [text for text in TEXTS if text.strip()]
    apart = 1 - (model.embed_passages(few) * reference.embed_passages(few)).sum(axis=1)
    assert apart.max() < (0.01 if make.runtime in ROUNDED else TOLERANCE)
    if make.runtime in ("cuda", "tensorrt"):
        assert model.fingerprint == reference.fingerprint
    else:
        assert model.fingerprint != reference.fingerprint


def test_nothing_to_embed_is_an_empty_array(model):
    assert model.embed_passages([]).shape == (0, model.dimension)
    assert model.count_tokens([]) == []


def test_prefixes_go_before_the_text(make, model):
    prefixing = make(query_prefix="query: ", passage_prefix="passage: ")
    np.testing.assert_allclose(prefixing.embed_query("x"), model.embed_query("query: x"), atol=1e-5)
    np.testing.assert_allclose(prefixing.embed_passages(["x"])[0], model.embed_query("passage: x"), atol=1e-5)
    prefix, nothing = model.count_tokens(["passage: ", ""])
    assert prefixing.limit == model.limit - (prefix - nothing)


def test_longer_texts_are_cut(make):
    model = make(max_tokens=40)
    assert (model.max_tokens, model.limit) == (40, 40)
    same = model.embed_passages(["b " * 200, "b " * 300])
    np.testing.assert_allclose(same[0], same[1], atol=1e-4)


def test_tokens_are_counted_or_estimated_and_chunks_fit(model):
    nothing, few, many = model.count_tokens(["", "A ferry", "A ferry crosses the river at noon, and नमस्ते 渡し船."])
    assert 0 < nothing < few < many
    chunker = Chunker(model.tokenizer, 32, 0, limit=model.limit)
    pieces = chunker.split("The ferry crosses the river at noon. " * 40)
    assert len(pieces) > 3 and max(piece.tokens for piece in pieces) <= 36


def test_fingerprints_name_what_a_vector_depends_on(make, model):
    assert make().fingerprint == model.fingerprint
    others = [make(**more).fingerprint for more in ({"passage_prefix": "p: "}, {"max_tokens": 100}, {"name": "tiny2"})]
    assert len({model.fingerprint, *others}) == 4


def test_the_settings_state_languages(make, model):
    assert make(languages=("en", "ne")).card.languages == ("en", "ne")
    assert model.card.languages == ()


def test_a_memo_spares_the_work(model):
    class Memo(dict):
        put = lambda self, key, result, took: self.__setitem__(key, result)  # noqa: E731

    memo = Memo()
    first = model.remembering(memo).embed_passages(TEXTS[:3])
    again = model.remembering(memo).embed_passages(TEXTS[:3])
    assert len(memo) == 3 and digest("passage", model.fingerprint, TEXTS[0], length=32) in memo
    np.testing.assert_array_equal(first, again)
    np.testing.assert_allclose(first, model.embed_passages(TEXTS[:3]), atol=1e-4)


def test_token_vectors_are_given_by_what_runs_here(make, model):
    assert isinstance(model, TokenModel) == (make.runtime != "openai")
    if isinstance(model, TokenModel):
        tokens, empty, cut = model.embed_tokens(["Ab, wörld", "", "b " * 400])
        assert ["Ab, wörld"[start:end] for start, end in tokens.spans] == ["A", "b", ",", "w", "ö", "r", "l", "d"]
        assert tokens.words.tolist() == [0, 0, 1, 2, 2, 2, 2, 2]
        np.testing.assert_allclose(np.linalg.norm(tokens.vectors, axis=1), 1, atol=1e-5)
        assert len(empty.vectors) == 0 and len(cut.vectors) == len(cut.words) == model.max_tokens - 2
