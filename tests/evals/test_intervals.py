"""Intervals of means: they cover what they say, and are the same every time."""

import numpy as np

from evals.measures.intervals import interval


def test_an_interval_is_that_of_the_normal_approximation() -> None:
    values = np.random.default_rng(1).normal(0.5, 0.2, 400)
    low, high = interval(values)
    half = 1.96 * values.std() / 20
    assert abs(low - (values.mean() - half)) < 0.003
    assert abs(high - (values.mean() + half)) < 0.003


def test_it_covers_the_true_mean_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(2)
    found = [interval(generator.random(60)) for _ in range(200)]
    assert 0.9 <= np.mean([low <= 0.5 <= high for low, high in found]) <= 0.99


def test_equal_values_give_equal_intervals() -> None:
    assert interval([0.0, 1.0, 0.5]) == interval([0.0, 1.0, 0.5])
    assert interval([1.0, 1.0]) == (1.0, 1.0)


def test_one_value_has_no_interval() -> None:
    assert interval([0.5]) is None
    assert interval([]) is None
