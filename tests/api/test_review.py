"""Documents held for review over HTTP: seen and decided about by whoever runs the workspace, and by nobody else."""

import pytest
from starlette.testclient import TestClient

from rag_platform.api.application import application
from rag_platform.people.tokens import Tokens
from rag_platform.pipeline.sync import sync
from rag_platform.workspace import open_workspace
from tests.pipeline.fixed_gate import FixedGate

SETTINGS = '[[sources]]\nid = "forum"\nkind = "folder"\npath = "forum"\nmin_words = 1\ntrust = "untrusted"\n'


@pytest.fixture
def workspace(tmp_path, tiny_embedder):
    """A workspace with two documents that are held."""
    (tmp_path / "rag.toml").write_text(SETTINGS)
    (tmp_path / "forum").mkdir()
    for name in ("ferry", "tram"):
        (tmp_path / "forum" / f"{name}.md").write_text(f"The {name} runs until midnight.")
    opened = open_workspace(tmp_path)
    opened.embedder = tiny_embedder
    sync(opened, gate=FixedGate(opened, True))
    return opened


@pytest.fixture
def local(workspace):
    """Whoever runs the workspace, asking from this machine."""
    served = application(workspace, trusts_local=True)
    return TestClient(served, "http://127.0.0.1", client=("127.0.0.1", 1))


def test_held_documents_are_listed_accepted_and_rejected(local, workspace):
    held = {one["uri"]: one for one in local.get("/v1/quarantine").json()["held"]}
    assert set(held) == {"forum/ferry.md", "forum/tram.md"}
    assert held["forum/tram.md"]["passage"] == "The tram runs until midnight."
    for name, decision in (("ferry", "accept"), ("tram", "reject")):
        decided = {"documents": [held[f"forum/{name}.md"]["doc_id"]], "decision": decision, "why": "seen"}
        assert local.post("/v1/quarantine", json=decided).json() == {"reviewed": 1}
    assert local.get("/v1/quarantine").json()["held"] == []
    assert {hit.uri for hit in workspace.retriever.search("midnight", mode="lexical").hits} == {"forum/ferry.md"}
    assert {one.why for one in workspace.access.rules.changes() if one.who != "sync"} == {"seen"}


def test_what_cannot_be_decided_is_refused(local):
    wrong = [(["nothing"], "accept", 404), ([], "accept", 400), (["nothing"], "burn", 400)]
    for documents, decision, code in wrong:
        assert local.post("/v1/quarantine", json={"documents": documents, "decision": decision}).status_code == code
    assert len(local.get("/v1/quarantine").json()["held"]) == 2


def test_no_token_sees_or_decides(workspace):
    decided = {"documents": ["any"], "decision": "accept"}
    for scope in ("read", "ask", "edit"):
        token = Tokens(workspace.journal).create(scope, [scope], ["public"])
        client = TestClient(application(workspace), headers={"authorization": f"Bearer {token}"})
        for reply in (client.get("/v1/quarantine"), client.post("/v1/quarantine", json=decided)):
            assert reply.status_code == 403 and "midnight" not in reply.text
