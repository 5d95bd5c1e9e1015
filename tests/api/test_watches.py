"""Watches over the API: their owner's alone, as they may read now; a feed needs its own token and nothing else."""

import pytest
from starlette.testclient import TestClient

from rag_platform.access.decisions import Target
from rag_platform.api.application import application
from rag_platform.operations.watching.looking import look
from rag_platform.pipeline.sync import sync
from tests.api.published import QUESTION, client_of, publish
from tests.pipeline.fixed_gate import FixedGate


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    return publish(tmp_path_factory.mktemp("watches"), tiny_embedder)


def test_a_watch_is_begun_read_fed_and_ended(workspace):
    ilse, asha = client_of(workspace, principals=("user:ilse",)), client_of(workspace)
    begun = ilse.post("/v1/watches", json={"question": QUESTION, "collection": "handbook"})
    assert begun.status_code == 201 and "dusk" in begun.json()["answer"]["text"]
    assert begun.json()["options"] == {"collections": ["handbook"]} and begun.json()["mail_to"] is None
    watch = f"/v1/watches/{begun.json()['id']}"
    token = ilse.put(f"{watch}/feed").json()["token"]
    (workspace.settings.home / "notes" / "a.md").write_text("# Of notes\n\nThe ferry runs from seven until dusk.\n")
    assert sync(workspace, gate=FixedGate(workspace)).moved and look(workspace) == []
    (change,) = ilse.get(watch).json()["changes"]
    assert "seven" in change["after"]["text"] and change["lines"]
    assert ilse.get("/v1/watches").json()["watches"][0]["unseen"] == 1
    assert ilse.put(f"{watch}/seen").status_code == 204
    assert ilse.get("/v1/watches").json()["watches"][0]["unseen"] == 0
    reader = TestClient(application(workspace))
    feed = reader.get(f"/v1/feeds/{token}")
    assert feed.headers["content-type"].startswith("application/atom+xml") and "seven" in feed.text
    assert reader.get("/v1/feeds/feed_0123456789ab_" + "x" * 43).status_code == 404
    for method, path, body in (("GET", watch, None), ("PATCH", watch, {"mail": True}), ("DELETE", watch, None),
                               ("PUT", f"{watch}/feed", None), ("DELETE", f"{watch}/feed", None)):  # fmt: skip
        assert asha.request(method, path, json=body).status_code == 404
    assert asha.get("/v1/watches").json() == {"watches": []}
    assert ilse.patch(watch, json={"mail": True}).json()["mail"]
    assert ilse.delete(f"{watch}/feed").status_code == 204 and reader.get(f"/v1/feeds/{token}").status_code == 404
    assert ilse.delete(watch).status_code == 204 and ilse.get(watch).status_code == 404


def test_an_answer_of_ones_own_is_watched_and_no_other(workspace):
    ilse, asha = client_of(workspace), client_of(workspace)
    receipt = ilse.post("/v1/ask", json={"question": QUESTION}).json()["receipt_id"]
    assert asha.post("/v1/watches", json={"receipt": receipt}).status_code == 404
    assert ilse.post("/v1/watches", json={"receipt": receipt}).json()["question"] == QUESTION
    assert ilse.post("/v1/watches", json={}).status_code == 400
    assert ilse.post("/v1/watches", json={"question": "x", "collection": "wages"}).status_code == 404
    assert ilse.post("/v1/watches", json={"question": "x", "generator": "none"}).status_code == 400


def test_what_was_closed_is_withheld(workspace):
    board = client_of(workspace, principals=("group:board",))
    asked = {"question": "What does the ferry warden earn?", "collection": "wages"}
    watch = board.post("/v1/watches", json=asked).json()
    assert "nine crowns" in watch["answer"]["text"]
    workspace.access.rules.set(Target("collection", "wages"), deny=["*"], who="user:ada", why="closed")
    shown = board.get(f"/v1/watches/{watch['id']}")
    assert shown.json()["answer"]["withheld"] and "crowns" not in shown.text
