"""Chats over the API: kept for their owner, and answers as they come."""

import json

import pytest

from rag_platform.access.decisions import Target
from rag_platform.operations.asking.chat_turns import answer_in_chat, remembered
from tests.api.published import QUESTION, client_of, publish


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    return publish(tmp_path_factory.mktemp("chats"), tiny_embedder)


def events_of(answer):
    found = [part.split("\n") for part in answer.text.split("\n\n") if part.startswith("event: ")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in found]


def test_a_chat_is_begun_asked_in_read_renamed_and_deleted(workspace):
    ilse, asha = client_of(workspace), client_of(workspace)
    made = ilse.post("/v1/chats", json={"title": "Ferries"})
    chat = made.headers["location"]
    refused = ilse.post("/v1/chats", json={"title": "Ferries", "assistant": "nobody"})
    assert refused.status_code == 404 and "no assistant" in refused.text
    assert made.status_code == 201 and made.json()["title"] == "Ferries"
    answer = ilse.post(f"{chat}/messages", json={"question": QUESTION}).json()
    assert "dusk" in answer["answer"] and answer["citations"]
    said = ilse.get(chat).json()["messages"]
    assert [(one["role"], one["withheld"]) for one in said] == [("user", False), ("assistant", False)]
    assert said[1]["content"] == answer["answer"] and said[1]["receipt_id"] == answer["receipt_id"]
    assert ilse.patch(chat, json={"title": "Boats"}).json()["title"] == "Boats"
    changed = ilse.patch(chat, json={"folder": "At sea", "pinned": True}).json()
    assert (changed["title"], changed["folder"], changed["pinned"]) == ("Boats", "At sea", True)
    listed = {where: ilse.get(f"/v1/chats?folder={where}").json()["chats"] for where in ("At sea", "", "On land")}
    assert [one["id"] for one in listed["At sea"]] == [changed["id"]] and not listed[""] and not listed["On land"]
    for method, path, body in (("GET", chat, None), ("PATCH", chat, {"pinned": False}), ("DELETE", chat, None),
                               ("POST", f"{chat}/messages", {"question": "x"})):  # fmt: skip
        assert asha.request(method, path, json=body).status_code == 404
    assert asha.get("/v1/chats").json()["chats"] == []
    assert ilse.delete(chat).status_code == 204 and ilse.get(chat).status_code == 404


def test_an_answer_comes_as_events(workspace):
    client = client_of(workspace)
    with client.stream("POST", "/v1/ask", json={"question": QUESTION}, headers={"accept": "text/event-stream"}) as got:
        got.read()
    assert got.headers["content-type"].startswith("text/event-stream")
    events = events_of(got)
    names = [name for name, _ in events]
    assert names[0] == "search" and names[-1] == "answer" and {"token", "citation", "verdict"} <= set(names)
    found, whole = events[0][1], events[-1][1]
    assert found["question"] == QUESTION and found["hits"][0]["collection"] == "handbook"
    assert [one for name, one in events if name == "citation"] == whole["citations"]
    assert [one for name, one in events if name == "verdict"] == whole["claims"]
    assert "".join(one["text"] for name, one in events if name == "token")
    refused = client.post("/v1/ask", json={"question": ""}, headers={"accept": "text/event-stream"})
    assert refused.status_code == 400 and refused.headers["content-type"] == "application/problem+json"


def test_whoever_stops_an_answer_finds_what_was_written(workspace):
    chat = workspace.chats.begin("Stopped", "user:ilse")
    events = answer_in_chat(workspace, chat, "user:ilse", QUESTION)
    for event in events:
        if isinstance(event, str):
            break
    events.close()
    question, answer = workspace.chats.messages(chat, "user:ilse")
    assert question.content == QUESTION and answer.stopped and answer.receipt_id


def test_what_rests_on_a_closed_document_is_withheld(workspace):
    client = client_of(workspace, principals=("group:board",))
    chat = client.post("/v1/chats", json={"title": "Wages"}).headers["location"]
    asked = {"question": "What does the ferry warden earn?", "collection": "wages"}
    assert "nine crowns" in client.post(f"{chat}/messages", json=asked).json()["answer"]
    target = Target("collection", "wages")
    workspace.access.rules.set(target, deny=["*"], who="user:ada", why="closed")
    try:
        shown = client.get(chat)
        assert shown.json()["messages"][1]["withheld"] and "nine crowns" not in shown.text
        owner = workspace.journal.receipts(1)[0].principal
        assert remembered(workspace, chat.rpartition("/")[2], owner, ("group:board",), 9) == []
    finally:
        workspace.access.rules.remove(target, who="user:ada", why="open again")


