"""Embedders and the stage that reuses what they made."""

import dataclasses
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import MissingExtra, ModelError
from rag_platform.core.ids import digest, embedding_text
from rag_platform.core.schemas import CHUNKS, embeddings_schema
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder, open_embedder
from rag_platform.embeddings.runtimes import open_model
from rag_platform.embeddings.stage import embed_chunks
from rag_platform.models.cards import find_card
from rag_platform.storage.kept.vector_tables import VectorTable
from rag_platform.storage.tables import Store
from tests.models.test_onnx_graph import bert, read, unit

GOLDEN = {
    "hello world": [-0.0345, 0.0310, 0.0067, 0.0261, -0.0394],
    "How do I reset my password?": [0.0069, -0.0630, -0.0720, -0.0325, -0.0427],
    "A versioned index can be rolled back while it is served.": [-0.0394, 0.0156, 0.0074, 0.0601, 0.0346],
}
"""The first five numbers that sentence-transformers gives for the same weights."""


# --- the embedder, on a tiny model ------------------------------------------------------------------


def test_vectors_are_unit_and_in_order(tiny_embedder):
    texts = ["a long text " * 30, "", "b", "a long text " * 30, "नमस्ते", "broken \ud800 surrogate"]
    vectors = tiny_embedder.embed_passages(texts)
    assert vectors.shape == (6, tiny_embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for text, vector in zip(texts, vectors, strict=True):
        np.testing.assert_array_equal(vector, tiny_embedder.embed_query(text))


def test_nothing_to_embed_is_an_empty_array(tiny_embedder):
    assert tiny_embedder.embed_passages([]).shape == (0, 32)
    assert tiny_embedder.embed_tokens([]) == []
    assert tiny_embedder.count_tokens([]) == []


@settings(deadline=None, max_examples=30)
@given(texts=st.lists(st.text(max_size=40), min_size=1, max_size=6), pick=st.randoms())
def test_vector_does_not_depend_on_its_neighbours(tiny_embedder, texts, pick):
    text = pick.choice(texts)
    alone = tiny_embedder.embed_passages([text])[0]
    np.testing.assert_array_equal(tiny_embedder.embed_passages(texts)[texts.index(text)], alone)


def test_longer_texts_are_cut(tiny_embedder):
    limit = tiny_embedder.max_tokens - 2  # besides [CLS] and [SEP]
    full, longer = "a " * limit, "a " * limit + "and more"
    np.testing.assert_array_equal(tiny_embedder.embed_query(full), tiny_embedder.embed_query(longer))
    assert not np.array_equal(tiny_embedder.embed_query(full), tiny_embedder.embed_query("a " * (limit - 1)))
    assert tiny_embedder.count_tokens([full, longer, ""]) == [256, 263, 2]


def test_progress_reaches_the_total(tiny_embedder):
    calls = []
    tiny_embedder.embed_passages(["a", "b", "c"], lambda done, total: calls.append((done, total)))
    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_threads_may_share_it(tiny_embedder):
    texts = [f"text number {number}" for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        together = np.stack(list(pool.map(tiny_embedder.embed_query, texts)))
    np.testing.assert_array_equal(together, tiny_embedder.embed_passages(texts))


def test_an_interrupt_does_not_wait_for_the_rest(tiny_embedder, monkeypatch):
    embedded, cancelled = [], threading.Event()

    class Pool(ThreadPoolExecutor):
        def shutdown(self, wait=True, *, cancel_futures=False):
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            cancelled.set()
            super().shutdown(wait)

    def embed(text):
        embedded.append(text)
        if text != "0":
            cancelled.wait()  # so that none gets ahead of the interrupt
        return np.zeros(32, np.float32)

    def interrupt(done, total):
        raise KeyboardInterrupt

    monkeypatch.setattr("rag_platform.embeddings.onnx_embedder.ThreadPoolExecutor", Pool)
    monkeypatch.setattr(tiny_embedder, "_embed", embed)
    with pytest.raises(KeyboardInterrupt):
        tiny_embedder.embed_passages([str(number) for number in range(1000)], interrupt)
    assert len(embedded) <= 1 + tiny_embedder.threads


def test_tokens_know_their_characters_and_words(tiny_embedder):
    text = "Ab, wörld"
    tokens, empty = tiny_embedder.embed_tokens([text, ""])
    assert [text[start:end] for start, end in tokens.spans] == ["A", "b", ",", "w", "ö", "r", "l", "d"]
    assert tokens.words.tolist() == [0, 0, 1, 2, 2, 2, 2, 2]
    np.testing.assert_allclose(np.linalg.norm(tokens.vectors, axis=1), 1, atol=1e-5)
    assert tokens.vectors.shape == (8, 32)
    assert empty.vectors.shape == (0, 32)
    assert empty.spans.shape == (0, 2)


def test_prefixes_are_put_before_the_text(tiny_model_folder, tiny_embedder, tmp_path):
    card = dataclasses.replace(tiny_embedder.card, query_prefix="query: ", passage_prefix="passage: ")
    prefixing = OnnxEmbedder(tiny_model_folder, card, cache=tmp_path)
    np.testing.assert_array_equal(prefixing.embed_query("x"), tiny_embedder.embed_query("query: x"))
    np.testing.assert_array_equal(prefixing.embed_passages(["x"])[0], tiny_embedder.embed_query("passage: x"))


def test_a_unigram_tokenizer_and_its_prefixes_give_the_encoder_s_vectors(tiny_unigram_folder, tmp_path):
    card = find_card(ModelSettings(name="unigram", folder=tiny_unigram_folder))
    embedder = OnnxEmbedder(tiny_unigram_folder, card, precision="fp32", cache=tmp_path)
    tokenizer = Tokenizer.from_file(str(tiny_unigram_folder / "tokenizer.json"))
    for text in ("The ferry and a red lamp", "नमस्ते, 渡し船!", ""):
        encoding = tokenizer.encode(f"passage: {text}")
        assert (encoding.ids[0], encoding.ids[-1]) == (0, 2)
        weights, config = read(tiny_unigram_folder)
        expected = bert(weights, config, encoding.ids, first=2).mean(0)
        np.testing.assert_allclose(embedder.embed_passages([text])[0], unit(expected), atol=1e-4)
    assert embedder.limit == card.max_tokens - len(tokenizer.encode("passage: ", add_special_tokens=False))
    question = "The ferry, नमस्ते"
    tokens = embedder.embed_tokens([question])[0]
    assert [question[start:end].strip() for start, end in tokens.spans][:2] == ["The", "ferry"]


def test_fingerprint_names_all_that_changes_a_vector(tiny_model_folder, tiny_embedder, tmp_path):
    def fingerprint(precision="int8", **changes):
        card = dataclasses.replace(tiny_embedder.card, **changes)
        return OnnxEmbedder(tiny_model_folder, card, precision=precision, cache=tmp_path).fingerprint

    assert fingerprint() == tiny_embedder.fingerprint
    others = [
        fingerprint("fp32"),
        fingerprint(sha256="0" * 64),
        fingerprint(pooling="cls"),
        fingerprint(max_tokens=100),
        fingerprint(passage_prefix="passage: "),
    ]
    assert len({tiny_embedder.fingerprint, *others}) == 6


def test_a_vector_that_is_not_unit_is_refused(tiny_embedder, monkeypatch):
    monkeypatch.setattr(tiny_embedder, "_run", lambda *_: [np.full(32, np.nan, np.float32)])
    with pytest.raises(ModelError, match=r"length nan for 'some text'.*fp32"):
        tiny_embedder.embed_query("some text")


def test_settings_open_a_folder(tiny_model_folder, tiny_embedder, tmp_path, monkeypatch):
    monkeypatch.setenv("RAG_MODEL_CACHE", str(tmp_path))
    opened = open_embedder(ModelSettings(name="tiny", folder=tiny_model_folder, threads=3))
    assert opened.fingerprint == tiny_embedder.fingerprint
    assert opened.threads == 3
    np.testing.assert_array_equal(opened.embed_query("x"), tiny_embedder.embed_query("x"))


# --- the real model ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("precision", "tolerance"), [("fp32", 1e-3), ("int8", 2e-2)])
def test_golden_vectors(model_folder, precision, tolerance):
    embedder = open_embedder(ModelSettings(precision=precision))
    vectors = embedder.embed_passages(list(GOLDEN))
    np.testing.assert_allclose(vectors[:, :5], list(GOLDEN.values()), atol=tolerance)


def test_meaning_is_near(embedder):
    question = embedder.embed_query("How can I change my password?")
    near, far = embedder.embed_passages(
        ["To set a new pass phrase, open your account.", "Bananas are rich in potassium."]
    )
    assert question @ near > question @ far + 0.2


def test_torch_gives_the_same_vectors(model_folder, embedder):
    pytest.importorskip("sentence_transformers", reason="the extra `torch` is not installed")
    torch = open_model(ModelSettings(runtime="sentence-transformers", device="cpu"))
    texts = [*GOLDEN, "", "long " * 600]
    ours = open_embedder(ModelSettings(precision="fp32"))
    np.testing.assert_allclose(torch.embed_passages(texts), ours.embed_passages(texts), atol=1e-4)
    np.testing.assert_allclose(torch.embed_query(texts[0]), ours.embed_query(texts[0]), atol=1e-4)
    assert torch.count_tokens(texts) == embedder.count_tokens(texts)
    assert torch.fingerprint != embedder.fingerprint
    assert torch.card == embedder.card
    for theirs, known in zip(torch.embed_tokens(texts), ours.embed_tokens(texts), strict=True):
        assert (theirs.spans == known.spans).all() and (theirs.words == known.words).all()
        np.testing.assert_allclose(theirs.vectors, known.vectors, atol=1e-4)


def test_torch_missing_says_how_to_install_it(tiny_model_folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[torch\]"):
        open_model(ModelSettings(name="tiny", folder=tiny_model_folder, runtime="sentence-transformers"))


# --- the stage --------------------------------------------------------------------------------------


def chunks_of(texts, header=""):
    rows = [
        {"text": text, "header": header, "tokens": len(text) + 2, "text_hash": digest(embedding_text(header, text))}
        for text in texts
    ]
    return pl.DataFrame(rows, schema=CHUNKS) if rows else pl.DataFrame(schema=CHUNKS)


NOTHING = pl.Series("text_hash", [], dtype=pl.String)


def test_each_text_is_embedded_once(tiny_embedder):
    chunks = chunks_of(["one", "two", "one"], header="Title > Section")
    made = embed_chunks(chunks, NOTHING, tiny_embedder)
    assert (made.embedded, made.reused, made.tokens) == (2, 0, 10)
    assert made.rows.schema == embeddings_schema(32)
    assert made.rows["text_hash"].to_list() == sorted(set(chunks["text_hash"]))
    vector = made.rows.filter(pl.col("text_hash") == digest("Title > Section\none"))["vector"].to_numpy()[0]
    np.testing.assert_array_equal(vector, tiny_embedder.embed_query("Title > Section\none"))


texts = st.lists(st.sampled_from(["a", "b", "c", "d", "e", ""]), max_size=8)


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(texts, min_size=1, max_size=4), block=st.integers(1, 3))
def test_any_history_gives_what_a_rebuild_gives(tmp_path, tiny_embedder, history, block):
    table = VectorTable(Store(tmp_path / digest(str((history, block)))), "tiny", "notes", 32)
    for version in history:
        chunks, before = chunks_of(version), set(table.hashes())
        made = embed_chunks(chunks, table.hashes(), tiny_embedder, save=table.add, block=block)
        table.keep(chunks["text_hash"])
        assert made.embedded == len(set(chunks["text_hash"]) - before)
        assert made.embedded + made.reused == chunks["text_hash"].n_unique()
    rebuilt = embed_chunks(chunks_of(history[-1]), NOTHING, tiny_embedder)
    kept = table.read().filter(pl.col("text_hash").is_in(rebuilt.rows["text_hash"].implode()))
    assert kept.sort("text_hash").equals(rebuilt.rows)


def test_a_killed_run_loses_one_block(tiny_embedder):
    chunks = chunks_of("abcdefg")
    saved = []

    def killed_at_the_second(rows):
        saved.append(rows)
        if len(saved) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embed_chunks(chunks, NOTHING, tiny_embedder, save=killed_at_the_second, block=2)
    resumed = embed_chunks(chunks, pl.concat(saved)["text_hash"], tiny_embedder)
    assert (resumed.embedded, resumed.reused) == (3, 4)
    everything = pl.concat([*saved, resumed.rows]).sort("text_hash")
    assert everything.equals(embed_chunks(chunks, NOTHING, tiny_embedder).rows)


def test_progress_counts_what_is_embedded(tiny_embedder):
    calls = []
    known = chunks_of("abc")["text_hash"]
    embed_chunks(
        chunks_of("abcdefg"), known, tiny_embedder, block=3, progress=lambda done, total: calls.append((done, total))
    )
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_no_chunks_need_no_vectors(tiny_embedder):
    made = embed_chunks(chunks_of([]), NOTHING, tiny_embedder)
    assert (made.rows.height, made.embedded, made.reused, made.tokens) == (0, 0, 0, 0)


def test_the_card_is_the_folder_s(tiny_model_folder, tiny_embedder):
    assert find_card(ModelSettings(name="tiny", folder=tiny_model_folder)) == tiny_embedder.card


def test_nothing_is_reported_to_the_runtimes_maker(tmp_path):
    """ONNX Runtime keeps what it will send in a database in the cache folder: there must be none."""
    code = "import rag_platform.models.onnx_runtime as i; i.ort.SessionOptions()"
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    root = Path(__file__).parents[2]
    environment |= {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, check=True, timeout=240)
    assert not list(tmp_path.rglob("*onnxruntime*"))


def test_tokens_that_were_embedded_a_moment_ago_are_not_embedded_again(tiny_embedder, monkeypatch):
    text = "A passage that a reranker looked at."
    first = tiny_embedder.embed_tokens([text])[0]
    monkeypatch.setattr(tiny_embedder, "_run", lambda *_: pytest.fail("embedded again"))
    again = tiny_embedder.embed_tokens([text])[0]
    assert (again.vectors == first.vectors).all() and (again.spans == first.spans).all()


@pytest.mark.parametrize("vector_first", [True, False])
def test_a_question_goes_once_through_the_model_for_its_vector_and_its_tokens(
    tiny_model_folder, tiny_embedder, tmp_path, monkeypatch, vector_first
):
    card = dataclasses.replace(tiny_embedder.card, query_prefix="query: ")
    model, runs = OnnxEmbedder(tiny_model_folder, card, cache=tmp_path), []
    run, question = model._run, "Where does the ferry go?"
    [sentence], [tokens] = (run((name,), model._cutter.encode("query: " + question)) for name in ("sentence", "tokens"))
    monkeypatch.setattr(model, "_run", lambda *asked: runs.append(asked) or run(*asked))
    read = [lambda: model.embed_query(question), lambda: model.embed_tokens(["query: " + question])[0].vectors]
    asked = [one() for one in (read if vector_first else read[::-1])]
    vector, own = asked if vector_first else asked[::-1]
    unit = tokens / np.linalg.norm(tokens, axis=1, keepdims=True)
    assert len(runs) == 1 and (vector == sentence).all() and (own == unit[1:-1]).all()


def test_multilingual_model_puts_translations_together(multilingual):
    cats = ("The cat sits on the mat.", "猫坐在垫子上。", "बिल्ली चटाई पर बैठी है।", "Die Katze sitzt auf der Matte.")
    vectors = multilingual.embed_passages([*cats, "Die Zinsen steigen."])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    similar = vectors @ multilingual.embed_query("Where does the cat sit?")
    assert similar[:4].min() > similar[4] + 0.05
    assert (multilingual.limit, multilingual.dimension) == (510, 384)
    assert "ne" in multilingual.card.languages


def test_a_process_with_the_multilingual_model_stays_small(multilingual):
    code = (
        "import psutil; from rag_platform.config.settings import ModelSettings\n"
        "from rag_platform.embeddings.onnx_embedder import open_embedder\n"
        "embedder = open_embedder(ModelSettings(name='multilingual-e5-small', threads=2))\n"
        "embedder.embed_passages(['the red ferry ' * 170] * 3); embedder.count_tokens(['a word']); embedder.tokenizer\n"
        "print(psutil.Process().memory_info().rss)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 450_000_000
