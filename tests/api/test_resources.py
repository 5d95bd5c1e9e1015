"""Documents, receipts, sources, versions, questions, use and forgetting over the API, as far as its caller may."""

import asyncio
import base64

import pytest

from rag_platform import aio, ask, python_api, search
from rag_platform.api.access import Caller
from rag_platform.api.mcp.tools import TOOLS, Call
from rag_platform.api.paging import cursor_of
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.operations.asking.answer_feedback import receipts_page
from rag_platform.pipeline.stages import Pipeline
from tests.api.published import QUESTION, client_of, opened, publish
from tests.copies import copy_of


@pytest.fixture(scope="module")
def home(tmp_path_factory, tiny_embedder):
    workspace = publish(tmp_path_factory.mktemp("resources"), tiny_embedder)
    return workspace.settings.home


@pytest.fixture(scope="module")
def workspace(home, tiny_embedder):
    return opened(home, tiny_embedder)


BOARD = {"principals": ("group:board",)}


def _document(client, collection):
    (found,) = client.get("/v1/documents", params={"collection": collection}).json()["documents"]
    return f"/v1/documents/{found['doc_id']}"


def test_documents_are_listed_read_and_taken_as_they_were(workspace):
    board, public = client_of(workspace, **BOARD), client_of(workspace)
    assert [one["collection"] for one in board.get("/v1/documents").json()["documents"]] == [
        "handbook", "wages", "physics",
    ]  # fmt: skip
    assert [one["source"] for one in public.get("/v1/documents").json()["documents"]] == ["notes", "teaching"]
    first = board.get("/v1/documents?limit=1")
    second = board.get(first.links["next"]["url"])
    assert [second.json()["documents"][0]["source"], "next" in second.links] == ["pay", True]
    path = _document(board, "wages")
    whole = board.get(path).json()
    assert "nine crowns" in whole["text"] and whole["live"] and whole["span"] == [0, whole["characters"]]
    start = whole["text"].index("nine")
    part = board.get(path, params={"start": start, "end": start + 11}).json()
    assert (part["text"], part["span"]) == ("nine crowns", [start, start + 11])
    original = board.get(f"{path}/original")
    assert b"# Of pay" in original.content and "a.md" in original.headers["content-disposition"]
    assert original.headers["content-security-policy"].startswith("sandbox")
    assert board.get(f"{path}/original/page").status_code == 404  # a text has no pages
    (only,) = board.get(f"{path}/history").json()["revisions"]
    assert only["revision"] == whole["revision"]
    seen = {event.kind for event in workspace.audit.events() if event.who["interface"] == "api"}
    assert {"open", "original"} <= seen


def test_what_one_may_not_read_is_as_what_is_not_there(workspace):
    board, public = client_of(workspace, **BOARD), client_of(workspace)
    secret = _document(board, "wages")
    for rest in ("", "/original", "/original/page", "/history"):
        told, unknown = public.get(secret + rest), public.get(f"/v1/documents/0000000000000000{rest}")
        assert told.status_code == unknown.status_code == 404
        assert told.text.replace(secret.rpartition("/")[2], "") == unknown.text.replace("0000000000000000", "")
    assert public.get("/v1/sources/pay").status_code == 404 and "pay" not in public.get("/v1/sources").text


def test_a_page_of_documents_reads_no_others_and_goes_on_after_one_that_is_gone(workspace, monkeypatch):
    board = client_of(workspace, **BOARD)
    whole = board.get("/v1/documents")
    monkeypatch.setattr(Catalog, "documents", None)
    told, path = [], "/v1/documents?limit=1"
    while path:
        page = board.get(path)
        told += page.json()["documents"]
        path = page.links.get("next", {}).get("url")
    assert told == whole.json()["documents"] and len(told) == 3
    assert board.get("/v1/documents").headers["etag"] == whole.headers["etag"]
    for gone, after in ((("notes", "zzz", "0"), ["pay", "teaching"]), (("pay",), ["pay", "teaching"]), ((), "all")):
        cursor = cursor_of(gone)
        sources = [one["source"] for one in board.get("/v1/documents", params={"cursor": cursor}).json()["documents"]]
        assert sources == (["notes", "pay", "teaching"] if after == "all" else after), gone


def test_documents_are_read_as_of_a_version_that_was_live(workspace):
    client, live = client_of(workspace), workspace.versions.live_id()
    path = _document(client, "handbook")
    assert client.get(path, params={"version": live}).json()["version"] == live
    assert client.get(path, params={"version": "1999-01-01"}).status_code == 404
    assert client.get("/v1/search", params={"q": "ferry", "as_of": live}).json()["version"] == live
    assert client.post("/v1/ask", json={"question": QUESTION, "as_of": "v77"}).status_code == 404


