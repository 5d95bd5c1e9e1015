"""A chat that is answered from some collections and documents alone, and the names to choose from."""

import pytest

from rag_platform.operations.asking.scope_names import complete, named
from rag_platform.people.chat_scopes import ChatScope
from tests.api.published import QUESTION, client_of, publish


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    return publish(tmp_path_factory.mktemp("scopes"), tiny_embedder)


def cited(answer):
    return {one["title"] for one in answer.json()["citations"]}


def test_a_chat_is_answered_from_what_it_is_about_until_that_is_changed(workspace):
    client = client_of(workspace)
    chat = client.post("/v1/chats", json={"title": "Ferries"}).headers["location"]
    ask = lambda question=QUESTION: client.post(f"{chat}/messages", json={"question": question})  # noqa: E731
    waves = client.get("/v1/names", params={"typed": "@wav"}).json()["names"][0]
    assert (waves["title"], waves["sign"]) == ("Waves", "@Waves")
    put = client.put(f"{chat}/scope", json={"documents": [waves["id"]]})
    assert put.json()["names"] == [waves] and client.get(f"{chat}/scope").json() == put.json()
    assert cited(ask("What does the ferry make?")) == {"Waves"}
    assert cited(ask()) <= {"Waves"}
    assert cited(ask("#handbook When does the ferry run?")) == set()  # a sign only narrows
    assert client.put(f"{chat}/scope", json={"collections": ["handbook"]}).json()["documents"] == []
    assert cited(ask()) == {"Of notes"}
    client.put(f"{chat}/scope", json={})
    assert cited(ask()) == {"Of notes"}


def test_only_what_may_be_read_is_named_and_chosen(workspace):
    client, board = client_of(workspace), client_of(workspace, principals=("group:board",))
    chat = client.post("/v1/chats", json={"title": "Wages"}).headers["location"]
    known = lambda who, typed: [one["title"] for one in who.get("/v1/names", params={"typed": typed}).json()["names"]]  # noqa: E731
    assert known(client, "#") == ["handbook", "Physics"] and known(board, "#wag") == ["wages"]
    assert known(client, "@of p") == [] and known(board, "@of p") == ["Of pay"]
    assert known(client, "of") == known(client, "") == [] and known(client, '@"waves') == ["Waves"]
    pay = board.get("/v1/names", params={"typed": "@of p"}).json()["names"][0]["id"]
    for scope in ({"documents": [pay]}, {"collections": ["wages"]}, {"documents": ["ff"]}):
        assert client.put(f"{chat}/scope", json=scope).status_code == 404
    workspace.chat_scopes.set(chat.rpartition("/")[2], ChatScope(("wages",), (pay,)), client_owner(workspace, chat))
    assert client.get(f"{chat}/scope").json()["names"] == []  # it was closed since
    assert client.post(f"{chat}/messages", json={"question": "What does the warden earn?"}).json()["abstained"]


def client_owner(workspace, chat):
    with workspace.journal.reading() as connection:
        return connection.execute("select principal from chats where id = ?", (chat.rpartition("/")[2],)).fetchone()[
            "principal"
        ]


def test_a_chat_of_somebody_else_has_no_scope(workspace):
    ilse, asha = client_of(workspace), client_of(workspace)
    chat = ilse.post("/v1/chats", json={"title": "Boats"}).headers["location"]
    ilse.put(f"{chat}/scope", json={"collections": ["handbook"]})
    assert asha.get(f"{chat}/scope").status_code == asha.put(f"{chat}/scope", json={}).status_code == 404
    assert ilse.get(f"{chat}/scope").json()["collections"] == ["handbook"]


def test_names_with_spaces_are_quoted_and_those_with_quotes_go_by_their_ids(workspace):
    everybody = complete(workspace, "@", ("group:board",))
    assert {one.sign for one in everybody} == {'@"Of notes"', '@"Of pay"', "@Waves"}
    scope = ChatScope(("physics",), tuple(one.id for one in everybody))
    assert [one.title for one in named(workspace, scope, ())] == [
        "Physics",
        *(one.title for one in everybody if one.title != "Of pay"),
    ]


def test_a_search_and_a_question_may_name_documents(workspace):
    client = client_of(workspace)
    waves = client.get("/v1/names", params={"typed": "@waves"}).json()["names"][0]["id"]
    hits = client.get("/v1/search", params={"q": "ferry", "document": waves}).json()["hits"]
    assert {hit["doc_id"] for hit in hits} == {waves}
    assert cited(client.post("/v1/ask", json={"question": "What does the ferry make?", "document": waves})) == {"Waves"}
    assert client.get("/v1/search", params={"q": "ferry", "document": "nobody"}).status_code == 404
