"""A candidate evaluated end to end over real versions: published first, refused when worse, rescored on a new set."""

import pytest

from evals.candidate_evaluation import evaluate, report_path
from rag_platform.config.settings import GateSettings
from rag_platform.core.errors import DamagedVersion
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import document, file_of

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


def test_too_many_questions_whose_text_the_source_took_away_are_refused_and_named(workspace) -> None:
    workspace.questions(*QUESTIONS, {**QUESTIONS[1], "id": "when"})
    workspace.publish(WEIR, FERRY)
    candidate = workspace.build(WEIR)
    made = evaluate(workspace, candidate)
    assert made.verdict.outcome == "refused"
    assert made.verdict.stale == dict.fromkeys(("ferry", "when"), "'ferry.md' was removed by its source")
    assert "2 of 3 questions rest on text that the sources have changed or removed" in made.verdict.reasons[1]
    assert "no document has the uri 'ferry.md'" in made.report
    assert workspace.versions.manifest(candidate)["verdict"]["passed"] is False


def test_a_single_one_of_several_questions_may_go_and_the_only_one_may_not(workspace) -> None:
    workspace.publish(WEIR, FERRY)
    assert evaluate(workspace, workspace.build(WEIR)).verdict.passed
    workspace.questions(QUESTIONS[1])
    assert "1 of 1 question rest" in evaluate(workspace, workspace.build(WEIR)).verdict.reasons[1]


NEWS = [document(f"news{number}.md", f"the item number{number} is of the day{number}") for number in range(6)]
NEWS_QUESTIONS = [
    {
        "id": f"n{number}",
        "question": f"number{number}",
        "relevant": [{"uri": f"news{number}.md", "quote": f"item number{number}"}],
    }
    for number in range(6)
]


def test_one_expired_article_blocks_nothing_and_stays_stale(workspace) -> None:
    workspace.questions(*NEWS_QUESTIONS)
    workspace.publish(*NEWS)
    made = evaluate(workspace, workspace.build(*NEWS[1:]))
    assert made.verdict.passed
    assert made.verdict.comparison.questions == 5
    assert made.scores.means["nDCG@10"] == made.live.means["nDCG@10"] == 1.0
    assert any("1 question rests on text that the sources have since" in reason for reason in made.verdict.reasons)
    workspace.versions.promote(made.version, why="test")
    rewritten = document("news1.md", "another text entirely")
    later = evaluate(workspace, workspace.build(rewritten, *NEWS[2:]))
    assert later.verdict.passed
    assert set(later.verdict.stale) == {"n0", "n1"}
    assert later.verdict.stale["n1"] == "'news1.md' was changed by its source"
    assert later.scores.means["nDCG@10"] == 1.0


@pytest.mark.parametrize("kept", [True, False], ids=["a part of it", "nothing, so it is not indexed"])
def test_text_that_our_own_reading_lost_counts_as_not_found(workspace, kept) -> None:
    workspace.questions(*NEWS_QUESTIONS)
    workspace.publish(*NEWS)
    lost = NEWS[0] | {"text": "menu", "revision": "menu"}  # the bytes are the same
    if not kept:
        workspace.has_raw("docs", NEWS[0]["uri"], NEWS[0]["raw_sha256"])
    made = evaluate(workspace, workspace.build(*([lost] if kept else []), *NEWS[1:]))
    assert made.verdict.outcome == "refused"
    assert made.verdict.comparison.worse == ("n0",)
    assert made.verdict.stale == {}


def test_scores_taken_under_other_conditions_are_taken_again(workspace) -> None:
    workspace.questions(*NEWS_QUESTIONS)
    live = workspace.publish(*NEWS)
    manifest = workspace.versions.manifest(live)
    workspace.versions.record_evaluation(live, manifest["scores"] | {"conditions": "others", "questions": []}, {})
    made = evaluate(workspace, workspace.build(*NEWS[1:]))
    assert made.verdict.passed
    assert made.verdict.comparison.questions == 5


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
    assert any(reason.startswith("The questions have changed since the live") for reason in made.verdict.reasons)


def test_damage_is_refused_without_any_question(workspace) -> None:
    workspace.questions()
    version = workspace.build(WEIR, FERRY)
    meta = file_of(workspace.versions.path(version), "lexical/meta.json")
    meta.write_text(meta.read_text() + "\n")
    with pytest.raises(DamagedVersion, match=r"meta\.json is not the file that was built"):
        evaluate(workspace, version)


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
        means.append(made.scores.means.get("nDCG@10"))
    assert means == [1.0, None]  # whose label its asker may not read is no question


def test_a_floor_of_the_settings_holds(workspace) -> None:
    workspace.settings = workspace.settings.model_copy(update={"gate": GateSettings(floors={"answered": 0.5})})
    made = evaluate(workspace, workspace.build(WEIR, FERRY))
    assert made.verdict.reasons == ("answered is 0.000, below its floor of 0.500.",)


def test_a_live_version_keeps_the_verdict_with_which_it_became_so(workspace) -> None:
    workspace.publish(WEIR, FERRY)
    second = workspace.publish(WEIR, FERRY, NEWS[0])
    before = workspace.versions.manifest(second)["verdict"]
    assert before["comparison"]
    again = evaluate(workspace, second)
    assert again.verdict.to_dict()["comparison"] == before["comparison"]
    assert again.report == report_path(workspace, second).read_text()
    assert workspace.versions.manifest(second)["verdict"] == before
    workspace.questions(*QUESTIONS, {**QUESTIONS[1], "id": "another"})
    assert evaluate(workspace, second).verdict.fingerprint != before["fingerprint"]


def test_a_version_made_live_by_force_does_not_fail_every_sync(workspace) -> None:
    workspace.publish(WEIR, FERRY)
    lost = document("weir.md", "home contact imprint", raw_sha256=WEIR["raw_sha256"])
    refused = workspace.build(lost, FERRY)
    assert evaluate(workspace, refused).verdict.outcome == "refused"
    workspace.versions.promote(refused, why="by force")
    again = evaluate(workspace, refused).verdict
    assert again.passed
    assert again.reasons[0].startswith("It is live although the gate refused it")
    assert workspace.versions.manifest(refused)["verdict"]["passed"] is False


def test_a_version_that_another_gate_judged_is_evaluated(workspace) -> None:
    live = workspace.publish(WEIR, FERRY)
    workspace.versions.record_evaluation(live, {"found": 1.0}, {"passed": True, "reasons": ["as given"], "live": None})
    assert evaluate(workspace, live).verdict.fingerprint
