"""Models in one file of four-bit weights."""

import numpy as np
import onnxruntime as ort
import pytest

from rag_platform.core.errors import ModelError
from rag_platform.models import onnx_graph
from rag_platform.models.onnx_graph import write_graph
from rag_platform.models.packed_model import PACKED, PackedModel, packed_rows
from tests.encoder import bert
from tests.packed_models import HEADS, HIDDEN, LAYERS, PIECES, write_packed_model

IDS = np.array([[0, 5, 6, 9, 11, 2]], np.int32)


def test_what_is_read_is_what_was_written(tmp_path):
    weights = write_packed_model(tmp_path / PACKED)
    read = PackedModel(tmp_path / PACKED)
    assert (read.pieces, read.special) == ([*PIECES], [0, 2, 1, 3])
    sizes = [read.config[f"num_{name}"] for name in ("hidden_layers", "attention_heads")]
    assert [*sizes, read.config["hidden_size"], read.config["vocab_size"]] == [LAYERS, HEADS, HIDDEN, len(PIECES)]
    assert read.weights.keys() == weights.keys()
    for name, expected in weights.items():
        np.testing.assert_array_equal(read.weights[name][:], expected, err_msg=name)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda whole: b"PK" + whole[2:], "does not begin with E5S1"),
        (lambda whole: whole[:4] + b"\x02" + whole[5:], "does not begin with E5S1 and version 1"),
        (lambda whole: whole[: len(whole) // 2], "is not a packed model"),
        (lambda whole: whole[:20], "is not a packed model"),
        (lambda whole: whole[:0], "is not a packed model"),
    ],
)
def test_another_file_is_refused(tmp_path, damage, says):
    write_packed_model(tmp_path / PACKED)
    (tmp_path / "other").write_bytes(damage((tmp_path / PACKED).read_bytes()))
    with pytest.raises(ModelError, match=says):
        PackedModel(tmp_path / "other")


def test_rows_that_were_packed_lose_nothing():
    random = np.random.default_rng(1)
    numbers = random.integers(-8, 8, (40, 3, 32))
    numbers[..., 7] = -8
    numbers[3] = 0  # an empty block has no scale
    scales = random.uniform(-1, 1, (40, 3, 1)).astype(np.float16).astype(np.float32)
    rows = (numbers * scales).reshape(40, 96).astype(np.float32)
    packed, found = packed_rows(rows)
    low, high = (packed & 15).astype(int), (packed >> 4).astype(int)
    signed = np.stack([low, high], axis=-1).reshape(40, 3, 32)
    signed = np.where(signed > 7, signed - 16, signed)
    np.testing.assert_array_equal((signed * found[..., None]).reshape(40, 96).astype(np.float32), rows)


def test_rounding_errs_by_half_a_step_at_most():
    rows = np.random.default_rng(2).normal(size=(50, 64)).astype(np.float32)
    packed, scales = packed_rows(rows)
    signed = np.stack([packed & 15, packed >> 4], axis=-1).astype(int).reshape(50, 2, 32)
    error = np.where(signed > 7, signed - 16, signed) * scales[..., None] - rows.reshape(50, 2, 32)
    edge = np.where(rows.reshape(50, 2, 32) * np.sign(scales[..., None]) > 7 * np.abs(scales[..., None]), 1, 0.5)
    assert (np.abs(error) <= (edge + 1e-5) * np.abs(scales[..., None])).all()


@pytest.mark.parametrize(("precision", "least"), [("fp32", 0.99999), ("int8", 0.99)])
def test_graph_with_packed_rows_is_the_encoder(tmp_path, monkeypatch, precision, least):
    monkeypatch.setattr(onnx_graph, "MANY_WORDS", 10)
    monkeypatch.setattr(onnx_graph, "ROWS", 7)
    weights = write_packed_model(tmp_path / PACKED)
    write_graph(tmp_path, "mean", precision, tmp_path / "graph.onnx")
    session = ort.InferenceSession(tmp_path / "graph.onnx")
    assert ("GatherBlockQuantized" in (tmp_path / "graph.onnx").read_bytes().decode("latin-1")) == (precision == "int8")
    (tokens,), (sentence,) = session.run(["tokens", "sentence"], {"input_ids": IDS})
    expected = bert(weights, PackedModel(tmp_path / PACKED).config, IDS[0])
    alike = (tokens * expected).sum(1) / np.linalg.norm(tokens, axis=1) / np.linalg.norm(expected, axis=1)
    assert alike.min() > least
    assert sentence @ (expected.mean(0) / np.linalg.norm(expected.mean(0))) > least
