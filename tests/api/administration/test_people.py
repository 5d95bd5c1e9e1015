"""Who is known and what they may read, tokens, models and sources' settings, over the API: for whoever runs it."""

import pytest

from rag_platform.people.tokens import Tokens
from rag_platform.workspace import open_workspace
from tests.api.published import client_of, publish


@pytest.fixture
def workspace(tmp_path, tiny_embedder):
    return publish(tmp_path, tiny_embedder)


def test_people_are_listed_with_what_names_them_and_what_they_may_read(workspace):
    workspace.access.rules.join("group:board", ["user:ilse"], who="boss")
    workspace.audit.record("search", "user:asha", ("user:asha", "group:board"), question="?")
    workspace.audit.record("see_as", "user:boss", ("user:otto",), shown={"as": "user:otto"})
    admin = client_of(workspace, "admin")
    people = {one["name"]: one for one in admin.get("/v1/people").json()["people"]}
    assert people["group:board"]["members"] == ["user:ilse"] and set(people["group:board"]["named_by"]) >= {
        "source",
        "group",
    }
    assert people["user:ilse"]["groups"] == ["group:board"] and people["user:ilse"]["role"] == "reader"
    assert people["user:asha"]["seen_at"] and people["user:asha"]["groups"] == ["group:board"]
    assert not {"user:otto", "user:boss"} & people.keys(), "whom an admin looked as was not here"
    read = {}
    for name in ("user:ilse", "user:asha", "user:otto"):
        told = admin.get("/v1/people/reading", params={"as": name}).json()
        read[name] = {one["source"]: (one["documents"], one["of"], tuple(one["opened_by"])) for one in told["sources"]}
    assert read["user:ilse"]["pay"] == read["user:asha"]["pay"] == (1, 1, ("group:board",))
    assert read["user:otto"]["pay"] == (0, 1, ()) and read["user:otto"]["notes"] == (1, 1, ("*",))
    workspace.access.rules.set(rule_of(workspace), deny=["user:ilse"], who="boss", why="x")
    told = admin.get("/v1/people/reading", params={"as": "user:ilse"}).json()
    assert [one["principal"] for one in told["rules"]] == ["user:ilse"]
    assert {one["source"]: one["documents"] for one in told["sources"]}["pay"] == 0


def rule_of(workspace):
    from rag_platform.operations.rule_targets import rule_target

    return rule_target(workspace, "source:pay")


def test_tokens_are_listed_without_their_secrets_and_revoked(workspace):
    admin, made = client_of(workspace, "admin"), Tokens(workspace.journal).create("ci")
    told = admin.get("/v1/tokens")
    assert "ci" in {one["name"] for one in told.json()["tokens"]} and made not in told.text
    assert "ci" not in {one["name"] for one in admin.delete("/v1/tokens/ci").json()["tokens"]}
    assert Tokens(workspace.journal).holder(made) is None
    assert admin.delete("/v1/tokens/ci").status_code == 404


def test_a_model_is_tried_by_a_real_request(workspace):
    admin = client_of(workspace, "admin")
    assert admin.get("/v1/endpoints").json()["endpoints"][0]["table"] == "model"
    tried = admin.post("/v1/endpoints/model/test").json()
    assert tried["passed"] and "numbers" in tried["said"]
    assert admin.post("/v1/endpoints/nothing/test").status_code == 404


def test_a_sources_settings_are_described_and_changed(workspace):
    admin = client_of(workspace, "admin")
    fields = {one["name"]: one for one in admin.get("/v1/sources/kinds/imap").json()["fields"]}
    assert fields["password"]["sort"] == "secret" and fields["url"]["needed"]
    assert admin.get("/v1/sources/kinds/nothing").status_code == 404
    changed = admin.patch("/v1/sources/notes", json={"settings": {"schedule": "0 6 * * *", "min_words": None}})
    assert changed.status_code == 200
    source = open_workspace(workspace.settings.home).settings.source("notes")
    assert (source.schedule, source.min_words) == ("0 6 * * *", 3)
    assert admin.patch("/v1/sources/notes", json={"settings": {"nonsense": 1}}).status_code == 400
    assert admin.patch("/v1/sources/notes", json={"paused": True}).json()["paused"] is True
    assert admin.patch("/v1/sources/notes", json={"paused": False}).json()["paused"] is False


def test_nobody_else_is_told(workspace):
    editor = client_of(workspace, "edit")
    for path in ("people", "people/reading", "tokens", "endpoints", "sources/kinds/imap", "backups/check"):
        assert editor.get(f"/v1/{path}").status_code == 403
    assert editor.delete("/v1/tokens/x").status_code == editor.post("/v1/endpoints/model/test").status_code == 403
