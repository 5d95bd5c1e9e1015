"""Pinned floors: written once, lowered only on purpose, never compared with on other questions."""

import json

import pytest

from evals.gate.floors import Floors, floors_of, floors_path, pin, read_floors
from evals.gate.verdict import Evidence, judge
from rag_platform.config.settings import GateSettings
from rag_platform.core.errors import QuestionSetError
from tests.evals.boards import board


def test_floors_are_the_scores_less_the_noise() -> None:
    floors = floors_of(board({"a": 1.0, "b": 0.5}, means={"nDCG@10": 0.75, "R@10": 0.005, "AP": 0.3}), GateSettings())
    assert dict(floors.floors) == {"nDCG@10": 0.74, "R@10": 0.0}
    assert (floors.fingerprint, floors.version) == ("set", "v2")


def test_a_floor_is_lowered_or_dropped_only_on_purpose(tmp_path) -> None:
    assert read_floors(tmp_path) is None
    pin(tmp_path, Floors("set", {"nDCG@10": 0.7, "R@10": 0.9}, "v1"))
    pin(tmp_path, Floors("set", {"nDCG@10": 0.8, "R@10": 0.9}, "v2"))
    for floors in ({"nDCG@10": 0.75, "R@10": 0.95}, {"nDCG@10": 0.85}):
        with pytest.raises(QuestionSetError, match="--allow-regression"):
            pin(tmp_path, Floors("other", floors, "v3"))
    assert read_floors(tmp_path) == Floors("set", {"nDCG@10": 0.8, "R@10": 0.9}, "v2")
    pin(tmp_path, Floors("other", {"nDCG@10": 0.1}, "v3"), allow_regression=True)
    assert read_floors(tmp_path) == Floors("other", {"nDCG@10": 0.1}, "v3")


@pytest.mark.parametrize("content", ["{", "[]", '{"floors": {"nDCG@10": "high"}}', '{"floors": {"speed": 1}}'])
def test_a_damaged_file_is_named(tmp_path, content) -> None:
    floors_path(tmp_path).parent.mkdir()
    floors_path(tmp_path).write_text(content)
    with pytest.raises(QuestionSetError, match=r"floors\.json: expected what `rag questions pin` writes"):
        read_floors(tmp_path)


@pytest.mark.parametrize("live", [None, board({"a": 0.1}, version="v1")], ids=["first", "next"])
def test_what_falls_below_a_pinned_floor_is_refused(live) -> None:
    verdict = judge(board({"a": 0.5}), live, GateSettings(), Evidence(pinned=Floors("set", {"nDCG@10": 0.6}, "v0")))
    assert verdict.reasons[0] == "nDCG@10 is 0.500, below its pinned floor of 0.600."
    assert not verdict.passed
    assert judge(board({"a": 0.6}), live, GateSettings(), Evidence(pinned=Floors("set", {"nDCG@10": 0.6}, ""))).passed


def test_floors_of_other_questions_are_not_compared_with_and_the_reason_names_the_command() -> None:
    pinned = Floors("yesterday's", {"nDCG@10": 0.1}, "v0")
    verdict = judge(board({"a": 1.0}), board({"a": 1.0}, version="v1"), GateSettings(), Evidence(pinned=pinned))
    assert not verdict.passed
    assert "The pinned floors are of other questions (set yesterday's, now set)" in verdict.reasons[0]
    assert "`rag questions pin`" in verdict.reasons[0]
    assert json.loads(json.dumps(verdict.to_dict()))["outcome"] == "refused"
