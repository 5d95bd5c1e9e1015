"""Rows of a report: paired changes, groups, and which questions decide."""

import polars as pl
import pytest

from evals.report.score_tables import families, groups, of_metric
from tests.evals.boards import board


def _tagged(scores, **tags: list[str]):
    column = pl.Series("tags", [tags.get(key, []) for key in scores.questions["id"]], dtype=pl.List(pl.String))
    scores.questions.replace_column(scores.questions.get_column_index("tags"), column)
    return scores


def test_a_change_is_the_mean_of_each_questions_own() -> None:
    now = board({"a": 1.0, "b": 0.5, "c": 0.5})
    row = of_metric(now, board({"a": 0.5, "b": 0.5, "c": 0.5}, version="v1"), "nDCG@10")
    assert (row.value, row.live, row.questions) == (pytest.approx(2 / 3), 0.5, 3)
    assert row.gain == pytest.approx(1 / 6)
    low, high = row.gain_interval
    assert low == 0.0 < row.gain < high == 0.5


def test_what_is_hard_for_both_cancels_out() -> None:
    before = {f"q{number}": number / 20 for number in range(20)}
    row = of_metric(board({key: value + 0.02 for key, value in before.items()}), board(before, version="v1"), "nDCG@10")
    assert row.gain_interval == pytest.approx((0.02, 0.02))
    assert row.interval[1] - row.interval[0] > 0.2


def test_a_question_in_two_groups_counts_in_both() -> None:
    scores = _tagged(board({"a": 1.0, "b": 0.0, "c": 0.5}), a=["long", "new"], b=["long"])
    found = {row.name: (row.questions, row.value) for row in groups(scores, None, "nDCG@10")["Tag"]}
    assert found == {"long": (2, 0.5), "new": (1, 1.0)}


def test_questions_for_tuning_do_not_decide() -> None:
    scores = board({"a": 1.0, "b": 0.0})
    split = pl.Series("split", ["dev", "train"])
    scores = board({}, questions=scores.questions.with_columns(split), means={"nDCG@10": 1.0})
    assert scores.deciding["id"].to_list() == ["a"]
    assert [row.name for row in groups(scores, None, "nDCG@10")["Split"]] == ["dev", "train"]


def test_measures_of_the_whole_set_come_without_intervals() -> None:
    scores = board({"a": 1.0, "b": 0.0}, means={"nDCG@10": 0.5, "ms_p50": 8.0})
    rows = families(scores, board({"a": 1.0}, version="v1", means={"nDCG@10": 1.0, "ms_p50": 5.0}))
    (speed,) = rows["Speed and others"]
    assert (speed.value, speed.gain, speed.interval, speed.questions) == (8.0, 3.0, None, None)
