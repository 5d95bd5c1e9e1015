"""A request with a key is done once; its answer is told again to those who may still have it, and to nobody else."""

import pytest

from rag_platform.access.decisions import Target
from rag_platform.erasure.forget import forget
from rag_platform.erasure.targets import recognise
from rag_platform.people.tokens import Tokens
from tests.api.published import QUESTION, client_of, opened, publish
from tests.copies import copy_of


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    return publish(tmp_path_factory.mktemp("repeated"), tiny_embedder)


@pytest.fixture(scope="module")
def home(workspace):
    return workspace.settings.home


def test_what_a_key_stands_for_is_told_again_to_the_same_rights_alone(workspace):
    client, tokens = client_of(workspace), Tokens(workspace.journal)
    question, key = {"question": QUESTION}, {"idempotency-key": "rights"}
    first = client.post("/v1/ask", json=question, headers=key)
    assert client.post("/v1/ask", json=question, headers=key).content == first.content
    (mine,) = [one for one in tokens.list() if f"token:{one.name}" == workspace.journal.receipts(1)[0].principal]
    tokens.revoke(mine.name)
    reads = tokens.create(mine.name, ["read"])  # the same caller, who may less
    again = client.post("/v1/ask", json=question, headers=key | {"authorization": f"Bearer {reads}"})
    assert again.status_code == 422 and "six" not in again.text


def test_an_answer_is_told_again_only_to_who_may_read_what_it_rests_on(workspace):
    client = client_of(workspace, principals=("group:board",))
    asked = {"question": "What does the ferry warden earn?", "collection": "wages"}
    said = {"model": "rag/wages", "messages": [{"role": "user", "content": asked["question"]}]}
    ways = ("/v1/ask", asked), ("/v1/chat/completions", said)
    first = [client.post(path, json=given, headers={"idempotency-key": path}) for path, given in ways]
    assert all("nine crowns" in one.text for one in first)
    workspace.access.rules.set(Target("collection", "wages"), deny=["*"], who="user:ada", why="closed")
    try:
        for path, given in ways:
            again = client.post(path, json=given, headers={"idempotency-key": path})
            assert again.status_code == 410 and "crowns" not in again.text
    finally:
        workspace.access.rules.remove(Target("collection", "wages"), who="user:ada", why="open again")
    again = [client.post(path, json=given, headers={"idempotency-key": path}) for path, given in ways]
    assert [one.content for one in again] == [one.content for one in first]


def test_nothing_is_kept_of_what_is_forgotten(home, tmp_path, tiny_embedder):
    workspace = opened(copy_of(home, tmp_path / "home"), tiny_embedder)
    client, chat = client_of(workspace), {"title": "Ferries"}
    client.post("/v1/chats", json=chat, headers={"idempotency-key": "chat"})
    client.post("/v1/ask", json={"question": QUESTION}, headers={"idempotency-key": "ask"})
    assert b"six until dusk" in _content(workspace.journal)
    forget(workspace, recognise(workspace, "notes/a.md", None), why="asked for")
    assert b"six until dusk" not in _content(workspace.journal)
    assert client.post("/v1/chats", json=chat, headers={"idempotency-key": "chat"}).status_code == 410
    assert len(client.get("/v1/chats").json()["chats"]) == 1  # it was not made again


def test_what_only_computes_is_not_kept(workspace):
    client = client_of(workspace)
    vectors = {"model": workspace.embedder.card.name, "input": "ferry"}
    claims = {"claims": [{"claim": "The ferry runs."}]}  # judged by quotes of what may be read just now
    for path, given in (("/v1/embeddings", vectors), ("/v1/check", claims)):
        for _ in range(2):
            answer = client.post(path, json=given, headers={"idempotency-key": path})
            assert answer.status_code == 200 and "idempotent-replayed" not in answer.headers
        described = client.get("/openapi.json").json()["paths"][path]["post"]
        assert "Idempotency-Key" not in str(described)


def _content(journal):
    with journal.reading() as connection:
        return "\n".join(connection.iterdump()).encode() + b"".join(
            row[0] or b"" for row in connection.execute("select body from repeated_requests")
        )
