"""Embedding in batches, as on a graphics card; here the same code runs on the processor."""

import logging
from types import SimpleNamespace

import numpy as np
import onnxruntime
import pytest

from rag_platform.config.settings import ModelSettings
from rag_platform.config.settings_file import load_settings
from rag_platform.embeddings import batched_embedder
from rag_platform.embeddings.batched_embedder import TOLERANCE
from rag_platform.embeddings.runtimes import open_model
from rag_platform.embeddings.token_batches import token_batches
from rag_platform.embeddings.token_codes import unpacked
from rag_platform.models.gpu import bound_session

TEXTS = ["A ferry crosses the river.", "b", "", "long text " * 60, "नमस्ते, 渡し船!", "b b b"]


@pytest.fixture(scope="module")
def settings(tiny_model_folder):
    return ModelSettings(name="tiny", folder=tiny_model_folder, runtime="cuda")


def test_batches_hold_so_many_tokens_and_every_text_once():
    lengths = [3, 90, 4, 40, 3, 200, 5]
    batches = token_batches(lengths, 100, 3)
    assert sorted(np.concatenate(batches).tolist()) == list(range(7))
    assert [batch.tolist() for batch in batches] == [[5], [1], [3, 6], [2, 0, 4]]
    for batch in batches:
        widest = max(lengths[place] for place in batch)
        assert len(batch) == 1 or len(batch) * widest <= 100
    assert token_batches([], 100, 3) == []


def test_texts_of_like_lengths_run_together_and_none_is_too_wide(settings, monkeypatch):
    model, shapes = open_model(settings), []
    run = model._session.run
    monkeypatch.setattr(batched_embedder, "BATCH_TOKENS", 64)
    monkeypatch.setattr(
        model._session, "run", lambda outputs, feed: shapes.append(feed["input_ids"].shape) or run(outputs, feed)
    )
    vectors = model.embed_passages(TEXTS * 5)
    assert len(shapes) < 30 and all(rows == 1 or rows * width <= 64 for rows, width in shapes)
    assert max(rows for rows, _ in shapes) > 5
    np.testing.assert_allclose(vectors[:6], vectors[-6:], atol=TOLERANCE)


@pytest.mark.parametrize("runtime", ["cuda", "tensorrt"])
def test_token_vectors_come_with_the_texts_in_one_run_and_are_those_of_one_text_at_a_time(settings, runtime):
    model = open_model(settings.model_copy(update={"runtime": runtime, "passage_prefix": "p: "}))
    alone = open_model(settings.model_copy(update={"runtime": "onnx", "passage_prefix": "p: "}))
    vectors, tokens = model.embed_with_tokens(TEXTS, 2)
    expected, theirs = alone.embed_with_tokens(TEXTS, 2)
    np.testing.assert_allclose(vectors, expected, atol=TOLERANCE)
    for own, other in zip(tokens, theirs, strict=True):
        assert len(own) == len(other)
        rows, others = (unpacked(np.frombuffer(one, np.uint8), model.dimension, 2) for one in (own, other))
        np.testing.assert_allclose(rows, others, atol=0.05)


def test_without_a_card_it_says_so_and_runs_here(settings, caplog):
    with caplog.at_level(logging.WARNING):
        model = open_model(settings.model_copy(update={"runtime": "tensorrt"}))
    assert model.device == "cpu"
    assert "no TensorrtExecutionProvider" in caplog.text and "pip uninstall onnxruntime" in caplog.text


def test_a_build_with_cuda_but_no_card_is_told_apart(settings, caplog, monkeypatch):
    every = ["CUDAExecutionProvider", "CPUExecutionProvider"]
    asked, real = [], onnxruntime.InferenceSession
    monkeypatch.setattr(bound_session.ort, "get_available_providers", lambda: every)

    def opened(graph, options, providers):
        asked.extend(providers)
        return real(graph, options, providers=["CPUExecutionProvider"])

    monkeypatch.setattr(bound_session.ort, "InferenceSession", opened)
    with caplog.at_level(logging.WARNING):
        open_model(settings.model_copy(update={"device": "cuda:1"}))
    assert asked[0] == ("CUDAExecutionProvider", {"device_id": 1, "use_tf32": 0})
    assert "nvidia-smi" in caplog.text and "pip uninstall" not in caplog.text


def test_on_a_card_inputs_and_outputs_are_bound_to_it(settings, monkeypatch):
    """What a card is given cannot be run here; that it is given it can be seen."""
    model, bound = open_model(settings), []

    class Binding:
        bind_ortvalue_input = lambda self, name, value: bound.append((name, *value))  # noqa: E731
        bind_output = lambda self, name, *where: bound.append((name, *where))  # noqa: E731
        get_outputs = lambda self: [SimpleNamespace(numpy=lambda: np.eye(32, dtype=np.float32)[:1])]  # noqa: E731

    session = SimpleNamespace(io_binding=Binding, run_with_iobinding=lambda binding: bound.append("run"))
    values = SimpleNamespace(ortvalue_from_numpy=lambda array, device, number: (array.dtype.name, device, number))
    monkeypatch.setattr(bound_session.ort, "OrtValue", values)
    model._session._session, model._session.device, model._session._number = session, "cuda", 1
    model.embed_query("a ferry")
    inputs = [("input_ids", "int32", "cuda", 1), ("attention_mask", "int32", "cuda", 1)]
    assert bound == [*inputs, ("sentence", "cuda", 1), "run"]


@pytest.mark.parametrize("said", ["", 'precision = "int8"'])
def test_a_card_computes_in_full_precision_alone(tmp_path, said):
    (tmp_path / "rag.toml").write_text(f'[model]\nruntime = "cuda"\n{said}\n[models.other]\nruntime = "tensorrt"\n')
    settings = load_settings(tmp_path)
    assert settings.model.precision == settings.models["other"].precision == "fp32"
