"""Questions made from documents: quotes word for word, in every script, spread, never boilerplate, always the same."""

import json

import polars as pl
import pytest

from evals.candidate_evaluation import evaluate
from evals.questions.labels import locate
from evals.questions.question import load_questions
from evals.questions.sets import first_questions, question_files
from evals.questions.synthetic import draw, generate, question_rows, write_questions
from rag_platform.config.settings import GateSettings
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import document

TEXTS = {
    "ferry.md": (
        "en",
        "The ferry at Alder Lock crosses every twenty minutes from dawn until dusk. It stays at home in floods. "
        "All rights reserved by the river association and its members.",
    ),
    "weir.md": (
        "en",
        "The weir was rebuilt in 1931 from granite blocks quarried at Penrose. See https://example.org for the many "
        "photographs of the works. All rights reserved by the river association and its members.",
    ),
    "bruecke.md": ("de", "Die alte Steinbrücke über den Fluss wurde im Jahre 1764 von zwei Baumeistern errichtet."),
    "nadi.md": ("hi", "नदी के किनारे बना पुराना पुल हर साल बाढ़ के समय तीन महीने तक बंद रहता है।"),
    "he.md": ("zh", "河边的老磨坊建于一七六四年，现在是一个小型博物馆，每周二向学校开放参观。"),
}


@pytest.fixture
def documents() -> pl.DataFrame:
    rows = [document(uri, text, language=language) for uri, (language, text) in TEXTS.items()]
    return pl.DataFrame(rows)


def _weight(word: str) -> float:
    return 1.0 + len(word) / 5


def test_every_document_and_script_gets_its_question_with_a_verbatim_quote(documents) -> None:
    made = generate(documents, _weight, 5)
    assert {question.language for question in made} == {"en", "de", "hi", "zh"}
    assert len({question.relevant[0].uri for question in made}) == 5
    assert [label.problem for label in locate(made, documents) if label.problem] == []
    for question in made:
        assert question.tags == ("synthetic",)
        assert question.relevant[0].quote not in question.question
        assert 3 <= len(question.question.split()) <= 5
    quotes = " ".join(question.relevant[0].quote for question in made)
    assert "All rights reserved" not in quotes  # boilerplate stands in two documents
    assert "It stays at home" not in quotes  # leans on the sentence before it
    assert "https://" not in quotes


def test_equal_corpora_give_equal_questions_in_whatever_order(documents) -> None:
    assert question_rows(generate(documents, _weight, 5)) == question_rows(generate(documents.reverse(), _weight, 5))
    assert len(generate(documents, _weight, 2)) == 2


def test_what_only_some_may_read_is_asked_by_one_of_them(documents) -> None:
    (question,) = generate(pl.DataFrame([document("x", TEXTS["ferry.md"][1], principals=["alice"])]), _weight, 1)
    assert question.principal == "alice"


def test_a_short_sentence_gives_no_question() -> None:
    assert draw("The old ferry.", "en", _weight) == ""


def test_what_a_model_proposes_is_taken_only_with_a_quote_of_the_document(documents) -> None:
    def ask(sentence: str, around: str) -> tuple[str, str, str]:
        assert sentence in " ".join(around.split())
        return "How frequent is the boat?", "crosses every twenty minutes", "every twenty minutes"

    made = generate(documents.filter(uri="ferry.md"), _weight, 1, ask)
    assert (made[0].question, made[0].answers) == ("How frequent is the boat?", ("every twenty minutes",))
    assert generate(documents.filter(uri="weir.md"), _weight, 1, ask) == []


def test_a_written_set_can_be_read(documents, tmp_path) -> None:
    made = generate(documents, _weight, 5)
    write_questions(tmp_path / "questions" / "synthetic.jsonl", made)
    assert load_questions([tmp_path / "questions" / "synthetic.jsonl"]) == tuple(made)


def test_a_workspace_without_any_set_gets_one_from_its_first_version(tmp_path) -> None:
    workspace = SmallWorkspace(tmp_path)
    workspace.settings = workspace.settings.model_copy(update={"gate": GateSettings(synthetic=4, per_source=4)})
    rows = [document(uri, text, language=language) for uri, (language, text) in TEXTS.items()]
    first = evaluate(workspace, workspace.build(*rows))
    assert any("4 of the 4 questions are synthetic" in reason for reason in first.verdict.reasons)
    workspace.versions.promote(first.version, why="test")
    path = tmp_path / "questions" / "synthetic.jsonl"
    before = path.read_bytes()
    broken = [row | {"text": "menu", "revision": "menu"} for row in rows]
    assert evaluate(workspace, workspace.build(*broken)).verdict.outcome == "refused"
    assert path.read_bytes() == before
    assert first_questions(workspace, first.version) is None


def test_an_empty_file_or_a_zero_means_no_questions(tmp_path) -> None:
    workspace = SmallWorkspace(tmp_path)
    version = workspace.build(document("ferry.md", TEXTS["ferry.md"][1]))
    assert first_questions(workspace, version) is None
    assert question_files(workspace) == []
    workspace.questions()
    workspace.settings = workspace.settings.model_copy(update={"gate": GateSettings(synthetic=4)})
    assert first_questions(workspace, version) is None
    assert json.loads("[]") == question_rows(())