def test_receipts_are_their_askers_own(workspace):
    ilse, asha, admin = client_of(workspace), client_of(workspace), client_of(workspace, "admin")
    receipt = ilse.post("/v1/ask", json={"question": QUESTION}).json()["receipt_id"]
    path = f"/v1/receipts/{receipt}"
    assert [one["id"] for one in ilse.get("/v1/receipts").json()["receipts"]] == [receipt]
    assert ilse.get(path).json()["question"] == QUESTION and ilse.get(path).json()["hits"]
    replayed = ilse.post(f"{path}/replay").json()
    assert replayed["identical"] and replayed["differences"] == []
    assert asha.get("/v1/receipts").json()["receipts"] == []
    for method, rest in (("GET", ""), ("POST", "/replay"), ("GET", "/feedback"), ("DELETE", "/feedback")):
        assert asha.request(method, path + rest).status_code == 404
    assert admin.get(path).status_code == 200
    given = {"good": False, "reason": "outdated", "comment": "It runs until ten."}
    assert ilse.put(f"{path}/feedback", json=given).json()["feedback"] == given
    assert ilse.put(f"{path}/feedback", json={"good": "perhaps"}).status_code == 400
    editor = client_of(workspace, "edit")
    (proposal,) = editor.get("/v1/questions/proposals").json()["proposals"]
    assert (proposal["id"], proposal["reason"]) == (receipt, "outdated")
    assert ilse.get("/v1/questions/proposals").status_code == 403
    dismissed = editor.post(f"/v1/questions/proposals/{receipt}/dismiss").json()
    assert dismissed == {"id": receipt, "state": "dismissed"}
    assert ilse.delete(f"{path}/feedback").status_code == 204
    assert ilse.get(f"{path}/feedback").json() == {"feedback": None}


def test_an_editor_of_some_collections_sees_no_proposals_of_others(workspace):
    board = client_of(workspace, principals=("group:board",))
    nothing = {"question": "What is the boiling point of tungsten?", "match": "all"}
    asked = {
        "in notes": {"question": QUESTION, "collection": "handbook"},
        "of wages": {"question": "What does the ferry warden earn?", "collection": "wages"},
        "nothing": nothing,
        "nothing in notes": nothing | {"collection": "handbook"},
        "nothing in wages": nothing | {"collection": "wages"},
    }
    receipts = {name: board.post("/v1/ask", json=given).json()["receipt_id"] for name, given in asked.items()}
    assert not workspace.journal.receipt(receipts["nothing"]).documents
    for receipt in receipts.values():
        board.put(f"/v1/receipts/{receipt}/feedback", json={"good": False})
    editor = client_of(workspace, "edit", collections=("handbook",), principals=("group:board",))
    seen = {one["id"] for one in editor.get("/v1/questions/proposals").json()["proposals"]}
    assert {name for name, one in receipts.items() if one in seen} == {"in notes", "nothing in notes"}
    for name in ("of wages", "nothing", "nothing in wages"):
        assert editor.post(f"/v1/questions/proposals/{receipts[name]}/dismiss").status_code == 404
    quoted = {"relevant": [{"uri": "pay/a.md", "quote": "The ferry warden earns nine crowns."}], "answerable": True}
    path = f"/v1/questions/proposals/{receipts['in notes']}/accept"
    real = editor.post(path, json=quoted)
    quoted["relevant"][0]["quote"] = "The ferry warden earns two crowns."
    assert real.status_code == editor.post(path, json=quoted).status_code == 400 and "pay/a.md" in real.text
    for receipt in receipts.values():
        client_of(workspace, "edit", principals=("group:board",)).post(f"/v1/questions/proposals/{receipt}/dismiss")


def test_sources_are_listed_added_paused_and_removed(home, tmp_path, tiny_embedder):
    workspace = opened(copy_of(home, tmp_path / "home"), tiny_embedder)
    admin, reader = client_of(workspace, "admin"), client_of(workspace)
    assert {one["id"]: one["documents"] for one in reader.get("/v1/sources").json()["sources"]} == {
        "notes": 1, "teaching": 1,
    }  # fmt: skip
    assert [one["id"] for one in admin.get("/v1/sources").json()["sources"]] == ["notes", "pay", "teaching"]
    assert admin.get("/v1/sources/pay/failures").json() == {"failures": []}
    assert "folder" in [one["name"] for one in reader.get("/v1/sources/kinds").json()["kinds"]]
    table = {"id": "more", "kind": "folder", "path": "notes"}
    assert reader.post("/v1/sources", json=table).status_code == 403
    assert admin.post("/v1/sources", json=table).json()["id"] == "more"
    assert admin.post("/v1/sources", json=table).status_code == 409
    seen = admin.post("/v1/sources/preview", json=table | {"id": "other"}).json()
    assert (seen["count"], seen["error"]) == (1, None) and reader.post(
        "/v1/sources/preview", json=table
    ).status_code == 403
    assert admin.patch("/v1/sources/pay", json={"paused": True}).json()["paused"]
    planned = admin.delete("/v1/sources/pay?dry_run=true").json()
    assert (planned["removed"], planned["plan"]["documents"]) == (False, 1)
    assert admin.delete("/v1/sources/pay").json()["removed"]
    assert "pay" not in (tmp_path / "home" / "rag.toml").read_text()


