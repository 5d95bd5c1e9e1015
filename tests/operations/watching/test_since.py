"""What changed since, over the versions that are kept: of an answer, a document, a collection; and not for others."""

from datetime import datetime

import pytest

from rag_platform.access.decisions import Target
from rag_platform.core.hits import Filters
from rag_platform.operations.watching.since import answer_since, corpus_since, document_since
from rag_platform.pipeline.sync import sync
from tests.api.published import QUESTION, client_of, publish
from tests.pipeline.fixed_gate import FixedGate

ILSE, BOARD = ("user:ilse",), ("user:ilse", "group:board")


def write(workspace, text, name="notes/a.md"):
    path = workspace.settings.home / name
    path.unlink() if text is None else path.write_text(f"# Of {name}\n\n{text}\n")
    assert sync(workspace, gate=FixedGate(workspace)).moved


@pytest.fixture(scope="module")
def told(tmp_path_factory, tiny_embedder):
    """A workspace of five versions, and a receipt of the first one."""
    workspace = publish(tmp_path_factory.mktemp("since"), tiny_embedder)
    answer = workspace.answerer.ask(QUESTION, filters=Filters(principals=ILSE, collections=("handbook",)))
    write(workspace, "Cranes are birds.", "notes/b.md")
    write(workspace, "The ferry runs from seven until dusk.")
    write(workspace, None, "notes/b.md")
    write(workspace, "The ferry warden earns ten crowns.", "pay/a.md")
    return workspace, workspace.journal.receipt(answer.receipt_id)


def test_an_answer_was_right_until_a_version_said_otherwise(told):
    workspace, receipt = told
    moves = workspace.versions.moves()
    since = answer_since(workspace.versions, receipt, ILSE)
    assert not since.stands and since.until == datetime.fromisoformat(moves[2]["at"])
    (quote,) = since.quotes
    assert quote.known_until == datetime.fromisoformat(moves[1]["at"])
    assert [line.kind for line in quote.lines] == ["old", "new"] and "seven" in str(quote.lines[1].parts)


def test_an_answer_that_stands_and_one_whose_versions_are_gone(told, tmp_path, tiny_embedder):
    workspace, _ = told
    answer = workspace.answerer.ask(QUESTION, filters=Filters(principals=ILSE, collections=("handbook",)))
    since = answer_since(workspace.versions, workspace.journal.receipt(answer.receipt_id), ILSE)
    assert since.stands and since.until is None and since.quotes[0].lines == ()
    gone = publish(tmp_path, tiny_embedder)
    old = gone.journal.receipt(gone.answerer.ask(QUESTION, filters=Filters(collections=("handbook",))).receipt_id)
    write(gone, "Cranes are birds.", "notes/b.md")
    write(gone, "The ferry runs from seven until dusk.")
    for version in gone.versions.ids()[:-1]:
        gone.versions.remove(version)
    since = answer_since(gone.versions, old, ILSE)
    assert not since.stands and since.quotes[0].known_until == old.asked_at and since.quotes[0].lines == ()


def test_a_collection_tells_what_came_changed_and_went(told):
    workspace, receipt = told
    found = corpus_since(workspace.versions, receipt.version, Filters(principals=ILSE))
    assert [(one.uri, one.change) for one in found.documents] == [("notes/a.md", "changed")]
    second = workspace.versions.ids()[1]
    found = corpus_since(workspace.versions, second, Filters(principals=ILSE))
    assert [(one.uri, one.change) for one in found.documents] == [("notes/a.md", "changed"), ("notes/b.md", "went")]
    found = corpus_since(workspace.versions, second, Filters(principals=BOARD, collections=("wages",)))
    assert (found.came, found.changed, found.went) == (0, 1, 0) and found.documents[0].uri == "pay/a.md"


def test_what_is_closed_is_not_told_of(told):
    workspace, receipt = told
    doc_id = receipt.citations[0].doc_id
    since = document_since(workspace.versions, doc_id, receipt.version, ILSE)
    assert "six" in str(since.lines) and "seven" in str(since.lines)
    workspace.access.rules.set(Target("collection", "handbook"), deny=["*"], who="user:ada", why="closed")
    try:
        assert document_since(workspace.versions, doc_id, receipt.version, ILSE) is None
        found = corpus_since(workspace.versions, workspace.versions.ids()[1], Filters(principals=ILSE))
        assert found.documents == () and (found.came, found.changed, found.went) == (0, 0, 0)
    finally:
        workspace.access.rules.remove(Target("collection", "handbook"), who="user:ada", why="open")


def test_it_is_told_over_the_api(told):
    workspace, _ = told
    client = client_of(workspace, principals=ILSE[:1])
    receipt = client.post("/v1/ask", json={"question": QUESTION, "collection": "handbook"}).json()["receipt_id"]
    assert client.get(f"/v1/receipts/{receipt}/since").json()["stands"]
    assert client_of(workspace).get(f"/v1/receipts/{receipt}/since").status_code == 404
    first = workspace.versions.ids()[0]
    changes = client.get("/v1/changes", params={"since": first, "collection": "handbook"}).json()
    (document,) = changes["documents"]
    lines = client.get(f"/v1/documents/{document['doc_id']}/since", params={"since": first}).json()["lines"]
    assert "seven" in str(lines) and "crowns" not in client.get("/v1/changes", params={"since": first}).text
    assert client.get("/v1/changes", params={"since": "1999-01-01"}).status_code == 404
    assert client.get("/v1/changes", params={"since": first, "collection": "wages"}).status_code == 404
