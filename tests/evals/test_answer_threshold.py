"""When to answer, fitted to a workspace's own questions."""

import json

import numpy as np
import pytest

from evals.commands.evaluation import fit_answering
from evals.measures.answer_threshold import LEAST, Probabilities, answer_probabilities, fit_threshold, shares_at
from evals.questions.question import Question, Relevant
from rag_platform.config.settings_file import load_settings
from rag_platform.core.errors import QuestionSetError
from rag_platform.core.ports import silent
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import document

RIVERS = ["Alder", "Birch", "Cedar", "Doric", "Elder", "Fjord", "Garda", "Hazel", "Indus", "Jumna", "Karun", "Loire",
          "Meuse", "Neman", "Orkla", "Pripyat", "Rhone", "Saale", "Tagus", "Volga"]  # fmt: skip
ASKED = [Question(f"{name}", f"Where does the {name} rise?", (Relevant(f"{name}.md", ""),)) for name in RIVERS]


def told(own, taken_out=(), others=()):
    return Probabilities(np.array(own), np.array(taken_out), np.array(others))


def test_the_threshold_parts_the_questions_and_answers_most_of_those_that_have_an_answer():
    assert fit_threshold(told([0.3] * 9 + [0.05], others=[0.1] * 8 + [0.9] * 2)) == pytest.approx((0.3, 0.9, 0.8))
    flooded = told([0.1, 0.2, 0.3, 0.4] * 5, others=[0.35] * 20)
    assert fit_threshold(flooded) == pytest.approx((0.1, 1.0, 0.0))
    assert shares_at(0.35, told([0.4, 0.2], [0.1, 0.5], [0.3])) == pytest.approx((0.35, 0.5, 0.75))


def test_a_question_is_asked_with_and_without_the_documents_that_answer_it(tmp_path):
    workspace = SmallWorkspace(tmp_path)
    version = workspace.publish(*(document(f"{name}.md", f"the {name} will rise in the hills") for name in RIVERS))
    nowhere = Question("none", "What is a quarter tone in music?", answerable=False)
    found = answer_probabilities(workspace, version, [*ASKED, nowhere])
    assert [len(kind) for kind in found] == [20, 20, 1]
    assert found.answerable.min() > found.taken_out.max() and found.unanswerable.max() < found.answerable.min()
    rows = [
        {"id": one.id, "question": one.question, "relevant": [{"uri": f"{one.id}.md", "quote": "will rise in"}]}
        for one in ASKED
    ]
    rows.append({"id": "none", "question": nowhere.question, "answerable": False})
    (tmp_path / "questions").mkdir()
    (tmp_path / "questions" / "own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    made = fit_answering(workspace, None, reporter=lambda _stage: silent)
    assert (made["version"], made["answerable"], made["unanswerable"]) == (version, 20, 1)
    assert made["fitted"]["answered"] >= 0.85 and made["fitted"]["declined"] == 1.0
    assert load_settings(tmp_path).answer.threshold == made["fitted"]["threshold"]


def test_too_few_questions_are_refused(tmp_path):
    workspace = SmallWorkspace(tmp_path)
    version = workspace.publish(document("Alder.md", "the Alder will rise in the hills"))
    with pytest.raises(QuestionSetError, match=f"3 questions .* at least {LEAST}"):
        answer_probabilities(workspace, version, ASKED[:3])
