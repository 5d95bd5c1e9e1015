"""What a program is told of what is live and what is held: an editor, and only of what it may read."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rag_platform.api.application import application
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.people.admin_links import AdminLinks
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import Workspace
from tests.held_source import hold, opened, publish


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: OnnxEmbedder) -> Workspace:
    made = opened(publish(Path(tmp_path_factory.mktemp("release")), tiny_embedder), tiny_embedder)
    hold(made, "desk")
    hold(made, "salaries")
    return made


def ask(workspace: Workspace, scope: str, *principals: str) -> TestClient:
    tokens = Tokens(workspace.journal)
    token = tokens.create(f"of-{len(tokens.list())}", [scope], principals)
    return TestClient(application(workspace), headers={"authorization": f"Bearer {token}"})


def test_an_editor_is_told_of_what_is_held_and_why(workspace: Workspace) -> None:
    told = ask(workspace, "edit", "group:board").get("/v1/release").json()
    assert [one["key"] for one in told["notices"]] == ["held:desk", "held:salaries"]
    assert told["notices"][0]["examples"][0]["after"] == "Service unavailable" and told["live"]


def test_what_one_may_not_read_is_not_there(workspace: Workspace) -> None:
    told = ask(workspace, "edit").get("/v1/release")
    assert [one["key"] for one in told.json()["notices"]] == ["held:desk"] and "salaries" not in told.text


def test_a_reader_is_refused(workspace: Workspace) -> None:
    assert ask(workspace, "read").get("/v1/release").status_code == 403


def test_whoever_runs_the_workspace_holds_and_releases_a_source(workspace: Workspace) -> None:
    given = {"source": "desk", "decision": "release", "why": "it is right so"}
    assert ask(workspace, "edit").post("/v1/release", json=given).status_code == 403
    links = AdminLinks(workspace.journal)
    session = links.redeem(links.create("http://127.0.0.1").rpartition("=")[2], hours=1)
    runs_it = TestClient(application(workspace), headers={"authorization": f"Bearer {session.secret}"})
    assert runs_it.post("/v1/release", json=given).json() == {"source": "desk", "held": False}
    assert workspace.holds.history("desk")[0].why == "it is right so"
    assert runs_it.post("/v1/release", json=given | {"decision": "hold"}).json() == {"source": "desk", "held": True}
    assert runs_it.post("/v1/release", json=given | {"source": "nothing"}).status_code == 400
