"""Scores of a whole set: empty results, crashes, leaks, lost labels, and the way through JSON and back."""

import json

import polars as pl
import pytest

from evals.measures.scoring import Scores, score
from evals.questions.question import Question, Relevant, fingerprint

TEXTS = {"weir": "the weir holds the river back", "ferry": "the ferry crosses at noon"}
QUESTIONS = (
    Question("weir", "What holds the river?", (Relevant("weir", "holds the river"),), ("the weir",)),
    Question("ferry", "When does it cross?", (Relevant("ferry", "crosses at noon"),), ("noon",)),
    Question("moon", "Who lives on the moon?", answerable=False),
)


@pytest.fixture
def documents(make_documents) -> pl.DataFrame:
    return make_documents(**TEXTS)


@pytest.fixture
def search(make_hit, make_result):
    """Find the weir's document for every question."""
    return lambda _question: make_result(make_hit("weir", 0, 29))


def test_a_set_is_scored_question_by_question(search, documents) -> None:
    scores = score(QUESTIONS, search, documents, version="v1")
    assert scores.questions.select("id", "nDCG@10", "id_based_context_recall").rows() == [
        ("weir", 1.0, 1.0),
        ("ferry", 0.0, 0.0),
        ("moon", None, None),
    ]
    assert scores.means["nDCG@10"] == scores.means["id_based_context_recall"] == 0.5
    assert (scores.version, scores.fingerprint) == ("v1", fingerprint(QUESTIONS))
    assert scores.means["ms_p95"] >= scores.means["ms_p50"] >= 0
    assert "answered" not in scores.means


def test_answers_are_scored_beside(search, documents, make_answer) -> None:
    answers = {
        "weir": make_answer("The weir [1].", ("weir", 4, "weir holds the river")),
        "ferry": make_answer(),
        "moon": make_answer(),
    }
    scores = score(QUESTIONS, search, documents, version="v1", ask=lambda question: answers[question.id])
    expected = {
        "answered": 0.5,
        "contains_gold": 0.5,
        "cited_verbatim": 1.0,
        "cites_quote": 1.0,
        "abstained": 1.0,
        "abstention_precision": 0.5,
        "abstention_recall": 1.0,
    }
    assert {name: scores.means[name] for name in expected} == expected
    assert scores.questions["non_llm_context_recall"].is_not_null().to_list() == [True, False, False]
    assert scores.missing == {}  # of an abstention there is nothing to compare


def test_an_answer_that_cites_nothing_is_missing_from_what_compares_quotes(search, documents, make_answer) -> None:
    scores = score(QUESTIONS, search, documents, version="v1", ask=lambda _question: make_answer("It does."))
    assert scores.missing == {"non_llm_context_recall": 2}
    assert scores.means["cited_verbatim"] == scores.means["abstention_recall"] == 0.0


def test_nothing_found_scores_zero(documents, make_result) -> None:
    scores = score(QUESTIONS, lambda _question: make_result(), documents, version="v1")
    assert scores.means["nDCG@10"] == scores.means["AP"] == scores.means["id_based_context_recall"] == 0.0
    assert scores.missing == {"id_based_context_precision": 2}
    assert "id_based_context_precision" not in scores.means


def test_a_lost_label_scores_zero_and_is_told_and_the_others_stay(search, make_documents) -> None:
    edited = make_documents(**(TEXTS | {"ferry": "the ferry crosses at dawn"}))
    scores = score(QUESTIONS, search, edited, version="v1")
    assert scores.unlocated == ("ferry#1: 'ferry' does not hold the words 'crosses at noon'",)
    assert scores.questions["nDCG@10"].to_list() == [1.0, 0.0, None]


def test_a_crash_is_told_and_does_not_stop_the_others(search, documents) -> None:
    def fragile(question: Question):
        if question.id == "weir":
            raise RuntimeError("no such index")
        return search(question)

    scores = score(QUESTIONS, fragile, documents, version="v1")
    assert scores.failed == ("weir: RuntimeError: no such index",)
    assert scores.questions["nDCG@10"].to_list() == [0.0, 0.0, None]
    assert scores.questions["ms"].null_count() == 1


@pytest.mark.parametrize(
    ("principals", "asker", "leaks"),
    [(["*"], None, 0), (["alice"], "alice", 0), (["alice"], None, 1), (["alice"], "bob", 1), ([], "bob", 1)],
    ids=str,
)
def test_a_hit_that_its_asker_may_not_read_is_a_leak(search, documents, principals, asker, leaks) -> None:
    readable = documents.with_columns(principals=pl.lit(principals, dtype=pl.List(pl.String)))
    question = Question("q", "?", answerable=False, principal=asker)
    scores = score([question], search, readable, version="v1")
    assert len(scores.leaks) == leaks


def test_no_questions_are_no_scores_and_need_no_extra(documents, monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ir_measures", None)
    scores = score((), lambda _question: pytest.fail("asked"), documents, version="v1")
    assert (scores.means, scores.questions.height) == ({}, 0)


def test_progress_is_told_after_each_question(search, documents) -> None:
    told = []
    score(QUESTIONS, search, documents, version="v1", progress=lambda *done: told.append(done))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_scores_survive_json(search, documents, make_answer) -> None:
    scores = score(QUESTIONS, search, documents, version="v1", ask=lambda _question: make_answer("x"))
    again = Scores.from_dict(json.loads(json.dumps(scores.to_dict(), allow_nan=False)))
    assert again.questions.equals(scores.questions)
    assert again.to_dict() == scores.to_dict()
