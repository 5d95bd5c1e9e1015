"""Grids over the API: made, filled, read, changed and exported by their owner, and what they may read now alone."""

import csv
import io

import pytest

from rag_platform.access.decisions import Target
from rag_platform.operations.grids import filling
from tests.api.published import QUESTION, client_of, publish

PAY = "What does the ferry warden earn?"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    return publish(tmp_path_factory.mktemp("grids"), tiny_embedder)


def filled(client, grid):
    """Read a grid once nothing of it waits any more."""
    for thread in [*filling._THREADS]:
        thread.join(60)
    return client.get(f"/v1/grids/{grid}").json()


def test_a_grid_is_made_filled_changed_and_exported(workspace):
    board, asha = client_of(workspace, principals=("group:board",)), client_of(workspace)
    begun = board.post("/v1/grids", json={"name": "Ferries", "columns": [{"question": QUESTION, "name": "Times"}]})
    assert begun.status_code == 201 and begun.json()["count"] == 3 and begun.json()["mine"]
    path = f"/v1/grids/{begun.json()['id']}"
    read = filled(board, begun.json()["id"])
    assert (read["answered"], read["missing"], read["stale"], read["filling"]) == (3, 0, 0, False)
    answers = {row["title"]: row["cells"][0] for row in read["rows"]}
    assert "six until dusk" in answers["Of notes"]["answer"] and answers["Of notes"]["citations"][0]["span"]
    assert answers["Of pay"]["state"] == "nothing" and answers["Of pay"]["receipt_id"]
    column = board.post(f"{path}/columns", json={"question": PAY}).json()
    assert board.put(f"{path}/filling").status_code == 202
    read = filled(board, begun.json()["id"])
    (pay,) = (row for row in read["rows"] if row["title"] == "Of pay")
    assert "nine crowns" in pay["cells"][1]["answer"]
    assert board.put(f"{path}/columns/{column['id']}", json={"question": PAY, "name": "=Pay"}).json()["name"] == "=Pay"
    taken = board.get(f"{path}/csv", params={"quotes": True})
    rows = list(csv.reader(io.StringIO(taken.content.decode("utf-8-sig"))))
    assert rows[0] == ["Document", "Address", "Times", "Times: quotes", "'=Pay", "'=Pay: quotes"] and len(rows) == 4
    assert board.patch(path, json={"name": "Boats"}).json()["name"] == "Boats"
    assert board.delete(f"{path}/rows/{pay['doc_id']}").status_code == 204
    assert board.get(path, params={"first": 1, "most": 1}).json()["count"] == 2
    assert board.post(f"{path}/rows", json={"documents": [pay["doc_id"]]}).json()["missing"] == 0
    workspace.access.rules.set(Target("collection", "wages"), deny=["*"], who="user:ada", why="closed")
    shown = board.get(path)
    assert shown.json()["withheld"] == 1 and "crowns" not in shown.text
    assert "crowns" not in board.get(f"{path}/csv", params={"quotes": True}).text
    workspace.access.rules.remove(Target("collection", "wages"), who="user:ada", why="open again")
    assert board.delete(f"{path}/filling").status_code == 204
    for method, way, body in (("GET", "", None), ("PATCH", "", {"name": "x"}), ("DELETE", "", None),
                              ("PUT", "/filling", None), ("DELETE", "/filling", None), ("GET", "/csv", None),
                              ("POST", "/columns", {"question": "x"}), ("POST", "/rows", {"documents": []}),
                              ("DELETE", f"/columns/{column['id']}", None)):  # fmt: skip
        assert asha.request(method, f"{path}{way}", json=body).status_code == 404, (method, way)
    assert board.delete(f"{path}/columns/{column['id']}").status_code == 204
    assert board.delete(path).status_code == 204 and board.get(path).status_code == 404


def test_a_grid_is_made_of_what_one_names_or_finds_and_no_more_than_it_may_be(workspace):
    asha = client_of(workspace)
    found = asha.post("/v1/grids", json={"name": "Found", "search": "ferry dusk", "most": 1, "fill": False}).json()
    assert [row["title"] for row in found["rows"]] == ["Of notes"] and not found["filling"]
    documents = [found["rows"][0]["doc_id"]]
    named = asha.post("/v1/grids", json={"name": "Named", "document": documents, "fill": False}).json()
    assert named["count"] == 1 and [one["name"] for one in asha.get("/v1/grids").json()["grids"]] == ["Named", "Found"]
    refused = [
        ({"name": "x", "document": "nowhere"}, 404),
        ({"name": "x", "collection": "wages"}, 404),
        ({"name": "x", "generator": "none"}, 400),
        ({"name": "x", "readers": ["user:otto"]}, 400),
        ({"name": "x", "columns": [{"question": "y"}] * 21}, 400),
        ({"columns": []}, 400),
    ]
    for given, status in refused:
        told = asha.post("/v1/grids", json=given)
        assert told.status_code == status, (given, told.text)
    assert len(asha.get("/v1/grids").json()["grids"]) == 2


def test_a_grid_is_read_by_whom_its_owner_lets_as_they_may_read(workspace):
    editor = client_of(workspace, "ask", "edit", principals=("group:board",))
    reader = client_of(workspace, principals=("user:otto",))
    given = {"name": "Shared", "columns": [{"question": PAY}], "readers": ["user:otto"]}
    made = editor.post("/v1/grids", json=given).json()
    filled(editor, made["id"])
    seen = reader.get(f"/v1/grids/{made['id']}")
    assert seen.json()["withheld"] == 1 and "crowns" not in seen.text and not seen.json()["mine"]
    assert reader.put(f"/v1/grids/{made['id']}/filling").status_code == 404
    assert workspace.audit.events(limit=1)[0].shown["grid"] == made["id"]
    assert workspace.audit.events(limit=1)[0].who["principals"][0] == "user:otto"
    editor.delete(f"/v1/grids/{made['id']}")
