"""What tokens may do by their scopes, and how collections limit what they read."""

import pytest
from fastapi.testclient import TestClient

from rag_platform.api.application import application
from rag_platform.people.admin_links import AdminLinks
from tests.api.published import QUESTION, client_of, publish


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    return publish(tmp_path_factory.mktemp("scopes"), tiny_embedder)


ROUTES = {
    "read": [("GET", "/v1/search?q=ferry"), ("GET", "/v1/collections"), ("GET", "/v1/generators")],
    "ask": [("POST", "/v1/ask")],
    "edit": [("GET", "/v1/release"), ("GET", "/v1/sync"), ("PATCH", "/v1/collections/physics")],
    "admin": [("GET", "/v1/audit"), ("GET", "/v1/trials"), ("GET", "/v1/quarantine")],
}
HELD = {"read": {"read"}, "ask": {"read", "ask"}, "edit": {"read", "edit"}, "admin": set(ROUTES)}


@pytest.mark.parametrize("scope", HELD)
def test_each_scope_opens_what_it_names_and_what_it_holds(workspace, scope):
    client = client_of(workspace, scope)
    for needed, routes in ROUTES.items():
        for method, path in routes:
            body = {"question": QUESTION} if path == "/v1/ask" else {}
            answer = client.request(method, path, **({"json": body} if method != "GET" else {}))
            assert answer.status_code == (200 if needed in HELD[scope] else 403), (path, answer.text)
            assert answer.status_code == 200 or f"the scope '{needed}'" in answer.json()["expected"]


def _found(client, **more):
    hits = client.get("/v1/search", params={"q": "ferry", **more}).json()
    return sorted(hit["collection"] for hit in hits["hits"]) if "hits" in hits else hits["detail"]


def test_a_token_limited_to_collections_reads_no_others(workspace):
    board = {"principals": ("group:board",)}
    assert _found(client_of(workspace, **board)) == ["handbook", "physics", "wages"]
    limited = client_of(workspace, **board, collections=["physics", "wages"])
    assert _found(limited) == ["physics", "wages"]
    assert _found(limited, collection="wages") == ["wages"]
    unknown = _found(limited, collection="handbook").replace("handbook", "nothing")
    assert "there is no collection" in unknown and unknown == _found(limited, collection="nothing")
    answer = limited.post("/v1/ask", json={"question": QUESTION}).json()
    assert "dusk" not in str(answer) and {one["source"] for one in answer["citations"]} <= {"pay", "teaching"}


def test_the_limit_opens_nothing_that_is_not_open(workspace):
    assert _found(client_of(workspace, collections=["wages"])) == []


def test_a_limited_editor_changes_nothing_else(workspace):
    limited = client_of(workspace, "edit", collections=["wages"])
    assert limited.get("/v1/collections").json()["collections"] == []
    assert limited.patch("/v1/collections/physics", json={"title": "Mine"}).status_code == 404
    assert limited.post("/v1/collections", json={"title": "New"}).status_code == 403
    assert client_of(workspace, "edit", collections=["physics"]).get("/v1/collections/physics").status_code == 200


def test_an_admin_token_reads_as_anyone_and_is_in_the_audit_by_its_name(workspace):
    admin = client_of(workspace, "admin")
    assert _found(admin, **{"as": "group:board"}) == ["handbook", "physics", "wages"]
    (event,) = admin.get("/v1/audit", params={"limit": 1}).json()["events"]
    assert event["who"]["name"].startswith("token:of-")


def test_no_cache_keeps_the_token_of_a_session(workspace):
    client = TestClient(application(workspace))
    link = AdminLinks(workspace.journal).create("http://127.0.0.1")
    opened = client.get("/", params={"token": link.rpartition("=")[2]}, headers={"if-none-match": "*"})
    assert opened.status_code == 200 and opened.headers["cache-control"] == "no-store" and opened.json()["token"]
