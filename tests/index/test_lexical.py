"""BM25 over the stored postings: what a word is worth, and which rows it finds."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from rag_platform.index import lexical
from rag_platform.index.lexical import LexicalIndex, build_lexical
from rag_platform.index.question_words import highest
from rag_platform.index.segments import LivingRows
from rag_platform.index.statistics import NORMALISATION, SATURATION, SHORTEST, Statistics, idf

LONG = " ".join(f"filler{n}" for n in range(40))


@pytest.fixture
def built(tmp_path):
    """Return a function that indexes texts and gives the index and its statistics."""

    def build(*texts: str) -> tuple[LexicalIndex, Statistics]:
        build_lexical(tmp_path / "lexical", ((key, text, "en") for key, text in enumerate(texts)))
        index = LexicalIndex.of_folders([tmp_path / "lexical"], LivingRows.of(np.arange(len(texts), dtype=np.uint64)))
        return index, Statistics(index.postings, np.ones(len(texts), bool), ["en"])

    return build


def _plain(texts: list[str], question: str) -> list[float]:
    """Return BM25 of each text, word by word as it is defined."""
    rows = [Counter(text.split()) for text in texts]
    average = sum(row.total() for row in rows) / len(rows)
    scores = []
    for row in rows:
        length = max(row.total(), SHORTEST * average) / average
        norm = SATURATION * (1 - NORMALISATION + NORMALISATION * length)
        scores.append(
            sum(
                math.sqrt(times) * idf(sum(word in other for other in rows), len(rows))
                * (1 + SATURATION) * row[word] / (row[word] + norm)
                for word, times in Counter(question.split()).items()
            )
        )  # fmt: skip
    return scores


@pytest.mark.parametrize("many", [0, 50_000])
def test_scores_are_bm25_whatever_is_left_unread(built, monkeypatch, many) -> None:
    """`many` 0: rows that can no longer be among the best are left out as soon as possible."""
    monkeypatch.setattr(lexical, "_MANY", many)
    chance, words = random.Random(3), [f"w{n}" for n in range(40)]
    texts = [" ".join(chance.choices(words, range(1, 41), k=chance.randrange(1, 60))) for _ in range(120)]
    index, statistics = built(*texts)
    for _ in range(10):
        question = " ".join(chance.choices(words, k=8))
        expected = _plain(texts, question)
        keys, scores = index.search(question, 10, statistics)
        assert scores == pytest.approx(sorted(expected, reverse=True)[:10], rel=1e-5)
        assert scores == pytest.approx([expected[int(key)] for key in keys], rel=1e-5)


def test_a_repeated_word_weighs_more_but_not_twice_as_much(built) -> None:
    index, statistics = built("flutter of wings", "wings in gusts", "gusts", LONG)
    once = dict(zip(*index.search("flutter gusts", 4, statistics), strict=True))
    twice = dict(zip(*index.search("flutter flutter gusts", 4, statistics), strict=True))
    assert twice[0] == pytest.approx(math.sqrt(2) * once[0], rel=1e-5)
    assert twice[2] == once[2]
    assert highest("flutter flutter", statistics) == pytest.approx(math.sqrt(2) * highest("flutter", statistics))


def test_a_heading_alone_is_no_better_than_a_short_text_with_the_same_words(built) -> None:
    sentence = "ferry timetable of the north shore in winter"
    index, statistics = built("ferry timetable", sentence, *(LONG for _ in range(6)))
    assert statistics.average_length * SHORTEST > len(sentence.split())
    scores = dict(zip(*index.search("ferry timetable", 8, statistics), strict=True))
    assert scores[0] == scores[1] > 0


@pytest.mark.parametrize("picked", [0, 3_000])
def test_a_phrase_is_found_in_readable_rows_alone_however_many_may_hold_it(built, monkeypatch, picked) -> None:
    monkeypatch.setattr(lexical, "_PICKED", picked)
    index, _ = built("the red mill", "a mill so red", "the red mill burns", "red", "another red mill")
    readable = np.array([True, True, False, True, True])
    own = Statistics(index._readable(readable)[0], readable, ["en"])
    assert index.holding("red mill", own).tolist() == [0, 4]
    assert index.holding("mill burns", own).tolist() == [] == index.holding("so mill", own).tolist()
