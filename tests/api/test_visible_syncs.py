"""What an editor's token is told of syncs and sources: nothing of what it may not read."""

import json

import pytest
from starlette.testclient import TestClient

from rag_platform.api.application import application
from rag_platform.people.tokens import Tokens
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace

SETTINGS = """
[[sources]]
id = "open"
kind = "folder"
path = "open"
[[sources]]
id = "salaries"
kind = "folder"
path = "salaries"
principals = ["group:board"]
[[sources]]
id = "teaching"
kind = "upload"
[[sources]]
id = "dismissals"
kind = "upload"
principals = ["group:board"]
"""
ALL = {"seen": 3, "new": 3, "changed": 0, "unchanged": 0, "gone": 0}
REPORT = {
    "version": "v000001-00000000",
    "published": False,
    "gate": {"passed": False, "reasons": ["'What does salaries/anna.pdf say?' is lost"]},
    "sources": {
        "open": ALL | {"failed": [{"uri": "open/plan.pdf", "reason": "it is damaged"}]},
        "salaries": ALL | {"failed": [{"uri": "salaries/anna.pdf", "reason": "it is damaged"}]},
    },
    "chunks": {"total": 77, "embedded": 77, "reused": 0},
    "seconds": {"fetch": 1.5},
    "bytes_written": {"raw": 4711},
    "errors": ["salaries: salaries/anna.pdf cannot be read", "salaries/anna.pdf is twice in the index"],
}
"""As `rag sync --json` prints it."""


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """The API of a workspace after a sync; give a token's principals, get its client."""
    home = tmp_path_factory.mktemp("visible")
    (home / "rag.toml").write_text(SETTINGS)
    for name, file in (("open", "plan.pdf"), ("salaries", "anna.pdf")):
        (home / name).mkdir()
        (home / name / file).write_bytes(b"%PDF-1.7 damaged")
    workspace = open_workspace(home)
    for source in ("open", "salaries"):
        Pipeline(workspace).fetch(source)
        Pipeline(workspace).extract(source)
    known = dict(workspace.store.read("documents", "open").select("status", "uri").iter_rows())
    assert known.keys() == {"failed"}
    report = json.loads(json.dumps(REPORT).replace("open/plan.pdf", next(iter(known.values()))))
    (home / "data" / "logs").mkdir(parents=True, exist_ok=True)
    (home / "data" / "logs" / "sync.json").write_text(json.dumps(report))
    tokens = Tokens(workspace.journal)
    app = application(workspace)

    def client(*principals):
        token = tokens.create(f"of-{len(tokens.list())}", ["edit"], principals)
        return TestClient(app, headers={"authorization": f"Bearer {token}"})

    return client


def test_an_editor_hears_nothing_of_sources_that_it_may_not_read(asked):
    answer = asked().get("/v1/sync")
    assert answer.status_code == 200 and "salaries" not in answer.text and "anna" not in answer.text
    last = answer.json()["last"]
    assert list(last["sources"]) == ["open"] and last["sources"]["open"]["seen"] == 3
    assert last["gate"] == {"passed": False} and not last.keys() & {"chunks", "seconds", "bytes_written"}
    assert last["errors"] == ["the release failed; whoever runs the workspace can see why"]


def test_who_may_read_all_is_told_all(asked):
    last = asked("group:board").get("/v1/sync").json()["last"]
    assert list(last["sources"]) == ["open", "salaries"] and last["chunks"]["total"] == 77
    assert "anna" in last["errors"][0] and last["gate"]["reasons"]


def test_a_source_that_one_may_not_read_is_as_one_that_is_not_there(asked):
    editor = asked()
    hidden, missing = (editor.post("/v1/sync", json={"sources": [name]}) for name in ("salaries", "nothing"))
    assert hidden.status_code == missing.status_code == 400
    assert hidden.text.replace("salaries", "nothing") == missing.text
    for method, path in (("GET", "/v1/collections"), ("POST", "/v1/collections"), ("POST", "/v1/sync")):
        body = {} if method == "GET" else {"json": {"title": "New"} if "collections" in path else {}}
        hidden, missing = (
            editor.request(method, path, params={"source": name}, **body) for name in ("dismissals", "nothing")
        )
        assert hidden.status_code == missing.status_code == 404, (method, path)
        assert hidden.text.replace("dismissals", "nothing") == missing.text
        assert "teaching" in hidden.text
    assert editor.get("/v1/collections").status_code == 200  # the only one that it knows is meant
    assert asked("group:board").get("/v1/collections").status_code == 400
