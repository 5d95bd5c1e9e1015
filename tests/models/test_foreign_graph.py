"""ONNX graphs that others wrote."""

import json

import numpy as np
import pytest

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.embeddings.runtimes import open_model
from rag_platform.models.cards import find_card
from rag_platform.models.foreign_graph import graph_of
from tests.foreign_models import export

TEXT = "The ferry crosses the river, नमस्ते."


@pytest.fixture(scope="module")
def exact(tiny_model_folder, tmp_path_factory):
    card = find_card(ModelSettings(name="tiny", folder=tiny_model_folder))
    return OnnxEmbedder(tiny_model_folder, card, precision="fp32", cache=tmp_path_factory.mktemp("cache"))


def opened(folder):
    return open_model(ModelSettings(name="theirs", folder=folder))


def poolings(folder, **config):
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))


@pytest.mark.parametrize("place", ["model.onnx", "onnx/model.onnx"])
def test_a_foreign_graph_gives_the_vectors_of_its_weights(tiny_model_folder, exact, tmp_path, place):
    model = opened(export(tiny_model_folder, tmp_path / "theirs", place=place))
    np.testing.assert_allclose(model.embed_query(TEXT), exact.embed_query(TEXT), atol=1e-5)
    tokens, known = model.embed_tokens([TEXT])[0], exact.embed_tokens([TEXT])[0]
    np.testing.assert_allclose(tokens.vectors, known.vectors, atol=1e-5)
    assert (tokens.spans == known.spans).all()


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ({"pooling_mode_cls_token": True}, lambda tokens: tokens[0]),
        ({"pooling_mode_max_tokens": True}, lambda tokens: tokens.max(axis=0)),
        ({"pooling_mode_lasttoken": True}, lambda tokens: tokens[-1]),
        ({"pooling_mode": "lasttoken"}, lambda tokens: tokens[-1]),
        ({"pooling_mode_mean_sqrt_len_tokens": True}, lambda tokens: tokens.mean(axis=0)),
    ],
)
def test_pooling_is_that_of_the_model(tiny_model_folder, exact, tmp_path, pooling, expected):
    folder = export(tiny_model_folder, tmp_path / "theirs")
    poolings(folder, **pooling)
    hidden = exact._run(("tokens",), exact._cutter.encode(TEXT))[0]
    vector = expected(hidden)
    np.testing.assert_allclose(opened(folder).embed_query(TEXT), vector / np.linalg.norm(vector), atol=1e-5)


def test_another_pooling_is_refused(tiny_model_folder, tmp_path):
    folder = export(tiny_model_folder, tmp_path / "theirs")
    poolings(folder, pooling_mode="weightedmean")
    with pytest.raises(ModelError, match=r"weightedmean.*cls, last, max, mean.*sentence-transformers"):
        opened(folder)


def test_a_graph_that_pools_has_all_layers_in_it(tiny_model_folder, exact, tmp_path):
    folder = export(tiny_model_folder, tmp_path / "theirs", sentence=True)
    (folder / "modules.json").write_text(json.dumps([{"type": "sentence_transformers.models.Dense"}]))
    np.testing.assert_allclose(opened(folder).embed_query(TEXT), exact.embed_query(TEXT), atol=1e-5)
    plain = export(tiny_model_folder, tmp_path / "plain")
    (plain / "modules.json").write_text((folder / "modules.json").read_text())
    with pytest.raises(ModelError, match="the layer Dense"):
        opened(plain)


def test_weights_of_our_kinds_come_before_a_graph(tiny_model_folder, tmp_path):
    folder = export(tiny_model_folder, tmp_path / "theirs", model_type="bert")
    assert graph_of(folder) == folder / "onnx/model.onnx"
    (folder / "model.safetensors").write_bytes((tiny_model_folder / "model.safetensors").read_bytes())
    assert graph_of(folder) is None


def test_a_changed_graph_is_another_model(tiny_model_folder, tmp_path):
    folder = export(tiny_model_folder, tmp_path / "theirs")
    before = opened(folder).fingerprint
    graph = folder / "onnx/model.onnx"
    graph.write_bytes(graph.read_bytes() + b"\x82\x01\x00")  # an empty metadata field at the end of the message
    (folder / "README.md").write_text("A description is not part of it.")
    changed = opened(folder).fingerprint
    assert changed != before
    (folder / "README.md").write_text("Another one.")
    assert opened(folder).fingerprint == changed
