"""Late interaction: the score, the weights and the cache."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from copy import copy

import numpy as np
import pytest

from rag_platform.reranking.late_interaction import LateInteraction, VectorCache

PASSAGES = ["the cat sat", "a dog, barking!", "", "?!...", "the cat sat"]


def same(word):
    return 1.0


def test_score_is_the_weighted_mean_of_best_matches(tiny_embedder):
    """The definition, one token at a time: half by `weight`, shared among the pieces of a word, and half equally."""
    question = "Cat, be 7"
    importance = {"Cat": 5.0, "be": 1.0, "7": 3.0}
    asked = tiny_embedder.embed_tokens([question])[0]
    spoken = [row for row, (start, _) in enumerate(asked.spans) if question[start] != ","]
    pieces = ["Cat", "Cat", "Cat", "be", "be", "7"]
    scores = LateInteraction(tiny_embedder).score(question, PASSAGES, importance.__getitem__)
    for passage, score in zip(PASSAGES, scores, strict=True):
        tokens = tiny_embedder.embed_tokens([passage])[0]
        rows = [row for row, (start, _) in enumerate(tokens.spans) if passage[start].isalnum()]
        best = [max((asked.vectors[row] @ tokens.vectors[other] for other in rows), default=0.0) for row in spoken]
        weighted = sum(importance[word] / pieces.count(word) * value for word, value in zip(pieces, best, strict=True))
        expected = (weighted / sum(importance.values()) + sum(best) / len(best)) / 2
        assert score == pytest.approx(expected, abs=2e-3)  # passages are kept in half precision


def test_the_words_are_the_question_s_own(tiny_embedder):
    words = []
    LateInteraction(tiny_embedder).score("What's the Łódź-2 क्षेत्र?", ["x"], lambda word: words.append(word) or 1.0)
    assert words == ["What", "s", "the", "Łódź", "2", "क्षेत्र"]


def test_a_clause_without_spaces_is_not_one_word(tiny_embedder):
    words = []
    LateInteraction(tiny_embedder).score("谁发现了镭", ["x"], lambda word: words.append(word) or 1.0)
    assert words == [*"谁发现了镭"]


def test_a_prefix_is_read_and_left_out_and_scores_count_from_the_floor(tiny_embedder):
    plain = copy(tiny_embedder)
    plain.card = dataclasses.replace(tiny_embedder.card, query_prefix="query: ", passage_prefix="passage: ")
    words = []
    scores = LateInteraction(plain).score("a cat", PASSAGES, lambda word: words.append(word) or 1.0)
    assert words == ["a", "cat"]
    assert scores != pytest.approx(LateInteraction(tiny_embedder).score("a cat", PASSAGES, same), abs=1e-3)
    raised = copy(plain)
    raised.card = dataclasses.replace(plain.card, token_floor=0.5)
    assert LateInteraction(raised).score("a cat", PASSAGES, same) == pytest.approx(2 * scores - 1, abs=1e-5)


def test_passages_are_read_with_the_model_of_their_space(tiny_embedder):
    other = copy(tiny_embedder)
    other.fingerprint = "another"
    models = {name: other if name == "another" else tiny_embedder for name in ("own", "another")}
    late = LateInteraction(tiny_embedder, lambda model: models[model["name"]])
    assert late.of_space({"name": "own"}) is late
    second = late.of_space({"name": "another"})
    assert second is not late and second is late.of_space({"name": "another"}) and second._embedder is other


def test_a_heavier_word_decides(tiny_embedder):
    late = LateInteraction(tiny_embedder)
    passages = ["qqqq zz", "vvvv zz"]
    assert late.score("qqqq vvvv", passages, lambda word: 9.0 if word == "qqqq" else 0.1).argmax() == 0
    assert late.score("qqqq vvvv", passages, lambda word: 9.0 if word == "vvvv" else 0.1).argmax() == 1


def test_order_of_passages_does_not_matter(tiny_embedder):
    late = LateInteraction(tiny_embedder)
    forward, backward = late.score("a cat", PASSAGES, same), late.score("a cat", PASSAGES[::-1], same)
    np.testing.assert_allclose(forward, backward[::-1], atol=1e-6)
    assert forward[0] == forward[4]


@pytest.mark.parametrize("question", ["", "?!", "..."])
def test_question_without_a_word_prefers_nothing(tiny_embedder, question):
    assert LateInteraction(tiny_embedder).score(question, PASSAGES, same).tolist() == [0.0] * 5


@pytest.mark.parametrize("importance", [0.0, -3.0])
def test_of_words_without_weight_those_count_more_that_few_passages_hold(tiny_embedder, importance):
    late, none = LateInteraction(tiny_embedder), lambda word: importance
    common = ["vvvv"] * 6 + ["qqqq"] * 2
    few, most = late.score("qqqq vvvv", common, none)[[-1, 0]]
    assert few > most
    assert late.score("qqqq vvvv", common[::-1], none)[[0, -1]] == pytest.approx([few, most], abs=1e-6)
    assert late.score("abc de", PASSAGES[:1], none) == pytest.approx(late.score("abc de", PASSAGES[:1], len), abs=0.05)


def test_words_without_weight_count_the_same_in_passages_that_are_all_alike(tiny_embedder):
    late, question = LateInteraction(tiny_embedder), "qqqq vvvv"
    alike = late.score(question, ["vvvv"] * 5, lambda word: 0.0)
    np.testing.assert_allclose(alike, late.score(question, ["vvvv"] * 5, same), atol=1e-6)


def test_no_passages_no_scores(tiny_embedder):
    scores = LateInteraction(tiny_embedder).score("a", [], same)
    assert scores.shape == (0,)
    assert scores.dtype == np.float32


def test_passages_are_embedded_once(tiny_embedder, monkeypatch):
    late = LateInteraction(tiny_embedder)
    first = late.score("a cat", PASSAGES, same)
    asked = []
    embed = tiny_embedder.embed_tokens
    monkeypatch.setattr(tiny_embedder, "embed_tokens", lambda texts: asked.extend(texts) or embed(texts))
    np.testing.assert_array_equal(late.score("a cat", PASSAGES, same), first)
    assert asked == ["a cat"]


def test_a_full_cache_changes_no_score(tiny_embedder):
    roomy, full = LateInteraction(tiny_embedder), LateInteraction(tiny_embedder, cache_bytes=100)
    np.testing.assert_array_equal(full.score("a cat", PASSAGES, same), roomy.score("a cat", PASSAGES, same))
    assert full._cache.bytes <= 100


def test_threads_may_share_it(tiny_embedder):
    late = LateInteraction(tiny_embedder, cache_bytes=3000)
    questions = [f"question {number}" for number in range(30)]
    alone = [LateInteraction(tiny_embedder).score(question, PASSAGES, same) for question in questions]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda question: late.score(question, PASSAGES, same), questions))
    np.testing.assert_array_equal(np.stack(together), np.stack(alone))


def test_cache_drops_the_least_recently_used():
    cache = VectorCache(100)
    for key in "abc":
        cache.put(key, np.zeros(40, np.uint8))
        cache.get("a")
    assert cache.get("b") is None
    assert cache.get("a") is not None
    assert cache.get("c") is not None
    assert (len(cache), cache.bytes) == (2, 80)
    cache.put("c", np.zeros(40, np.uint8))
    assert cache.bytes == 80
    cache.put("large", np.zeros(101, np.uint8))
    assert cache.bytes <= 100


def test_the_real_model_puts_the_answer_first(embedder):
    passages = [
        "Bread is baked from flour, water and yeast.",
        "The heart pumps blood through the arteries to the whole body.",
        "Blood oranges are grown in Sicily.",
    ]
    scores = LateInteraction(embedder).score("Which organ pumps blood?", passages, same)
    assert scores.argmax() == 1
    assert ((scores >= -1) & (scores <= 1)).all()
