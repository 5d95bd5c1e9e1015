"""Who may read what, decided over the API by whoever runs the workspace."""

import pytest

from tests.api.published import client_of, publish


@pytest.fixture
def workspace(tmp_path, tiny_embedder):
    return publish(tmp_path, tiny_embedder)


def _finds(client):
    return {hit["source"] for hit in client.get("/v1/search", params={"q": "ferry"}).json()["hits"]}


def test_a_rule_closes_and_opens_at_once_and_is_in_the_log(workspace):
    admin, reader = client_of(workspace, "admin"), client_of(workspace)
    assert _finds(reader) == {"notes", "teaching"}
    rule = {"target": "source:notes", "deny": ["*"], "why": "under review"}
    (made,) = admin.post("/v1/acl/rules", json=rule).json()["rules"]
    assert (made["target"], made["effect"], made["principal"], made["why"]) == (
        "source notes", "deny", "*", "under review",
    )  # fmt: skip
    assert _finds(reader) == {"teaching"}
    told = admin.get("/v1/acl/readers", params={"document": "notes/a.md", "as": "user:ilse"}).json()
    assert told["denied"] == ["*"] and told["may_read"] is False and told["rules"] == [made]
    back = {"target": "source:notes", "why": "reviewed"}
    assert admin.delete("/v1/acl/rules", params=back).json() == {"rules": []}
    assert _finds(reader) == {"notes", "teaching"}
    assert admin.delete("/v1/acl/rules", params=back).status_code == 404
    log = admin.get("/v1/acl/log").json()["changes"]
    assert [(one["action"], one["why"]) for one in log] == [("remove", "reviewed"), ("deny", "under review")]
    assert all(one["who"].startswith("token:") for one in log)


def test_groups_hold_their_members(workspace):
    admin, ilse = client_of(workspace, "admin"), client_of(workspace, principals=("user:ilse",))
    assert _finds(ilse) == {"notes", "teaching"}
    joined = admin.post("/v1/acl/groups/group:board", json={"members": ["user:ilse"], "why": "elected"}).json()
    assert [(one["name"], one["member"], one["why"]) for one in joined["members"]] == [
        ("group:board", "user:ilse", "elected")
    ]
    assert _finds(ilse) == {"notes", "pay", "teaching"}
    left = admin.delete("/v1/acl/groups/group:board", params={"member": "user:ilse"}).json()
    assert left == {"members": []} == admin.get("/v1/acl/groups").json() and _finds(ilse) == {"notes", "teaching"}


def test_nobody_else_decides_or_looks(workspace):
    editor = client_of(workspace, "edit")
    rule = {"target": "source:pay", "allow": ["*"], "why": "curious"}
    assert editor.post("/v1/acl/rules", json=rule).status_code == 403
    for path in ("rules", "log", "groups", "readers?document=a.md"):
        assert editor.get(f"/v1/acl/{path}").status_code == 403
    assert workspace.access.rules.list() == []
