"""A candidate evaluated end to end over real versions: published first, refused when worse, rescored on a new set."""

import pytest

from evals.release import evaluate
from rag_platform.settings import GateSettings
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import document

WEIR = document("weir.md", "the weir holds the river back")
FERRY = document("ferry.md", "the ferry crosses at noon")
PLAN = document("plan.md", "the board plans to sell the mill", principals=["alice"])
QUESTIONS = [
    {"id": "weir", "question": "weir river", "relevant": [{"uri": "weir.md", "quote": "holds the river"}]},
    {"id": "ferry", "question": "ferry noon", "relevant": [{"uri": "ferry.md", "quote": "crosses at noon"}]},
]


@pytest.fixture
def workspace(tmp_path) -> SmallWorkspace:
    made = SmallWorkspace(tmp_path)
    made.questions(*QUESTIONS)
    return made


def test_the_first_version_passes_and_its_scores_lie_beside_it(workspace) -> None:
    version = workspace.build(WEIR, FERRY)
    made = evaluate(workspace, version)
    assert made.verdict.passed
    assert made.scores.means["nDCG@10"] == 1.0
    manifest = workspace.versions.manifest(version)
    assert manifest["verdict"]["passed"] is True
    assert manifest["scores"]["means"]["nDCG@10"] == 1.0


def test_a_version_that_lost_a_document_is_refused_and_says_which_question(workspace) -> None:
    workspace.publish(WEIR, FERRY)
    candidate = workspace.build(WEIR)
    made = evaluate(workspace, candidate)
    assert made.verdict.outcome == "refused"
    assert made.verdict.comparison.worse == ("ferry",)
    assert "no document has the uri 'ferry.md'" in made.report
    assert workspace.versions.manifest(candidate)["verdict"]["passed"] is False


def test_a_version_that_only_adds_passes(workspace) -> None:
    live = workspace.publish(WEIR, FERRY)
    made = evaluate(workspace, workspace.build(WEIR, FERRY, PLAN))
    assert made.verdict.passed
    assert made.verdict.live == live


def test_the_live_version_is_scored_again_when_the_questions_change(workspace) -> None:
    workspace.publish(WEIR, FERRY)
    workspace.questions(QUESTIONS[0])
    made = evaluate(workspace, workspace.build(WEIR))
    assert made.verdict.outcome == "passed"
    assert made.verdict.comparison.questions == 1


def test_damage_is_refused_without_any_question(workspace) -> None:
    workspace.questions()
    version = workspace.build(WEIR, FERRY)
    meta = workspace.versions.path(version) / "lexical" / "meta.json"
    meta.write_text(meta.read_text() + "\n")
    made = evaluate(workspace, version)
    assert made.verdict.outcome == "refused"
    assert "meta.json is not the file that was built" in made.verdict.reasons[0]


def test_without_questions_a_sound_version_passes(workspace) -> None:
    workspace.questions()
    made = evaluate(workspace, workspace.build(WEIR))
    assert made.verdict.passed
    assert "Nothing was scored" in made.verdict.reasons[0]


def test_a_question_is_asked_as_its_principal(workspace) -> None:
    label = [{"uri": "plan.md", "quote": "to sell the mill"}]
    rows = [{"id": "plan", "question": "sell mill", "relevant": label, "principal": who} for who in ("alice", "bob")]
    means = []
    for row in rows:
        workspace.questions(row)
        made = evaluate(workspace, workspace.build(WEIR, PLAN))
        assert made.scores.leaks == ()
        means.append(made.scores.means["nDCG@10"])
    assert means == [1.0, 0.0]


def test_a_floor_of_the_settings_holds(workspace) -> None:
    workspace.settings = workspace.settings.model_copy(update={"gate": GateSettings(floors={"answered": 0.5})})
    made = evaluate(workspace, workspace.build(WEIR, FERRY))
    assert made.verdict.reasons == ("answered is 0.000, below its floor of 0.500.",)
