"""Judged answers become proposed questions, which are accepted or dismissed, and are forgotten with their documents."""

import json
from pathlib import Path

import pytest

from rag_platform.core.errors import NotFound, QuestionSetError
from rag_platform.core.hits import Filters
from rag_platform.erasure.forget import forget
from rag_platform.erasure.targets import recognise
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace, open_workspace
from tests.test_command_line import rag, rag_json

pytestmark = pytest.mark.slow

RAG_TOML = """
[[sources]]
id = "river"
kind = "folder"
path = "files"

[[sources.rules]]
match = "wardens/*"
principals = ["group:wardens"]
"""
PUBLIC, OWN = "How often is a gauge calibrated?", "What does the key of the lock house open?"


@pytest.fixture
def workspace(tmp_path: Path, model_folder: Path) -> Workspace:
    (tmp_path / "rag.toml").write_text(RAG_TOML)
    (tmp_path / "files" / "wardens").mkdir(parents=True)
    (tmp_path / "files" / "gauges.md").write_text("# Gauges\n\nA gauge is calibrated every spring by two people.\n")
    secret = "# Keys\n\nThe key of the lock house opens the pump room as well.\n"
    (tmp_path / "files" / "wardens" / "keys.md").write_text(secret)
    opened = open_workspace(tmp_path)
    pipeline = Pipeline(opened)
    pipeline.sync_source("river")
    opened.versions.promote(pipeline.build().version, "test")
    return opened


def ask(workspace: Workspace, question: str, *principals: str) -> str:
    return workspace.answerer.ask(question, filters=Filters(principals=principals)).receipt_id


def test_what_is_judged_bad_or_declined_is_proposed_to_those_who_may_read_it(workspace: Workspace) -> None:
    feedback, proposals = workspace.feedback, workspace.proposals
    good, bad = ask(workspace, PUBLIC), ask(workspace, OWN, "user:ilse", "group:wardens")
    declined = ask(workspace, "What is the boiling point of tungsten?")
    feedback.give(good, good=True)
    feedback.give(bad, good=False, reason="incomplete", comment="also the shed", principal="user:ilse")
    feedback.give(declined, good=True)
    assert [one.id for one in proposals.list()] == [declined], "of the other one nobody but wardens may read"
    assert [one.id for one in proposals.list(["group:wardens"])] == [declined, bad]
    found = proposals.find(bad[:10], ["group:wardens"])
    assert (found.question, found.reason, found.comment) == (OWN, "incomplete", "also the shed")
    assert found.version == workspace.versions.live_id() and "opens the pump room" in found.cited[0].quote
    assert found.answerable and not proposals.find(declined).answerable
    with pytest.raises(NotFound, match="no proposed question"):
        proposals.find(bad)
    feedback.give(bad, good=True, principal="user:ilse")
    assert [one.id for one in proposals.list(["group:wardens"])] == [declined], "they changed their mind"


def test_a_proposal_is_accepted_into_a_set_that_the_gate_can_ask(workspace: Workspace) -> None:
    from evals.commands.question_sets import accept_proposal
    from evals.questions.sets import workspace_questions

    bad, public = ask(workspace, OWN, "user:ilse", "group:wardens"), ask(workspace, PUBLIC)
    declined = ask(workspace, "What is the boiling point of tungsten?")
    workspace.feedback.give(bad, good=False, reason="incomplete", principal="user:ilse")
    workspace.feedback.give(public, good=False)
    workspace.feedback.give(declined, good=True)
    with pytest.raises(QuestionSetError, match="does not hold the words"):
        accept_proposal(workspace, public, relevant=[("gauges.md", "no such words here")])
    accept_proposal(workspace, bad, who="ann", principals=["group:wardens"], answer="the pump room")
    accept_proposal(workspace, public, question="When are gauges calibrated?")
    accept_proposal(workspace, declined)
    made = {one.question: one for one in workspace_questions(workspace)}
    own, reworded = made[OWN], made["When are gauges calibrated?"]
    assert own.principal == "group:wardens" and own.answers == ("the pump room",)
    assert own.tags == ("feedback", "incomplete", f"version:{workspace.versions.live_id()}")
    assert reworded.principal is None and "every spring" in reworded.relevant[0].quote
    assert not made["What is the boiling point of tungsten?"].answerable
    assert workspace.proposals.list(["group:wardens"]) == []
    with pytest.raises(NotFound, match="waits"):
        workspace.proposals.dismiss(bad)


def test_the_better_of_two_answers_brings_its_citations_into_the_set(workspace: Workspace) -> None:
    from evals.questions.accepted_feedback import accept_proposal
    from evals.questions.sets import workspace_questions

    worse, better = ask(workspace, PUBLIC), ask(workspace, OWN, "user:ilse", "group:wardens")
    workspace.preferred.prefer(better, worse, "user:ilse")
    assert [one.id for one in workspace.proposals.list(["group:wardens"])] == [better]
    assert workspace.proposals.list() == [], "it rests on what wardens alone may read"
    accept_proposal(workspace, better, who="ann", principals=["group:wardens"])
    [made] = workspace_questions(workspace)
    cited = workspace.journal.find(better).citations
    assert [(one.uri, one.quote) for one in made.relevant] == [(one.uri, " ".join(one.quote.split())) for one in cited]
    assert cited and made.answerable and (made.question, made.principal) == (OWN, "group:wardens")
    workspace.preferred.prefer(worse, better, "user:ilse")
    assert [one.id for one in workspace.proposals.list()] == [worse], "they changed their mind"


def test_a_proposal_goes_with_the_document_that_it_rests_on(workspace: Workspace) -> None:
    bad = ask(workspace, PUBLIC)
    workspace.feedback.give(bad, good=False, comment="no")
    forget(workspace, recognise(workspace, "gauges.md"))
    assert workspace.proposals.list() == [] and workspace.proposals.count() == 0


def test_proposals_are_listed_accepted_and_dismissed_from_the_terminal(workspace: Workspace) -> None:
    home = workspace.settings.home
    first, second = ask(workspace, PUBLIC), ask(workspace, PUBLIC)
    workspace.feedback.give(first, good=False, reason="wrong")
    workspace.feedback.give(second, good=False)
    assert {row["id"] for row in rag_json(home, "questions", "proposed")} == {first, second}
    assert "bad: wrong" in rag(home, "questions", "proposed")
    assert "expected the uri" in rag(home, "questions", "accept", first[:12], "--quote", "nothing", code=1)
    quote = "gauges.md=calibrated every spring"
    made = rag_json(home, "questions", "accept", first[:12], "--quote", quote)
    assert [json.loads(line) for line in Path(made["path"]).read_text().splitlines()] == [made["question"]]
    assert "dismissed" in rag(home, "questions", "dismiss", second)
    assert rag_json(home, "questions", "proposed") == []
