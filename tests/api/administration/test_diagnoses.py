"""How a workspace is, and copies of it, over the API."""

import time

import pytest

from tests.api.published import client_of, publish


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    return publish(tmp_path_factory.mktemp("diagnoses"), tiny_embedder)


def test_what_is_missing_and_what_is_to_be_looked_at_is_told_to_an_admin(workspace):
    admin = client_of(workspace, "admin")
    told = admin.get("/v1/doctor").json()
    assert {"python", "languages"} <= {one["what"] for one in told["findings"]}
    assert told["sound"] == all(one["level"] != "wrong" for one in told["findings"])
    health = admin.get("/v1/health").json()
    assert set(health["checks"]) == {"(workspace)", "notes", "pay", "teaching"}
    assert set(admin.get("/v1/health?source=notes").json()["checks"]) == {"notes"}
    assert admin.get("/v1/health?source=nothing").status_code == 400
    assert admin.get("/v1/alerts").json() == {"told": [], "messages": []}
    assert admin.post("/v1/alerts/test").json() == {"outcomes": {}}


def test_a_backup_is_started_and_what_came_of_it_is_told(workspace, tmp_path):
    admin = client_of(workspace, "admin")
    assert admin.get("/v1/backups").json() == {"running": False, "last": None}
    begun = admin.post("/v1/backups", json={"target": str(tmp_path / "copies"), "keep": 2})
    assert begun.status_code == 202 and begun.headers["location"] == "/v1/backups"
    while (state := admin.get("/v1/backups").json())["running"]:
        time.sleep(0.05)
    assert state["last"]["live"] == workspace.versions.live_id() and (tmp_path / "copies").is_dir()


def test_nobody_else_is_told(workspace):
    editor = client_of(workspace, "edit")
    for path in ("doctor", "health", "alerts", "backups"):
        assert editor.get(f"/v1/{path}").status_code == 403
    assert editor.post("/v1/backups", json={"target": "/tmp/copies"}).status_code == 403
