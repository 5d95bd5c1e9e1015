"""Files that are attached to one chat: read, searched beside what is published, cited, and nobody else's."""

import pytest

from rag_platform.answering.attached.attached_index import ATTACHED
from rag_platform.erasure.forget import forget
from rag_platform.erasure.targets import recognise
from rag_platform.operations.asking import attaching
from rag_platform.operations.asking.attaching import attach, attached_to
from tests.api.published import QUESTION, client_of, publish

LEASE = "# Lease\n\nThe tenant pays the rent on the third of each month. Pets are allowed in the garden flat.\n"
ASKED = "When does the tenant pay the rent?"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, embedder):
    return publish(tmp_path_factory.mktemp("files"), embedder)


@pytest.fixture
def client(workspace):
    return client_of(workspace)


@pytest.fixture
def chat(client):
    where = client.post("/v1/chats", json={"title": "My lease"}).headers["location"]
    put = client.put(f"{where}/files/lease.md", content=LEASE.encode())
    assert put.status_code == 201 and put.json()["file"]["documents"] == 1 and put.json()["problems"] == []
    return where


def ask(client, chat, question=ASKED):
    return client.post(f"{chat}/messages", json={"question": question}).json()


def test_an_answer_cites_the_file_with_its_span_and_what_is_published_beside_it(client, chat, workspace):
    said = ask(client, chat)
    [cited] = said["citations"]
    assert (cited["uri"], cited["title"]) == ("attached:lease.md", "Lease")
    assert LEASE[slice(*cited["span"])].startswith("The tenant pays the rent") or "third" in cited["quote"]
    owner = workspace.journal.receipt(said["receipt_id"]).principal
    text = workspace.attachments.document(cited["doc_id"], owner).text
    assert text[slice(*cited["span"])] == cited["quote"]
    assert {one["title"] for one in ask(client, chat, QUESTION)["citations"]} == {"Of notes"}
    client.put(f"{chat}/scope", json={"attached_only": True})
    assert ask(client, chat, QUESTION)["citations"] == []
    assert ask(client, chat)["citations"][0]["uri"] == "attached:lease.md"


def test_nobody_else_sees_the_file_nor_what_was_answered_from_it(client, chat, workspace):
    said, other = ask(client, chat), client_of(workspace, "read", "ask", "admin")
    for method, path in (("GET", "/files"), ("PUT", "/files/x.md"), ("DELETE", "/files/1"), ("GET", "")):
        assert other.request(method, chat + path, content=b"text" if method == "PUT" else None).status_code == 404
    assert workspace.attachments.document(said["citations"][0]["doc_id"], "somebody") is None
    begun = other.post("/v1/chats", json={"title": "Mine"}).headers["location"]
    assert ask(other, begun)["abstained"] and other.get(f"{begun}/files").json() == {"files": []}
    assert client_of(workspace).get("/v1/search", params={"q": ASKED}).json()["nothing_relevant"] in (True, False)
    shared = client.put(f"{chat}/share").json()["token"]
    asked, answered = other.get(f"/v1/shared/{shared}").json()["messages"]
    assert asked["content"] == ASKED and answered["withheld"] and answered["content"] is None


def test_a_file_goes_when_it_is_taken_away_and_with_its_chat(client, chat, workspace):
    said = ask(client, chat)
    published = ask(client, chat, QUESTION)["receipt_id"]
    [file] = client.get(f"{chat}/files").json()["files"]
    client.put(f"{chat}/files/more.txt", content=b"The caretaker is called Brunhilde Sommer.")
    assert client.delete(f"{chat}/files/{file['id']}").status_code == 204
    assert client.delete(f"{chat}/files/{file['id']}").status_code == 404
    assert ask(client, chat)["abstained"]
    assert client.delete(chat).status_code == 204
    with workspace.journal.reading() as connection:
        left = connection.execute("select text from attached_documents").fetchall()
    assert not [row for row in left if "Brunhilde" in row["text"]]
    assert workspace.journal.receipt(said["receipt_id"]) is None and workspace.journal.receipt(published)
    assert chat.rpartition("/")[2] not in {key[0] for key in attaching._INDEXES}


def test_what_cannot_be_taken_is_refused_in_words(client, chat, workspace, monkeypatch):
    for name, content, said in (
        ("a.exe", b"\x7fELF" + bytes(40), "no reader"),
        ("empty.txt", b" \n", "text"),
    ):
        refused = client.put(f"{chat}/files/{name}", content=content)
        assert refused.status_code in (400, 409, 422) and said in refused.text, refused.text
    monkeypatch.setattr(attaching, "MOST_CHARACTERS", 60)
    assert client.put(f"{chat}/files/b.txt", content=b"One more text about nothing.").status_code == 413
    monkeypatch.setattr(attaching, "MOST_FILES", 1)
    assert "too many files" in client.put(f"{chat}/files/c.txt", content=b"One more.").text


def test_an_index_is_made_once_and_anew_when_the_files_change(workspace, tmp_path):
    chat = workspace.chats.begin("Index", "user:ilse")
    assert attached_to(workspace, chat, "user:ilse") is None
    attach(workspace, chat, "user:ilse", "lease.md", LEASE.encode())
    first = attached_to(workspace, chat, "user:ilse").index
    assert (
        attached_to(workspace, chat, "user:ilse").index is first and attached_to(workspace, chat, "user:asha") is None
    )
    attach(workspace, chat, "user:ilse", "more.txt", b"The caretaker is called Brunhilde.")
    assert attached_to(workspace, chat, "user:ilse").index is not first
    hits = attached_to(workspace, chat, "user:ilse").index.search("Who is the caretaker?", 3, lambda _: 1.0)
    assert hits[0].uri == "attached:more.txt" and hits[0].source == ATTACHED and [hit.rank for hit in hits] == [1, 2]


def test_what_is_forgotten_goes_from_the_files_of_chats_too(workspace):
    copy = b"Copied: Waves. The ferry makes waves of half a metre.\n"
    for owner, content in (("user:bela", copy), ("user:nima", LEASE.encode())):
        attach(workspace, workspace.chats.begin("Waves", owner), owner, "copy.md", content)
    assert forget(workspace, recognise(workspace, "waves.md"))["proven"]
    assert owned(workspace, "user:bela") == 0 and owned(workspace, "user:nima") == 1
    forget(workspace, recognise(workspace, "user:nima"))
    assert owned(workspace, "user:nima") == 0


def owned(workspace, owner):
    return sum(len(workspace.attachments.of(chat.id, owner)) for chat in workspace.chats.of(owner))