def test_versions_are_compared_published_and_taken_back(home, tmp_path, tiny_embedder):
    workspace = opened(copy_of(home, tmp_path / "home"), tiny_embedder)
    (workspace.settings.home / "notes" / "b.md").write_text("# Locks\n\nThe lock opens at noon.\n")
    pipeline = Pipeline(workspace)
    pipeline.sync_source("notes")
    second, first = pipeline.build().version, workspace.versions.live_id()
    admin = client_of(workspace, "admin")
    assert [(one["live"], one["candidate"]) for one in admin.get("/v1/versions").json()["versions"]] == [
        (True, False), (False, True),
    ]  # fmt: skip
    assert admin.get("/v1/versions/diff").json()["documents"]["added"] == 1
    assert admin.get("/v1/versions/candidate").json()["id"] == second
    unpublished = {"q": "lock", "as_of": second}
    assert client_of(workspace).get("/v1/search", params=unpublished).status_code == 404
    assert admin.get("/v1/search", params=unpublished).json()["hits"]
    assert admin.post("/v1/versions/candidate/promote", json={}).status_code == 409  # nobody judged it
    moved = admin.post("/v1/versions/candidate/promote", json={"force": True, "why": "seen"}).json()
    assert moved == {"live": second, "before": first}
    assert admin.post("/v1/versions/rollback", json={}).json() == {"live": first, "before": second}
    assert admin.get("/v1/versions/log").json()["moves"][-1]["kind"] == "rollback"
    assert admin.put("/v1/versions/2/pin").status_code == 204 and workspace.versions.pins().keys() == {second}
    assert admin.delete("/v1/versions/2/pin").status_code == 204
    assert admin.get("/v1/versions/v77").status_code == 404
    assert client_of(workspace, "edit").get("/v1/versions").status_code == 403


def test_use_is_counted_and_what_is_forgotten_is_gone(home, tmp_path, tiny_embedder):
    workspace = opened(copy_of(home, tmp_path / "home"), tiny_embedder)
    admin, reader = client_of(workspace, "admin"), client_of(workspace)
    before = admin.get("/v1/usage?days=2").json()["days"][-1]["questions"]
    reader.post("/v1/ask", json={"question": QUESTION})
    used = admin.get("/v1/usage?days=2").json()
    assert used["days"][-1]["questions"] == before + 1 and used["slowest"][0]["question"] == QUESTION
    path = _document(reader, "handbook")
    assert admin.get(f"{path}/impact").json()["answers"][0]["cited"]
    assert admin.get("/v1/questions").json() == {"questions": []}
    assert not admin.get("/v1/evaluations").json()["running"]
    asked = {"name": "notes/a.md", "why": "asked for"}
    assert admin.post("/v1/forget", json=asked | {"dry_run": True}).json()["documents"] == 1
    assert reader.post("/v1/forget", json=asked).status_code == 403
    assert admin.post("/v1/forget", json=asked).json()["proven"]
    assert reader.get(path).status_code == 404 and QUESTION not in admin.get("/v1/receipts").text
    (entry,) = admin.get("/v1/forget").json()["entries"]
    assert admin.delete(f"/v1/forget/{entry['id']}").json()["undone_at"]


def test_receipts_come_page_by_page_and_few_at_a_time(workspace, monkeypatch):
    client = client_of(workspace)
    made = [
        client.post("/v1/ask", json={"question": f"{QUESTION} {number}"}).json()["receipt_id"] for number in range(5)
    ]
    read, most = workspace.journal.receipts, []

    def counted(limit, **options):
        found = read(limit, **options)
        most.append(len(found))
        return found

    monkeypatch.setattr(workspace.journal, "receipts", counted)
    told, address = [], "/v1/receipts?limit=2"
    while address:
        answer = client.get(address)
        told += [one["id"] for one in answer.json()["receipts"]]
        address = answer.links.get("next", {}).get("url")
    assert told == made[::-1] and max(most) <= 3
    assert client.get("/v1/receipts?cursor=WyJ4Il0").status_code == 200  # ["x"], which nobody was given


