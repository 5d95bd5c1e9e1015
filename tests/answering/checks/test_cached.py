"""Judgements that are kept."""

import sqlite3

import pytest

from rag_platform.answering.checks import cached
from rag_platform.answering.checks.cached import CachedCheck, JudgementFile
from rag_platform.answering.checks.check import Judgement


class Counting:
    """A check that supports what its source holds, cannot judge what is empty, and counts."""

    def __init__(self, name="words"):
        self.name = name
        self.asked = []

    def __call__(self, pairs):
        self.asked += pairs
        return [Judgement(float(claim in source), 0.25) if claim else None for claim, source in pairs]


@pytest.fixture
def file(tmp_path):
    return JudgementFile(tmp_path / "checks" / "judgements.sqlite")


def test_the_same_claim_beside_the_same_source_is_judged_once(file):
    check = Counting()
    pairs = [("a", "ab"), ("c", "ab"), ("a", "ab")]
    expected = [Judgement(1, 0.25), Judgement(0, 0.25), Judgement(1, 0.25)]
    assert CachedCheck(check, file)(pairs) == expected and check.asked == pairs[:2]
    assert CachedCheck(check, JudgementFile(file._path))([*pairs, ("a", "b")]) == [*expected, Judgement(0, 0.25)]
    assert check.asked == [*pairs[:2], ("a", "b")]


def test_another_model_judges_anew_and_what_was_not_judged_is_asked_again(file):
    first, second = Counting(), Counting("others")
    assert CachedCheck(first, file)([("", "b"), ("b", "b")]) == [None, Judgement(1, 0.25)]
    assert CachedCheck(first, file)([("", "b")]) == [None] and first.asked.count(("", "b")) == 2
    assert CachedCheck(second, file)([("b", "b")]) and second.asked == [("b", "b")]


def test_no_text_is_kept_and_clearing_leaves_nothing(file):
    assert file.clear() == 0 and not file._path.exists()
    CachedCheck(Counting(), file)([("a secret claim", "a secret source"), ("b", "b")])
    assert b"secret" not in b"".join(path.read_bytes() for path in file._path.parent.iterdir())
    (key,) = sqlite3.connect(file._path).execute("select key from judgements limit 1").fetchone()
    assert file.clear() == 2
    assert key.encode() not in b"".join(path.read_bytes() for path in file._path.parent.iterdir())


def test_the_oldest_go_first_and_a_damaged_file_counts_as_empty(file, monkeypatch):
    monkeypatch.setattr(cached, "MOST", 2)
    check = Counting()
    for claim in "abc":
        CachedCheck(check, file)([(claim, "abc")])
    CachedCheck(check, file)([("b", "abc"), ("c", "abc")])
    assert len(check.asked) == 3
    CachedCheck(check, file)([("a", "abc")])
    assert len(check.asked) == 4
    file._path.write_bytes(b"no database " * 1000)
    assert CachedCheck(check, JudgementFile(file._path))([("a", "abc")]) == [Judgement(1, 0.25)]
