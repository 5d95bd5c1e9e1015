"""What a version is introduced with: questions that read naturally, whose passage is found, and that are answered."""

import json

import pytest

from evals.candidate_evaluation import evaluate, scores_of
from rag_platform.answering.answerer import Answerer
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.app.judged import QUESTIONS, SETTINGS
from tests.copies import copy_of

HOWTO = "# Weir\n\nA weir is a low dam across a river.\n\n## How levels are read\n\nA warden reads them each hour.\n"
MORE = [
    {"id": "drawn", "question": "office eight morning",
     "relevant": [{"uri": "office.md", "quote": "The office opens at"}]},
    {"id": "lost", "question": "Which colour has the badge of the wardens?",
     "relevant": [{"uri": "leave.md", "quote": "Unused days expire on 31 March"}]},
]  # fmt: skip


@pytest.fixture(scope="module")
def workspace(published, tmp_path_factory, embedder):
    """A workspace whose live version was evaluated; one of its documents is the board's."""
    home = copy_of(published, tmp_path_factory.mktemp("examples") / "home")
    (home / "board").mkdir()
    (home / "board" / "minutes.md").write_text("# Secret minutes\n\nThe board approved the merger with Northwind.\n")
    (home / "docs" / "weirs.md").write_text(HOWTO)
    (home / "rag.toml").write_text(SETTINGS)
    (home / "questions").mkdir()
    rows = [*QUESTIONS, *MORE]
    (home / "questions" / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    opened = open_workspace(home)
    opened.embedder = embedder
    pipeline = Pipeline(opened)
    for source in ("handbook", "board"):
        pipeline.sync_source(source)
    version = pipeline.build().version
    evaluate(opened, version)
    opened.versions.promote(version, "test")
    return opened


def kept(workspace):
    return workspace.versions.manifest(workspace.versions.live_id())["scores"]["examples"]


def test_what_scored_well_is_kept_and_what_did_not_or_nobody_would_ask_is_not(workspace):
    questions = [one["question"] for one in kept(workspace)]
    assert {"After how many years may one take a sabbatical?", "When does the office open?"} < {*questions}
    assert not {"office eight morning", "How far is the moon?", MORE[1]["question"]} & {*questions}
    assert {"What is a weir?", "How are levels read?"} & {*questions}, "headings and definitions come after them"
    documents = [one["documents"][0] for one in kept(workspace)]
    assert len(documents) == len(set(documents)), "each is about another document"
    assert all(not workspace.answerer.ask(one).abstained for one in questions if "board" not in one)


def test_nobody_is_offered_a_question_about_what_they_may_not_read(workspace):
    asked = "What did the board approve about Northwind?"
    assert asked in [one["question"] for one in kept(workspace)]
    public, board = (workspace.suggestions.kept_examples(who, 12) for who in ((), ("group:board",)))
    assert asked in board and asked not in public and len(public) >= 3
    assert workspace.suggestions.examples() == public[:3], "they are not looked for again"


def test_scores_that_are_taken_again_keep_the_examples(workspace):
    before, live = kept(workspace), workspace.versions.live_id()
    manifest = workspace.versions.manifest(live)
    workspace.versions.record_evaluation(live, manifest["scores"] | {"conditions": "others"}, manifest["verdict"])
    scores_of(workspace, live)
    assert kept(workspace) == before


def test_examples_whose_hits_stayed_are_not_answered_again(workspace, monkeypatch):
    (workspace.settings.home / "docs" / "weirs.md").write_text(HOWTO.replace("each hour", "each other hour"))
    Pipeline(workspace).sync_source("handbook")
    version, answered, ask = Pipeline(workspace).build().version, [], Answerer.ask

    def counted(self, question, **options):
        answered.append(question)
        return ask(self, question, **options)

    monkeypatch.setattr(Answerer, "ask", counted)
    evaluate(workspace, version)
    first = workspace.versions.manifest(version)["scores"]["examples"]
    assert "How are levels read?" in answered, "among few passages, an edit moves all scores"
    answered.clear()
    evaluate(workspace, version)
    assert not answered
    assert workspace.versions.manifest(version)["scores"]["examples"] == first
