"""Pairs of texts: how they are put together and cut, and what the model makes of them."""

import json

import numpy as np
import pytest
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from rag_platform.config.settings import RerankerSettings
from rag_platform.core.errors import RerankError
from rag_platform.models.cards import CARDS, ModelCard
from rag_platform.reranking.cross_encoder import open_cross_encoder
from tests.models.test_onnx_graph import logit


def same(word):
    return 1.0


def reference(folder, ids, segments):
    return logit(
        load_file(folder / "model.safetensors"), json.loads((folder / "config.json").read_text()), ids, segments
    )


@pytest.fixture(scope="module")
def exact(make_cross_encoder):
    return make_cross_encoder(precision="fp32")


def test_a_score_is_the_model_s_logit_of_question_and_passage(exact, tiny_model_folder):
    tokenizer = Tokenizer.from_file(str(tiny_model_folder / "tokenizer.json"))
    for passage in ("the ferry crosses at noon", "!"):
        pair = tokenizer.encode("when is the ferry", passage)
        assert set(pair.type_ids) == {0, 1}
        expected = reference(tiny_model_folder, pair.ids, pair.type_ids)
        assert exact.score("when is the ferry", [passage], same)[0] == pytest.approx(expected, abs=1e-4)


def test_a_long_pair_is_cut_at_the_passage_s_end(exact):
    question, passage = "q" * 20, "p " * 500
    fits = 2 * (256 - 3 - 20)  # two marks of the end, one of the beginning; every letter is a piece
    assert exact.score(question, [passage], same) == exact.score(question, [passage[:fits]], same)
    assert exact.score(question, [passage], same) != exact.score(question, [passage[: fits - 2]], same)


def test_a_question_takes_no_more_than_half(exact):
    long, half = " ".join("q" * 300), " ".join("q" * 128)
    assert exact.score(long, ["noon"], same) == exact.score(half, ["noon"], same)
    assert exact.score(long, ["noon"], same) != exact.score(long, ["moon"], same)
    assert exact.score(half, ["p " * 500], same) == exact.score(half, ["p " * 125], same)


def test_int8_orders_as_fp32_does(exact, make_cross_encoder):
    passages = ["the ferry crosses", "zzz", "a heron 1234", "qq", "noon"]
    precise, small = (model.score("when", passages, same) for model in (exact, make_cross_encoder()))
    np.testing.assert_allclose(small, precise, atol=0.2)
    assert not np.array_equal(small, precise)


def test_what_there_is_no_time_for_is_left_out_and_said(make_cross_encoder):
    with pytest.raises(RerankError, match=r"judged 0 of 2 passages in 1e-09 s; raise reranker\.timeout") as caught:
        make_cross_encoder(timeout=1e-9).score("when", ["a", "b"], same)
    assert np.isnan(caught.value.scores).all()


def test_it_is_opened_from_a_folder_of_one_s_own(tiny_model_folder, tmp_path, monkeypatch, exact):
    monkeypatch.setenv("RAG_MODEL_CACHE", str(tmp_path))
    opened = open_cross_encoder(RerankerSettings(model="own", folder=tiny_model_folder, precision="fp32"))
    assert opened.name == "cross-encoder:own"
    assert opened.score("when", ["noon"], same) == exact.score("when", ["noon"], same)


def test_the_known_ones_are_cross_encoders():
    known = [card for card in CARDS.values() if card.task == "reranking"]
    assert "ms-marco-MiniLM-L-6-v2" in {card.name for card in known}
    assert all(isinstance(card, ModelCard) and card.repo for card in known)


def test_transformers_gives_the_same_logit(exact, tiny_model_folder):
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    tokenizer = Tokenizer.from_file(str(tiny_model_folder / "tokenizer.json"))
    model = transformers.BertForSequenceClassification.from_pretrained(tiny_model_folder, num_labels=1).eval()
    pair = tokenizer.encode("when is the ferry", "the ferry crosses at noon")
    with torch.no_grad():
        expected = model(torch.tensor([pair.ids]), token_type_ids=torch.tensor([pair.type_ids])).logits.item()
    score = exact.score("when is the ferry", ["the ferry crosses at noon"], same)[0]
    assert score == pytest.approx(expected, abs=1e-4)