def test_chats_come_a_page_at_a_time(workspace):
    client = client_of(workspace)
    for number in range(5):
        client.post("/v1/chats", json={"title": f"Chat {number}"})
    first = client.get("/v1/chats?limit=2")
    assert [one["title"] for one in first.json()["chats"]] == ["Chat 4", "Chat 3"]
    titles, link = [], "/v1/chats?limit=2"
    while link:
        page = client.get(link)
        titles += [one["title"] for one in page.json()["chats"]]
        link = page.links.get("next", {}).get("url")
    assert titles == [f"Chat {number}" for number in range(4, -1, -1)]
    assert client.get("/v1/chats?cursor=nonsense").status_code == 400


def test_a_post_with_a_key_is_done_once(workspace):
    client, other = client_of(workspace), client_of(workspace)
    key = {"idempotency-key": "k1"}
    first = client.post("/v1/chats", json={"title": "Once"}, headers=key)
    again = client.post("/v1/chats", json={"title": "Once"}, headers=key)
    assert again.status_code == 201 and again.json() == first.json() and again.headers["idempotent-replayed"] == "true"
    assert again.headers["location"] == first.headers["location"] and len(client.get("/v1/chats").json()["chats"]) == 1
    assert client.post("/v1/chats", json={"title": "Other"}, headers=key).status_code == 422
    assert other.post("/v1/chats", json={"title": "Once"}, headers=key).json()["id"] != first.json()["id"]
    for _ in range(2):  # a failure is not kept
        failed = client.post("/v1/chats", json={"title": " "}, headers={"idempotency-key": "k2"})
        assert failed.status_code == 400 and "idempotent-replayed" not in failed.headers
    assert client.post("/v1/chats", json={"title": "Now"}, headers={"idempotency-key": "k2"}).status_code == 201
    assert client.post("/v1/chats", json={"title": "x"}, headers={"idempotency-key": "k" * 300}).status_code == 400


def test_what_a_client_has_already_is_not_sent_again(workspace):
    client = client_of(workspace)
    chat = client.post("/v1/chats", json={"title": "Tagged"}).headers["location"]
    first = client.get(chat)
    assert client.get(chat, headers={"if-none-match": first.headers["etag"]}).status_code == 304
    same = client.get(chat, headers={"if-none-match": f'"other", W/{first.headers["etag"]}'})
    assert (same.status_code, same.content) == (304, b"") and same.headers["cache-control"] == "private, no-cache"
    client.patch(chat, json={"title": "Changed"})
    assert client.get(chat, headers={"if-none-match": first.headers["etag"]}).json()["title"] == "Changed"


def test_a_shared_chat_shows_each_reader_what_they_may_read(workspace):
    board, public = client_of(workspace, principals=("group:board",)), client_of(workspace)
    chat = board.post("/v1/chats", json={"title": "Wages"}).headers["location"]
    board.post(f"{chat}/messages", json={"question": "What does the ferry warden earn?"})
    assert board.get(f"{chat}/share").json() == {"token": None, "readers": []}
    token = board.put(f"{chat}/share").json()["token"]
    assert board.get(f"{chat}/share").json() == {"token": token, "readers": []}
    for method in ("GET", "PUT", "DELETE"):
        assert public.request(method, f"{chat}/share").status_code == 404
    said = board.get(f"/v1/shared/{token}").json()
    assert said["title"] == "Wages" and "nine crowns" in said["messages"][1]["content"]
    hidden = public.get(f"/v1/shared/{token}").json()["messages"][1]
    assert (hidden["content"], hidden["withheld"]) == (None, True)
    crew = client_of(workspace, principals=("group:crew",))
    named = board.put(f"{chat}/share", json={"readers": ["group:crew"]}).json()
    assert named == {"token": token, "readers": ["group:crew"]}
    assert public.get(f"/v1/shared/{token}").status_code == 404
    assert crew.get(f"/v1/shared/{token}").json()["messages"][1]["withheld"]
    assert board.get(f"/v1/shared/{token}").status_code == 200  # its owner
    assert board.put(f"{chat}/share").json()["readers"] == ["group:crew"]
    workspace.access.rules.join("group:crew", ["group:mates"], who="user:ada")
    mate = client_of(workspace, principals=("group:mates",))
    assert mate.get(f"/v1/shared/{token}").status_code == 200
    workspace.access.rules.leave("group:crew", ["group:mates"], who="user:ada")
    assert mate.get(f"/v1/shared/{token}").status_code == 404
    assert board.put(f"{chat}/share", json={"readers": []}).json()["readers"] == []
    assert public.get(f"/v1/shared/{token}").status_code == 200
    assert board.delete(f"{chat}/share").status_code == 204
    assert board.get(f"/v1/shared/{token}").status_code == public.get("/v1/shared/none").status_code == 404
