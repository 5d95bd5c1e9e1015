"""What the documents do not say: what was searched, what is nearest, and the way to add what is missing."""

import pytest
from streamlit.testing.v1 import AppTest

from app import frame
from rag_platform.people.identity import Person
from rag_platform.workspace import open_workspace
from tests.app.browsing import ROOT
from tests.app.chat_view import ask, chat_view, html, labels, pressed

UNKNOWN = "Who won the football cup in 1954?"
READER = Person("user:rita", "Rita", "reader", ("user:rita",))


@pytest.fixture
def page(home, embedder, monkeypatch):
    """Open the view Ask over the workspace, as somebody, at an address."""

    def opened(who=None, **query):
        return chat_view(monkeypatch, embedder, home, who, **query)

    return opened


def ways(test):
    """Return where the links of a view lead, by their labels."""
    return {link.proto.label: (link.proto.page, link.proto.query_string) for link in test.get("page_link")}


def test_what_is_not_in_the_sources_tells_what_was_searched_and_what_is_nearest(page):
    shown = html(ask(page(), UNKNOWN))
    assert "do not contain an answer" in shown
    assert f"Searched all 2 documents that you may read, for: <q>{UNKNOWN}</q>" in shown.replace("\n", " ")
    assert "The closest passages" in shown and "<blockquote>Office hours — The office opens" in shown


def test_what_has_changed_since_is_named_without_its_text(page, home):
    chat = ask(page(), UNKNOWN).query_params["chat"]
    workspace = open_workspace(home)
    [receipt] = workspace.journal.receipts(1)
    with workspace.journal.writing() as connection:
        hits = connection.execute("select hits from receipts").fetchone()[0]
        connection.execute("update receipts set hits = ?", (hits.replace(receipt.hits[0]["revision"], "older"),))
    shown = html(page(chat=chat))
    assert shown.count('<a class="card') == 2 and shown.count("<blockquote>") == 1


def test_an_editor_is_led_to_where_the_missing_document_is_added_and_back(page, monkeypatch):
    test = ask(page(), UNKNOWN)
    place, query = ways(test)["Add the missing document"]
    assert place == "collections" and query.startswith("missing=")
    assert ways(test)["What else was not answered"] == ("operate", "part=asked")
    there = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    there.query_params["missing"] = query.removeprefix("missing=")
    shown = html(there.switch_page("views/collections.py").run())
    assert f"do not answer <q>{UNKNOWN}</q>" in shown and f"./?chat={test.query_params['chat'][0]}" in shown
    monkeypatch.setattr(frame, "person", lambda: READER)
    assert UNKNOWN not in html(there.run()), "what somebody asked is theirs"


def test_a_reader_tells_those_who_may_add_documents(page, home):
    test = ask(page(READER), UNKNOWN)
    assert [*ways(test)] == ["Watched", "Assistants"]
    pressed(test, "Tell the editors that this is missing")
    [proposal] = open_workspace(home).proposals.list()
    assert (proposal.question, proposal.reason) == (UNKNOWN, "unanswered")
    assert "Tell the editors that this is missing" not in labels(test)
