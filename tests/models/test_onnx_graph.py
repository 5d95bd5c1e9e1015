"""The graph computes what the BERT paper says, here written out in numpy."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest
from safetensors.numpy import load_file

from rag_platform.core.errors import ModelError
from rag_platform.models import graph_cache
from rag_platform.models.graph_cache import cached_graph
from rag_platform.models.onnx_graph import bert_graph, write_graph
from rag_platform.models.onnx_runtime import open_session
from tests.encoder import bert, gelu, gelu_tanh

CONFIG = {"model_type": "bert", "hidden_act": "gelu", "layer_norm_eps": 1e-12}
IDS = np.array([[2, 40, 60, 41, 77, 3]], np.int32)


def logit(weights, config, ids, segments, first=0):
    """Return what the head of a cross-encoder makes of the first token."""
    inner, last = ("classifier.dense", "classifier.out_proj") if first else ("pooler.dense", "classifier")
    token = bert(weights, config, ids, first, segments=segments)[0]
    hidden = np.tanh(weights[f"{inner}.weight"] @ token + weights[f"{inner}.bias"])
    return (weights[f"{last}.weight"] @ hidden + weights[f"{last}.bias"]).item()


def unit(x):
    return x / np.linalg.norm(x)


def read(folder: Path):
    return load_file(folder / "model.safetensors"), json.loads((folder / "config.json").read_text())


def run(path: Path, ids=IDS):
    tokens, sentence = open_session(path).run(["tokens", "sentence"], {"input_ids": ids})
    assert tokens.shape[0] == sentence.shape[0] == 1
    return tokens[0], sentence[0]


@pytest.mark.parametrize(
    ("config", "first", "activation"),
    [
        pytest.param({}, 0, gelu, id="bert"),
        pytest.param({"model_type": "xlm-roberta"}, 2, gelu, id="xlm-roberta"),
        pytest.param({"hidden_act": "gelu_new", "layer_norm_eps": 1e-5}, 0, gelu_tanh, id="gelu_new"),
    ],
)
def test_fp32_graph_is_the_encoder(tmp_path, make_tiny_model, config, first, activation):
    folder = make_tiny_model(tmp_path / "model", **config)
    write_graph(folder, "mean", "fp32", tmp_path / "graph.onnx")
    tokens, sentence = run(tmp_path / "graph.onnx")
    expected = bert(*read(folder), IDS[0], first, activation)
    np.testing.assert_allclose(tokens, expected, atol=1e-4)
    np.testing.assert_allclose(sentence, unit(expected.mean(0)), atol=1e-4)


def test_cls_pooling_takes_the_first_token(tmp_path, tiny_model_folder):
    write_graph(tiny_model_folder, "cls", "fp32", tmp_path / "graph.onnx")
    tokens, sentence = run(tmp_path / "graph.onnx")
    np.testing.assert_allclose(sentence, unit(tokens[0]), atol=1e-6)


def test_int8_graph_stays_close(tmp_path, tiny_model_folder):
    write_graph(tiny_model_folder, "mean", "int8", tmp_path / "graph.onnx")
    expected = bert(*read(tiny_model_folder), IDS[0])
    tokens, sentence = run(tmp_path / "graph.onnx")
    assert sentence @ unit(expected.mean(0)) > 0.99
    assert not np.allclose(tokens, expected, atol=1e-4), "nothing was quantised"


SEGMENTS = np.array([[0, 0, 0, 1, 1, 1]], np.int32)


@pytest.mark.parametrize("precision", ["fp32", "int8"])
@pytest.mark.parametrize(
    ("config", "first", "inputs"),
    [
        pytest.param({}, 0, {"input_ids": IDS, "token_type_ids": SEGMENTS}, id="bert"),
        pytest.param({"model_type": "xlm-roberta", "type_vocab_size": 1}, 2, {"input_ids": IDS}, id="xlm-roberta"),
    ],
)
def test_graph_of_a_cross_encoder_gives_its_logit(tmp_path, make_tiny_model, config, first, inputs, precision):
    folder = make_tiny_model(tmp_path / "model", **config)
    write_graph(folder, "score", precision, tmp_path / "graph.onnx")
    session = open_session(tmp_path / "graph.onnx")
    assert {wanted.name for wanted in session.get_inputs()} == set(inputs)
    ((score,),) = session.run(["score"], inputs)[0]
    expected = logit(*read(folder), IDS[0], SEGMENTS[0] if not first else 0, first)
    assert score == pytest.approx(expected, abs=1e-4 if precision == "fp32" else 0.15)


def test_a_classifier_of_several_classes_is_refused(tmp_path, make_tiny_model):
    folder = make_tiny_model(tmp_path / "model", labels=3)
    with pytest.raises(ModelError, match="3 classes; expected a cross-encoder"):
        write_graph(folder, "score", "fp32", tmp_path / "graph.onnx")


def test_weights_beyond_what_a_graph_can_hold_are_refused_at_once(tmp_path, tiny_model_folder, monkeypatch):
    monkeypatch.setattr("rag_platform.models.onnx_graph.LARGEST", 1000)
    with pytest.raises(ModelError, match="let a server run this one"):
        write_graph(tiny_model_folder, "score", "fp32", tmp_path / "graph.onnx")


def test_names_with_the_prefix_of_a_task_model_are_found(tiny_model_folder):
    weights, config = read(tiny_model_folder)
    prefixed = {f"bert.{name}": weights[name] for name in weights}
    assert bert_graph(prefixed, config, "mean") == bert_graph(weights, config, "mean")


@pytest.mark.parametrize("change", [{"model_type": "mpnet"}, {"hidden_act": "relu"}])
def test_another_architecture_is_refused(change):
    with pytest.raises(ModelError, match=f"{next(iter(change))} = {next(iter(change.values()))!r}; expected one of"):
        bert_graph({}, CONFIG | change, "mean")


def test_other_positions_and_poolings_are_refused():
    with pytest.raises(ModelError, match="position_embedding_type = 'relative_key'"):
        bert_graph({}, CONFIG | {"position_embedding_type": "relative_key"}, "mean")
    with pytest.raises(ModelError, match="pooling 'max'"):
        bert_graph({}, CONFIG, "max")


def test_missing_tensor_is_named(tiny_model_folder):
    weights, config = read(tiny_model_folder)
    del weights["encoder.layer.1.output.dense.bias"]
    with pytest.raises(ModelError, match=r"encoder\.layer\.1\.output\.dense\.bias"):
        bert_graph(weights, config, "mean")


def test_unreadable_weights_are_an_error_that_names_the_folder(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"not safetensors")
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    with pytest.raises(ModelError, match=str(tmp_path)):
        write_graph(tmp_path, "mean", "fp32", tmp_path / "graph.onnx")


def test_of_workers_that_start_at_once_one_writes_the_graph(tmp_path, tiny_model_folder, monkeypatch):
    own, written, begun = graph_cache._write, [], Barrier(4)

    def slow(*given):
        written.append(given)
        time.sleep(0.2)
        return own(*given)

    def opened(_):
        begun.wait()
        return cached_graph(tiny_model_folder, "0" * 64, "mean", "int8", tmp_path)

    monkeypatch.setattr(graph_cache, "_write", slow)
    with ThreadPoolExecutor(4) as pool:
        (path,) = {*pool.map(opened, range(4))}
    assert len(written) == 1
    assert run(path)


@pytest.mark.parametrize("damaged", [".onnx", ".weights"])
def test_graph_is_written_once_and_again_when_damaged(tmp_path, tiny_model_folder, damaged):
    first = cached_graph(tiny_model_folder, "0" * 64, "mean", "int8", tmp_path)
    expected = run(first)
    written = first.stat().st_mtime_ns
    assert cached_graph(tiny_model_folder, "0" * 64, "mean", "int8", tmp_path) == first
    assert first.stat().st_mtime_ns == written
    (file,) = tmp_path.glob(f"*{damaged}")
    file.write_bytes(file.read_bytes()[:-100])
    again = cached_graph(tiny_model_folder, "0" * 64, "mean", "int8", tmp_path)
    assert all(map(np.array_equal, run(again), expected))
    assert cached_graph(tiny_model_folder, "0" * 64, "mean", "fp32", tmp_path) != again
    assert len(list(tmp_path.glob("*mapped-*"))) == 4
