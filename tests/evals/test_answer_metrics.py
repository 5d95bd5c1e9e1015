"""Gold answers in every script, citations word for word, abstention."""

from dataclasses import replace

import polars as pl
import pytest

from evals.measures.answer_metrics import STATES, abstention, answer_measures, contains, normalise, recall
from evals.questions.labels import Label, Span
from evals.questions.question import Question, Relevant
from rag_platform.core.answers import JudgedClaim

TEXTS = {"d": "The weir holds the river back. The ferry crosses at noon."}
QUESTION = Question("q", "When?", (Relevant("d", "crosses at noon"),), ("noon", "12:00"))
LABEL = Label("q#1", "q", QUESTION.relevant[0], (Span("d", 41, 56),))


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("It crosses at Noon [1].", "at noon", True),
        ("It has the 308 points [1], all told", "308 points all", True),
        ("It has 1308 points", "308", False),
        ("The Denver Broncos won", "a Denver Broncos", True),
        ("पैंथर्स ने 308 अंक दिए।", "308 अंक", True),
        ("नियमनिष्ठता", "नियम", False),
        ("他出生在北京市", "北京", True),
        ("Ｆｕｌｌ width", "full", True),
        ("anything", "", False),
        ("anything", "...", False),
    ],
)
def test_a_gold_answer_is_found_as_whole_words(answer, gold, expected) -> None:
    assert contains(answer, gold) is expected


def test_normalising_keeps_marks_with_their_letters() -> None:
    assert normalise("  The “Weir” is [1, 2] नियम-निष्ठता.") == "weir is नियम निष्ठता"


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [("red and blue", "red blue green red", 2 / 4), ("北京很大", "北京小", 2 / 3), ("", "red", 0.0), ("red", "", 0.0)],
)
def test_recall_counts_the_words_of_the_gold_answer(answer, gold, expected) -> None:
    assert recall(answer, gold) == pytest.approx(expected)


def test_an_answer_with_right_citations(make_answer) -> None:
    answer = make_answer("It crosses at noon [1].", ("d", 41, "crosses at noon"))
    assert answer_measures(QUESTION, answer, [LABEL], TEXTS) == {
        "answered": 1.0,
        "contains_gold": 1.0,
        "gold_recall": 1.0,
        "cited_verbatim": 1.0,
        "cites_quote": 1.0,
        "cites_document": 1.0,
        "abstained": None,
    } | dict.fromkeys(STATES)


def test_the_share_of_each_state_is_of_the_answers_sentences(make_answer) -> None:
    states = ("quoted", "quoted", "unverified", "contradicted")
    claims = tuple(JudgedClaim("…", None, state, None, "words") for state in states)
    row = answer_measures(QUESTION, replace(make_answer("noon"), claims=claims), [LABEL], TEXTS)
    assert [row[name] for name in STATES] == [0.5, 0.0, 0.25, 0.25]


@pytest.mark.parametrize(
    ("cited", "verbatim", "quote", "document"),
    [
        ([("d", 0, "The weir")], 1.0, 0.0, 1.0),
        ([("d", 41, "crosses at dawn")], 0.0, 1.0, 1.0),
        ([("e", 41, "crosses at noon")], 0.0, 0.0, 0.0),
        ([("d", 41, "crosses at noon"), ("d", 4, "weird")], 0.5, 1.0, 1.0),
        ([("d", 41, "")], 0.0, 0.0, 1.0),
        ([], 0.0, 0.0, 0.0),
    ],
    ids=["elsewhere", "not verbatim", "unknown document", "half", "empty quote", "uncited"],
)
def test_citations_are_checked_against_the_document(make_answer, cited, verbatim, quote, document) -> None:
    row = answer_measures(QUESTION, make_answer("noon", *cited), [LABEL], TEXTS)
    assert (row["cited_verbatim"], row["cites_quote"], row["cites_document"]) == (verbatim, quote, document)


def test_an_abstention_answers_nothing_and_cites_nothing(make_answer) -> None:
    row = answer_measures(QUESTION, make_answer(), [LABEL], TEXTS)
    assert (row["answered"], row["contains_gold"], row["gold_recall"]) == (0.0, 0.0, 0.0)
    assert row["cited_verbatim"] is row["cites_quote"] is row["abstained"] is None


def test_of_an_unanswerable_question_only_the_abstention_counts(make_answer) -> None:
    question = Question("q", "Why?", answerable=False)
    assert answer_measures(question, make_answer(), [], {})["abstained"] == 1.0
    row = answer_measures(question, make_answer("because"), [], {})
    assert {name: value for name, value in row.items() if value is not None} == {"abstained": 0.0}


def test_abstention_precision_and_recall() -> None:
    rows = pl.DataFrame({"answered": [1.0, 0.0, None, None, None], "abstained": [None, None, 1.0, 1.0, 0.0]})
    assert abstention(rows) == {"abstention_precision": pytest.approx(2 / 3), "abstention_recall": pytest.approx(2 / 3)}


def test_what_is_undefined_is_absent() -> None:
    schema = {"answered": pl.Float64, "abstained": pl.Float64}
    assert abstention(pl.DataFrame({"answered": [1.0], "abstained": [None]}, schema=schema)) == {}
    assert abstention(pl.DataFrame({"answered": [None], "abstained": [0.0]}, schema=schema)) == {
        "abstention_recall": 0.0
    }
