"""The paired randomisation test: exact small cases, agreement with scipy, and which questions changed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.gate.comparison import chance_of_drop, compare
from tests.evals.boards import board


@pytest.mark.parametrize(
    ("gains", "p"),
    [
        ([], 1.0),
        ([0.0, 0.0], 1.0),
        ([-1.0], 1 / 2),
        ([1.0], 1.0),
        ([-1.0, -1.0], 1 / 4),
        ([-1.0, 1.0], 3 / 4),
        ([-0.5] * 5 + [0.0] * 9, 1 / 32),
        ([-0.3, -0.1, -0.2], 1 / 8),
        ([-0.3, 0.1, 0.2], 5 / 8),
        ([-0.1, -0.1, -0.1, -0.4], 1 / 16),  # sums of these in another order differ in their last bit
    ],
)
def test_few_differences_are_counted_exactly(gains, p) -> None:
    assert chance_of_drop(np.array(gains)) == pytest.approx(p)


@pytest.mark.parametrize("shift", [-0.05, 0.0, 0.05])
def test_many_differences_agree_with_scipy(shift) -> None:
    stats = pytest.importorskip("scipy.stats")
    gains = np.random.default_rng(7).normal(shift, 0.3, 200)
    reference = stats.permutation_test(
        (gains,), np.sum, permutation_type="samples", alternative="less", n_resamples=9_999, rng=1
    )
    assert chance_of_drop(gains) == pytest.approx(reference.pvalue, abs=0.02)


def test_the_same_scores_always_give_the_same_p_and_never_zero() -> None:
    gains = np.full(300, -0.5)
    assert chance_of_drop(gains) == chance_of_drop(gains) == pytest.approx(1e-4, rel=0.01)


@settings(deadline=None)
@given(st.lists(st.floats(-1, 1, allow_subnormal=False), max_size=10))
def test_p_is_a_probability_and_what_is_no_drop_is_never_significant(gains) -> None:
    p = chance_of_drop(np.array(gains, float))
    assert 0 < p <= 1
    if sum(gains) >= 0:
        assert p > 0.4


def test_questions_are_named_by_how_much_they_changed() -> None:
    live = board({"a": 1.0, "b": 0.5, "c": 0.2, "d": 0.4, "e": 0.0})
    candidate = board({"a": 0.0, "b": 0.4, "c": 0.2, "d": 0.9, "e": 0.1})
    comparison = compare(candidate, live, "nDCG@10")
    assert (comparison.worse, comparison.better) == (("a", "b"), ("d", "e"))
    assert comparison.questions == 5
    assert comparison.drop == pytest.approx(0.1)


def test_a_question_without_a_value_counts_as_zero_unless_neither_has_one() -> None:
    comparison = compare(board({"a": 1.0, "b": None}), board({"a": None, "b": None, "c": 0.5}), "nDCG@10")
    assert (comparison.questions, comparison.better, comparison.worse) == (2, ("a",), ("c",))
    assert (comparison.candidate, comparison.live) == (0.5, 0.25)


def test_nothing_to_compare_is_no_drop() -> None:
    comparison = compare(board({}), board({}), "nDCG@10")
    assert (comparison.questions, comparison.drop, comparison.p) == (0, 0.0, 1.0)
