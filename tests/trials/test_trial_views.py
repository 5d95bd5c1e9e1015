"""What is told of trials: on the command line, over the API, in the verdict; and what is forgotten."""

import json
from collections.abc import Callable

import polars as pl
import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from evals.gate.shadow_remarks import shadow_remarks
from evals.measures.scoring import Scores
from rag_platform.api.application import application
from rag_platform.cli import app
from rag_platform.erasure.forget import forget
from rag_platform.erasure.targets import recognise
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import Workspace

QUESTION = "What does the ferry at Corvin cost?"
SETTINGS = '[shadow]\nsample = 1.0\nleave = "assumed"\n'


@pytest.fixture
def workspace(opened: Callable[..., Workspace]) -> Workspace:
    return opened(SETTINGS)


@pytest.fixture
def local(workspace: Workspace) -> TestClient:
    """Whoever runs the workspace, asking from this machine."""
    return TestClient(application(workspace, trusts_local=True), "http://127.0.0.1", client=("127.0.0.1", 1))


def ask(client: TestClient, workspace: Workspace, **given: str) -> dict:
    answer = client.post("/v1/ask", json={"question": QUESTION, **given}).json()
    workspace.live_traffic.wait()
    return answer


def test_trials_are_begun_told_and_ended_over_the_api(local: TestClient, workspace: Workspace) -> None:
    live, other = workspace.versions.ids()
    for kind, version, code in (("canary", live, 409), ("canary", "v77", 409), ("flight", other, 400)):
        assert local.post("/v1/trials", json={"kind": kind, "version": version}).status_code == code
    (begun,) = local.post("/v1/trials", json={"kind": "shadow", "version": "2"}).json()["trials"]
    assert (begun["version"], begun["live"], begun["ended"], begun["questions"]) == (other, live, None, 0)
    assert ask(local, workspace, session="ada")["version"] == live
    local.post("/v1/trials", json={"kind": "canary", "version": "2", "share": 1})
    answered = ask(local, workspace, session="ada")
    assert answered["version"] == other
    workspace.feedback.give(answered["receipt_id"], good=True)
    canary, shadow = local.get("/v1/trials").json()["trials"]
    assert shadow["questions"] == 1 and shadow["same_first"] == 0
    assert canary["answers"]["canary"] | {"ms": 0} == {"questions": 1, "ms": 0, "abstained": 1, "good": 1, "bad": 0}
    assert canary["answers"]["others"]["questions"] == 0, "those before it began do not count"
    for kind in ("shadow", "canary"):
        ended = local.delete(f"/v1/trials/{kind}").json()["trials"]
    assert all(trial["ended"] for trial in ended) and ask(local, workspace)["version"] == live


def test_a_token_sees_no_trial_and_decides_about_its_own_questions(workspace: Workspace) -> None:
    tokens = [Tokens(workspace.journal).create(name, principals=[f"group:{name}"]) for name in ("kiosk", "shop")]
    kiosk, shop = (TestClient(application(workspace), headers={"authorization": f"Bearer {key}"}) for key in tokens)
    assert kiosk.get("/v1/trials").status_code == 403
    assert kiosk.post("/v1/trials", json={"kind": "shadow", "version": "2"}).status_code == 403
    assert kiosk.get("/v1/leave").json() == {"leave": True, "sampled": True}
    ask(kiosk, workspace)
    assert len(workspace.shadow_set.questions()) == 1
    assert kiosk.put("/v1/leave", json={"leave": False}).json() == {"leave": False, "sampled": True}
    assert workspace.shadow_set.questions() == []
    ask(kiosk, workspace)
    assert workspace.shadow_set.questions() == []
    ask(shop, workspace)
    assert workspace.shadow_set.questions() == ["What does the ferry at … cost?"]


def test_whoever_is_forgotten_leaves_no_question(local: TestClient, workspace: Workspace) -> None:
    for asker, question in (("user:ada", QUESTION), ("user:ilse", "What does the ferry cost on weekdays?")):
        workspace.answerer.ask(question, asker=asker, session=asker)
    workspace.live_traffic.wait()
    assert len(workspace.shadow_set.questions()) == 2
    report = forget(workspace, recognise(workspace, "user:ada"))
    assert report["proven"] and report["removed"]["answers"]["shadow_questions"] == 1
    assert workspace.shadow_set.questions() == ["What does the ferry cost on weekdays?"]


def test_a_verdict_says_what_real_questions_show(workspace: Workspace) -> None:
    live, other = workspace.versions.ids()
    scores = Scores(version=live, fingerprint="", questions=pl.DataFrame(), means={})
    assert list(shadow_remarks(workspace, other, scores)) == []
    for question in (QUESTION, "What does the ferry at Penrose cost on weekdays?"):
        workspace.answerer.ask(question, asker="user:ada", session="ada")
    workspace.live_traffic.wait()
    workspace.trials.begin("shadow", other)
    asked, tried = shadow_remarks(workspace, other, scores)
    assert asked.startswith("On 2 real questions (masked): ") and "no language model. This decides nothing." in asked
    assert tried.startswith(f"On trial as shadow beside {live} since") and "(goes on): 0 questions compared" in tried


def test_the_command_line_tells_the_same(workspace: Workspace) -> None:
    live, other = workspace.versions.ids()

    def rag(*arguments: str) -> str:
        done = CliRunner().invoke(app, ["--home", str(workspace.settings.home), *arguments], terminal_width=200)
        return done.output + str(done.exception or "")

    assert "No version was tried as a canary yet" in rag("index", "canary")
    assert f"{other} canary: 5.0% of the sessions" in " ".join(rag("index", "canary", "2").split())
    assert [one["share"] for one in json.loads(rag("index", "canary", "--json"))] == [0.05]
    assert "0 questions compared" in rag("index", "shadow", other)
    assert {one["kind"] for one in json.loads(rag("index", "show", other, "--json"))["trials"]} == {"canary", "shadow"}
    assert "trials" not in json.loads(rag("index", "show", live, "--json"))
    assert "stopped by hand" in rag("index", "canary", "--stop")
    assert "expected one of them" in rag("index", "shadow", other, "--stop")
    assert "none was kept" in rag("questions", "shadow")
    assert json.loads(rag("questions", "leave", "user:ada", "--no", "--json")) == {"who": "user:ada", "leave": False}
    assert workspace.shadow_set.leave("user:ada") is False
