"""A question whose hits stayed keeps its measures and is not answered again; any other is."""

import dataclasses

import pytest

from evals.measures.evaluation_memo import EvaluationMemo
from evals.measures.kept_measures import KeptMeasures
from evals.measures.scoring import score
from evals.questions.question import Question, Relevant

TEXTS = {"weir": "the weir holds the river back", "ferry": "the ferry crosses at noon"}
WEIR = Question("weir", "What holds the river?", (Relevant("weir", "holds the river"),), ("the weir",))
QUESTIONS = (WEIR, Question("moon", "Who lives on the moon?", answerable=False))
REVISIONS = {"weir": "1", "ferry": "1"}


@pytest.fixture
def evaluate(tmp_path, make_documents, make_hit, make_result, make_answer):
    """Score the questions with what earlier evaluations left; returns the scores and which were answered."""

    def run(questions=QUESTIONS, *, hit=None, revisions=REVISIONS, conditions="same", texts=TEXTS):
        asked, memo = [], EvaluationMemo(tmp_path / "memo")

        def ask(question):
            asked.append(question.id)
            cited = ("weir", texts["weir"].index("holds"), "holds the river")
            return make_answer("It does [1].", cited) if question.answerable else make_answer()

        scores = score(
            questions,
            lambda _question: make_result(hit or make_hit("weir", 0, 29)),
            make_documents(**texts),
            version="v",
            ask=ask,
            memo=memo,
            kept=KeptMeasures(memo, conditions, revisions),
        )
        memo.save()
        return scores.questions.drop("ms"), asked

    return run


def test_with_the_same_hits_nothing_is_answered_and_all_measures_stay(evaluate):
    first, asked = evaluate()
    again, asked_again = evaluate()
    assert (asked, asked_again) == (["weir", "moon"], [])
    assert again.equals(first) and first["cites_quote"].to_list() == [1.0, None]


def test_a_hair_s_breadth_of_a_score_counts_as_the_same(evaluate, make_hit):
    evaluate()
    assert evaluate(hit=dataclasses.replace(make_hit("weir", 0, 29), score=1.0 - 1e-5))[1] == []


@pytest.mark.parametrize("change", ["passage", "score", "text", "conditions", "question", "label"])
def test_whatever_an_answer_depends_on_asks_again(evaluate, make_hit, change):
    evaluate([WEIR])
    changed = {
        "passage": {"hit": make_hit("weir", 0, 20)},
        "score": {"hit": dataclasses.replace(make_hit("weir", 0, 29), score=0.9)},
        "text": {"revisions": REVISIONS | {"weir": "2"}},
        "conditions": {"conditions": "other"},
        "question": {"questions": [dataclasses.replace(WEIR, answers=("a dam",))]},
        "label": {"texts": TEXTS | {"weir": "here the weir holds the river back"}},
    }[change]
    assert evaluate(**{"questions": [WEIR]} | changed)[1] == ["weir"]