def test_a_cursor_of_nested_lists_is_refused(workspace):
    deep = base64.urlsafe_b64encode(b"[" * 20_000).decode()
    assert client_of(workspace).get("/v1/documents", params={"cursor": deep}).status_code == 400


def test_reading_documents_counts_as_searching(home, tmp_path, tiny_embedder):
    copied = copy_of(home, tmp_path / "home")
    with (copied / "rag.toml").open("a") as file:
        file.write("[access]\nsearches_per_minute = 2\n")
    client = client_of(opened(copied, tiny_embedder))
    path = _document(client, "handbook")
    assert [client.get(path + rest).status_code for rest in ("", "/original", "/history")] == [200, 200, 429]


def test_what_is_archived_is_counted_read_and_searched_on_demand(home, tmp_path, tiny_embedder, monkeypatch):
    settings = (folder := copy_of(home, tmp_path / "home")) / "rag.toml"
    dated = folder / "notes" / "old.md"
    dated.write_text("---\ndate: 2020-01-01\n---\n# Of old\n\nThe ferry once ran until midnight.\n")
    settings.write_text(settings.read_text().replace('path = "notes"', 'path = "notes"\narchive_after_days = 365'))
    workspace = opened(folder, tiny_embedder)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("notes")
    workspace.versions.promote(pipeline.build().version, "test")
    client, asked = client_of(workspace), {"q": "ferry midnight"}
    now = [hit["uri"] for hit in client.get("/v1/search", params=asked).json()["hits"]]
    assert now and not any(uri.endswith("old.md") for uri in now)
    found = client.get("/v1/search", params=asked | {"archived": True}).json()
    assert [hit["uri"].endswith("old.md") for hit in found["hits"]] == [True] and found["filters"]["archived"]
    assert "until midnight" in client.get(f"/v1/documents/{found['hits'][0]['doc_id']}").json()["text"]
    answer = client.post("/v1/ask", json={"question": "Until when did the ferry run?", "archived": True}).json()
    assert "midnight" in answer["answer"]
    assert client.post(f"/v1/receipts/{answer['receipt_id']}/replay").json()["identical"]
    counted = {one["id"]: (one["documents"], one["archived"]) for one in client.get("/v1/sources").json()["sources"]}
    assert counted == {"notes": (2, 1), "teaching": (1, 0)}
    _archived_is_answered_everywhere(workspace, client, monkeypatch)


def _archived_is_answered_everywhere(workspace, client, monkeypatch):
    question, home = "Until when did the ferry run?", workspace.settings.home
    messages = [{"role": "user", "content": question}]
    ways = {
        "/v1/chat/completions": {"model": "rag/all", "messages": messages},
        "/v1/responses": {"model": "rag/all", "input": question},
    }
    monkeypatch.setattr(python_api, "_workspace", lambda _: workspace)
    told = {
        archived: [client.post(path, json=given | {"archived": archived}).text for path, given in ways.items()]
        + [
            tool.run(_call(workspace), tool.takes(**asked, archived=archived)).model_dump_json()
            for tool, asked in AGENTS
        ]
        + [str(ask(question, home=home, archived=archived)), str(search(question, home=home, archived=archived).hits)]
        + [str(asyncio.run(aio.search(question, home=home, archived=archived)).hits)]
        for archived in (False, True)
    }
    assert all("midnight" in one for one in told[True]) and not any("midnight" in one for one in told[False])


AGENTS = [
    (tool, {name: "Until when did the ferry run?"})
    for tool in TOOLS
    for name in ({"search": "query", "ask": "question"}.get(tool.name),)
    if name
]


def _call(workspace):
    return Call(workspace, Caller("agent", "token:agent", (), frozenset({"read", "ask"})), lambda _: None)


def test_receipts_come_in_pages_of_what_may_be_read(workspace):
    rights = {"principals": ("user:asha", "group:board")}
    both, alone = client_of(workspace, **rights), client_of(workspace, principals=("user:asha",))
    asked = [{"question": QUESTION, "collection": name} for name in ("handbook", "wages", "handbook", "handbook")]
    made = [both.post("/v1/ask", json=one).json()["receipt_id"] for one in asked]

    def listed(client):
        pages = [client.get("/v1/receipts?limit=2")]
        while "next" in pages[-1].links:
            pages.append(client.get(pages[-1].links["next"]["url"]))
        return [[one["id"] for one in page.json()["receipts"]] for page in pages]

    assert listed(both) == [made[:1:-1], made[1::-1]]
    assert listed(alone) == [made[:1:-1], made[:1]], "what may not be read leaves no gap"
    assert alone.get("/v1/receipts?cursor=W10").status_code == 200
    page = receipts_page(workspace, "user:asha", ("user:asha",), 2)
    assert [one.id for one in page] == made[:1:-1]
