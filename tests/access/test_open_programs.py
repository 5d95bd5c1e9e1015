"""What a program shows that runs already: closed by another, a document is gone from the very next call."""

import pytest
from fastapi.testclient import TestClient

from rag_platform.access.decisions import Target
from rag_platform.api.application import application
from rag_platform.core.hits import Filters
from rag_platform.index.releases.document_history import document_state, revisions
from rag_platform.journal.permissions import closed, unreadable
from rag_platform.people.tokens import Tokens
from rag_platform.provenance.openings import open_document
from rag_platform.provenance.originals import original
from tests.access.conftest import id_of

QUESTION = "Who opens the weir in spring?"
WHO = ("user:ilse",)


@pytest.fixture
def weir(workspace) -> str:
    return id_of(workspace, "weir.md")


@pytest.fixture
def close(opened, weir):
    """Close the document about the weir, as another process would."""
    return lambda: opened().access.rules.set(Target("document", weir), deny=["*"], who="user:ada", why="a secret")


@pytest.fixture
def api(workspace):
    """The API over the workspace, to whom a reader's token speaks."""
    token = Tokens(workspace.journal).create("reader", principals=WHO)
    with TestClient(application(workspace), headers={"authorization": f"Bearer {token}"}) as client:
        yield client


def test_the_api_shows_nothing_of_it_any_more(api, close) -> None:
    def said() -> list[str]:
        asked = [
            api.get("/v1/search", params={"q": QUESTION, "mode": mode, "explain": True})
            for mode in ("lexical", "vector", "hybrid")
        ]
        asked.append(api.post("/v1/ask", json={"question": QUESTION}))
        chat = {"model": "rag/all", "messages": [{"role": "user", "content": QUESTION}]}
        asked.append(api.post("/v1/chat/completions", json=chat))
        asked.append(api.get("/v1/why", params={"q": QUESTION, "uri": "weir.md"}))
        assert all(one.status_code == 200 for one in asked[:5]), asked
        return [one.text.replace(QUESTION, "") for one in asked]

    assert all("weir" in text for text in said())
    close()
    assert not [text for text in said() if "wardens" in text or "# Weir" in text or '"uri":"notes/weir.md"' in text]


def test_its_text_its_past_and_its_original_are_shut(workspace, weir, close) -> None:
    versions, live = workspace.versions, workspace.versions.live_id()
    shown = open_document(workspace, weir, WHO)
    assert shown and b"two wardens" in original(workspace, shown).content
    assert revisions(versions, weir, WHO)
    close()
    assert open_document(workspace, weir, WHO) is None is document_state(versions, weir, WHO, live)
    assert not revisions(versions, weir, WHO)


def test_answers_that_cite_it_are_not_shown_to_others_or_again(workspace, weir, close) -> None:
    answer = workspace.answerer.ask(QUESTION, filters=Filters(principals=WHO))
    assert weir in {one.doc_id for one in answer.citations}
    chats, versions = workspace.chats, workspace.versions
    chat = chats.begin(QUESTION, *WHO)
    chats.say(chat, "user", QUESTION)
    chats.say(chat, "assistant", answer.answer, answer.receipt_id)
    token = chats.share(chat, *WHO)

    def cited() -> set[str]:
        """Return what the answers of the shared chat rest on, which the page compares with what its reader may read."""
        (receipt,) = chats.receipts(chats.opened(token).messages).values()
        return set(receipt.documents)

    assert weir in cited() and weir not in unreadable(versions, cited(), ()) | closed(versions, cited(), WHO)
    close()
    assert weir in unreadable(versions, cited(), ()) & closed(versions, cited(), WHO)
