"""How scores of two retrievers become one: who is sure decides, and who is not does not."""

import numpy as np
import pytest

from rag_platform.retrieval.search.fusion import fuse, of_best, reciprocal_ranks, surer

FLAT = np.linspace(0.8, 0.7, 100, dtype=np.float32)
"""Similarities of which none stands out."""
SINGLED_OUT = np.r_[np.full(99, 2.0), 10.0].astype(np.float32)
"""A rare word that the last passage holds alone."""
NOTHING = np.full(100, np.nan, np.float32)


def first(lexical, vector, weight: float = 0.3) -> int:
    return int(np.argmax(fuse(lexical, vector, "minmax", surer(weight, lexical, vector))))


def test_the_retriever_whose_best_stands_out_decides() -> None:
    assert first(SINGLED_OUT, FLAT) == 99
    assert np.argmax(fuse(SINGLED_OUT, FLAT, "minmax", 0.3)) == 0  # it is the nearest of many, and by little
    near = np.r_[0.8, np.full(99, 0.1)].astype(np.float32)
    assert first(np.linspace(9, 10, 100, dtype=np.float32), near) == 0
    assert surer(0.3, SINGLED_OUT, FLAT) > 0.9 > 0.1 > surer(0.3, FLAT, near)


def test_a_passage_that_holds_little_of_the_question_is_not_sure_by_words() -> None:
    sure, held, chance = (surer(0.3, SINGLED_OUT, FLAT, highest) for highest in (10.0, 30.0, 100.0))
    assert sure == held == surer(0.3, SINGLED_OUT, FLAT) > 0.9  # a third is enough
    assert chance < 0.8


def test_the_weight_is_what_is_set_where_both_stand_out_alike_or_one_is_alone() -> None:
    assert surer(0.3, FLAT - FLAT.min(), FLAT) == pytest.approx(0.3)
    assert surer(0.3, NOTHING, FLAT) == surer(0.3, NOTHING[:0], FLAT[:0]) == 0.3
    assert [surer(weight, SINGLED_OUT, FLAT) for weight in (0.0, 1.0)] == [0.0, 1.0]
    assert surer(0.3, SINGLED_OUT[:1], FLAT[:1]) == pytest.approx(0.3)


def test_a_passage_with_a_word_of_the_question_has_more_than_one_without() -> None:
    found = np.array([4.0, 2.0, np.nan], np.float32)
    assert of_best(found, 0.0).tolist() == [1.0, 0.5, 0.0]
    assert of_best(found, 8.0).tolist() == [0.5, 0.25, 0.0]  # words of which the best holds few tell less
    assert not of_best(NOTHING, 0.0).any() and not of_best(NOTHING[:0], 1.0).size


def test_ranks_are_added_as_they_are() -> None:
    found = fuse(SINGLED_OUT, FLAT, "rrf", 0.5)
    assert found == pytest.approx((reciprocal_ranks(SINGLED_OUT) + reciprocal_ranks(FLAT)) / 2)
