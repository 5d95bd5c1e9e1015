"""Each source is judged by its own questions, and a loss is laid to the source that made it."""

from pathlib import Path

import polars as pl
import pytest

from evals.evaluation_gate import EvaluationGate
from evals.gate.blame import lay_losses, origins
from evals.gate.verdict import Verdict
from evals.questions.question import Question, Relevant
from evals.questions.sets import workspace_questions
from evals.questions.synthetic import TAG
from rag_platform.config.settings import GateSettings
from rag_platform.core.ports import Judgement
from rag_platform.core.schemas import DOCUMENTS
from rag_platform.validation.changes import state_of
from tests.evals.boards import board
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import corpus, document

SOURCES = ("desk", "docs", "news")
WORDS = ("alder", "birch", "cedar", "dogwood")


def _text(source: str, word: str) -> str:
    return f"{word} of {source} grows well beside the {source}{word} ditch"


GOOD = {(source, word): _text(source, word) for source in SOURCES for word in WORDS}


def _documents(texts: dict[tuple[str, str], str]) -> list[dict]:
    return [document(f"{source}-{word}.md", text, source=source) for (source, word), text in texts.items()]


@pytest.fixture
def workspace(tmp_path: Path) -> SmallWorkspace:
    made = SmallWorkspace(tmp_path)
    made.questions(
        *(
            {
                "id": f"{source}-{word}",
                "question": f"{source}{word} {word} ditch",
                "relevant": [{"uri": f"{source}-{word}.md", "quote": f"beside the {source}{word} ditch"}],
            }
            for source, word in GOOD
        )
    )
    made.publish(*_documents(GOOD))
    return made


def _judged(workspace: SmallWorkspace, texts: dict[tuple[str, str], str]) -> Judgement:
    return EvaluationGate(workspace).judge(workspace.build(*_documents(texts)))


def _failed(judgement: Judgement) -> set[str]:
    return {name for name, one in judgement.sources.items() if not one.passed}


def _replaced(source: str, words: tuple[str, ...] = WORDS) -> dict[tuple[str, str], str]:
    return GOOD | {(source, word): f"service unavailable, attempt {word}" for word in words}


def test_a_source_whose_text_was_replaced_is_blamed_and_no_other(workspace) -> None:
    judgement = _judged(workspace, _replaced("desk"))
    assert not judgement.passed
    assert _failed(judgement) == {"desk"}
    assert sorted(judgement.sources["desk"].lost) == [f"desk-{word}" for word in WORDS]
    assert judgement.sources["desk"].questions == 4
    assert judgement.sources["desk"].reasons[0].startswith("Source 'desk' no longer answers 4 of its 4 questions")
    assert judgement.reasons[0] == (
        "4 of your 12 questions lost their answer, all of them because `desk` changed what answered them."
    )


def test_two_sources_that_were_replaced_are_both_blamed(workspace) -> None:
    both = _replaced("desk") | {("news", word): f"please log in, page {word}" for word in WORDS}
    judgement = _judged(workspace, both)
    assert _failed(judgement) == {"desk", "news"}


def test_the_edit_of_one_document_blames_nobody(workspace) -> None:
    judgement = _judged(workspace, _replaced("desk", WORDS[:1]))
    assert judgement.passed, judgement.reasons
    assert _failed(judgement) == set()


def test_new_documents_that_take_the_place_of_answers_are_blamed_and_named(workspace) -> None:
    spam = {
        ("news", f"spam{n}{source}{word}"): f"{source}{word} {word} ditch {n}a {n}b {n}c"
        for source in ("desk", "docs")
        for word in WORDS
        for n in range(6)
    }
    judgement = _judged(workspace, GOOD | spam)
    assert _failed(judgement) == {"news"}
    assert len(judgement.sources["news"].lost) == 8
    assert "8 of your 12 questions lost their answer, all of them to documents of `news`." in judgement.reasons
    stored = Verdict.from_dict(workspace.versions.manifest(judgement.version)["verdict"])
    assert stored.lost["desk-alder"][0].startswith("news-spam")
    assert not stored.sources["news"].passed


def test_what_no_document_explains_is_laid_to_nobody() -> None:
    rows = corpus(*_documents(GOOD)).documents
    (question,) = [Question("q", "alder", (Relevant("desk-alder.md", "alder"),))]
    same = origins(rows, rows, [question])
    (loss,) = lay_losses(board({"q": 0.0}), board({"q": 1.0}), (), same, ("nDCG@10",))
    assert (loss.source, loss.home, loss.answer, loss.documents) == (None, "desk", True, ())


def test_a_state_that_somebody_let_pass_decides_nothing(workspace) -> None:
    documents = corpus(*_documents(_replaced("desk"))).documents.filter(pl.col("source") == "desk")
    workspace.store.write("documents", "desk", documents.select(*DOCUMENTS))
    assert not _judged(workspace, _replaced("desk")).passed
    workspace.holds.permit("desk", state_of(workspace.store.read("documents", "desk")), who="ilse", why="an edition")
    judgement = _judged(workspace, _replaced("desk"))
    assert judgement.passed, judgement.reasons
    assert _failed(judgement) == set()


def test_a_source_without_questions_says_so(workspace) -> None:
    judgement = _judged(workspace, GOOD | {("blog", "one"): "a page of the blog"})
    assert judgement.passed
    assert judgement.sources["blog"].reasons == (
        "Source 'blog' has no questions of its own: only the brake on change watches it.",
    )


PROSE = {
    ("blog", f"{tree}"): f"The {tree} of the upper valley was planted by {who} before the second war. "
    f"Its wood was sold to the {trade} of the harbour, who paid for it in {coin}."
    for tree, who, trade, coin in (
        ("alder", "Mira Stone", "coopers", "copper"),
        ("birch", "Elian Marsh", "joiners", "silver"),
        ("cedar", "Hanna Vogel", "shipwrights", "barrels of salt"),
    )
}


@pytest.fixture
def asked(workspace: SmallWorkspace) -> SmallWorkspace:
    """Let questions be made; a source that nobody asks about is live."""
    workspace.settings = workspace.settings.model_copy(update={"gate": GateSettings(synthetic=4, per_source=4)})
    workspace.publish(*_documents(GOOD | PROSE))
    return workspace


def _made(workspace: SmallWorkspace) -> list[Question]:
    return [question for question in workspace_questions(workspace) if TAG in question.tags]


def test_a_source_that_nobody_asks_about_gets_questions_of_what_is_live_and_fails_by_them(asked) -> None:
    assert _made(asked) == []  # it was new: there was nothing live to ask about
    bad = GOOD | {key: f"service unavailable, attempt {key[1]}" for key in PROSE}
    judgement = _judged(asked, bad)
    made = _made(asked)
    assert 2 <= len(made) <= 4
    assert {question.relevant[0].uri for question in made} <= {f"blog-{tree}.md" for _, tree in PROSE}
    assert _failed(judgement) == {"blog"}
    assert not _judged(asked, bad).passed
    assert _made(asked) == made, "they are kept while the change is not confirmed"
    assert _judged(asked, GOOD | PROSE | {("blog", "elm"): "an elm of the lower valley"}).passed


def test_what_somebody_wrote_is_kept_and_an_empty_set_stays_empty(asked) -> None:
    asked.questions()
    assert _judged(asked, GOOD | PROSE | {("blog", "elm"): "an elm"}).questions == 0
