"""Judgements are asked for once, and a reranker that failed is left alone."""

import numpy as np
import pytest

from rag_platform.core.errors import RerankError
from rag_platform.reranking import cache
from rag_platform.reranking.cache import CachingReranker


def same(word):
    return 1.0


class Counting:
    """Scores a passage by its length; a number in it is its score, and "?" cannot be judged."""

    name = "counting"
    calibrated = False
    weight = 1.0
    depth = 20
    margin = 1.0
    languages = ()

    def __init__(self):
        self.asked = []

    def score(self, question, passages, weight):
        self.asked.append(list(passages))
        scores = np.array([np.nan if "?" in text else float(text) for text in passages], np.float32)
        if np.isnan(scores).any():
            raise RerankError("some cannot be judged", scores)
        return scores


def test_what_was_judged_is_not_asked_again():
    counting = Counting()
    reranker = CachingReranker(counting)
    assert reranker.score("q", ["1", "2", "1", "-inf"], same).tolist() == [1.0, 2.0, 1.0, -np.inf]
    assert reranker.score("q", ["2", "3", "-inf"], same).tolist() == [2.0, 3.0, -np.inf]
    assert reranker.score("other", ["2"], same).tolist() == [2.0]
    assert counting.asked == [["1", "2", "-inf"], ["3"], ["2"]]


def test_what_is_missing_is_asked_again():
    counting = Counting()
    reranker = CachingReranker(counting)
    for _ in range(2):
        with pytest.raises(RerankError, match="some cannot be judged") as caught:
            reranker.score("q", ["1", "?"], same)
        np.testing.assert_array_equal(caught.value.scores, [1.0, np.nan])
    assert counting.asked == [["1", "?"], ["?"]]


def test_one_that_judged_nothing_is_left_alone_for_a_while():
    counting = Counting()
    reranker = CachingReranker(counting)
    for _ in range(3):
        with pytest.raises(RerankError, match="some cannot be judged") as caught:
            reranker.score("q", ["?"], same)
        assert np.isnan(caught.value.scores).all()
    assert len(counting.asked) == 1
    patient = CachingReranker(counting, pause=0.0)
    for _ in range(2):
        with pytest.raises(RerankError):
            patient.score("q", ["?"], same)
    assert len(counting.asked) == 3


def test_no_more_is_kept_than_allowed(monkeypatch):
    monkeypatch.setattr(cache, "CACHED", 2)
    counting = Counting()
    reranker = CachingReranker(counting)
    for passages in (["1", "2"], ["1"], ["3"], ["1"], ["2"]):
        reranker.score("q", passages, same)
    assert counting.asked == [["1", "2"], ["3"], ["2"]]
