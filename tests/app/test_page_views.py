"""The views' logic, without a browser."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import frame
from rag_platform.errors import StorageError
from rag_platform.parts import open_workspace

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def page(home, embedder, monkeypatch):
    """The page over a workspace, at a view, with an address."""
    return lambda view="views/chat.py", folder=home, **query: _page(monkeypatch, embedder, view, folder, query)


def _page(monkeypatch, embedder, view, folder, query):
    workspace = open_workspace(folder)
    workspace.embedder = embedder  # loaded once for all tests
    monkeypatch.setattr(frame, "workspace", lambda: workspace)
    test = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    test.query_params.update(query)
    if view != "views/chat.py":
        test.switch_page(view)
    return test.run()


def html(test):
    return "\n".join(element.proto.body for element in test.get("html"))


def test_a_question_is_answered_cited_and_kept_under_its_address(page):
    test = page()
    assert "Ask your documents" in html(test) and not test.exception
    test.chat_input[0].set_value("How many days of paid leave do employees get?").run()
    assert not test.exception
    assert "Employees get 25 days of paid leave per year." in html(test)
    assert 'class="cite" href="document?doc=' in html(test)
    chat = test.query_params["chat"]
    again = page(chat=chat)
    assert "Employees get 25 days of paid leave per year." in html(again)
    assert "25 days" not in html(page(chat="somebody-elses"))


def test_what_is_not_in_the_documents_is_said_so(page):
    test = page()
    test.chat_input[0].set_value("What is the boiling point of tungsten?").run()
    assert "do not contain an answer" in html(test) and "document?doc=" not in html(test)
    assert "The closest passages" in html(test)
    assert 1 <= len(test.get("page_link")) <= 3


def test_a_judgement_is_kept(page, home):
    test = page()
    test.chat_input[0].set_value("How many days of paid leave do employees get?").run()
    test.get("feedback")[0].set_value(1).run()
    journal = open_workspace(home).journal
    assert journal.judgement(journal.receipts()[0].id) is True


def test_a_search_takes_question_mode_and_filters_from_the_address(page):
    test = page("views/search.py", q="sabbatical", mode="lexical", collection="default")
    assert "<mark>sabbatical</mark>" in html(test) and "Words ·" in html(test)
    assert test.multiselect(key="collection").value == ["default"]
    assert "default (2)" in test.multiselect(key="collection").options
    test.text_input(key="q").set_value("zzzz qqqq").run()
    test.segmented_control(key="mode").set_value("lexical").run()
    assert "Nothing found" in html(test)


def test_an_unknown_mode_or_filter_in_the_address_is_ignored(page):
    test = page("views/search.py", q="office", mode="magic", language="xx")
    assert not test.exception and "Office hours" in html(test)
    assert test.multiselect(key="language").value == []


def test_a_date_after_everything_finds_nothing(page):
    test = page("views/search.py", q="leave", since="2030-01-01")
    assert "Nothing found" in html(test)


def test_the_document_view_highlights_the_span(page, home):
    workspace = open_workspace(home)
    hit = workspace.retriever.search("days of paid leave").hits[0]
    start = workspace.retriever.live().document(hit.doc_id).text.index("Employees")
    test = page("views/document.py", doc=hit.doc_id, start=str(start), end=str(start + 9), rev=hit.revision)
    assert '<mark id="cited">Employees</mark>' in html(test)
    assert "&lt;script&gt;" in html(test) and "<img" not in html(test)
    assert not test.warning
    assert page("views/document.py", doc=hit.doc_id, rev="another").warning
    assert page("views/document.py", doc=hit.doc_id, start="7", end="9999999").warning
    assert not page("views/document.py", doc=hit.doc_id, start="x", end="").exception


@pytest.mark.parametrize("query", [{}, {"doc": "unknown"}])
def test_a_document_that_is_not_there(page, query):
    assert "This document is not here" in html(page("views/document.py", **query))


@pytest.mark.parametrize("view", ["views/chat.py", "views/search.py", "views/document.py"])
def test_before_anything_is_published_every_view_says_what_to_do(page, tmp_path, view):
    test = page(view, folder=tmp_path / "empty")
    assert "rag sync" in html(test) and not test.exception


def test_an_error_of_ours_is_told_and_escaped(page, monkeypatch):
    monkeypatch.setattr(
        "rag_platform.retrieval.Retriever.live", lambda _: (_ for _ in ()).throw(StorageError("disk <full>"))
    )
    test = page()
    assert "disk &lt;full&gt;" in html(test) and not test.exception


def test_a_new_version_is_noticed_without_a_restart(page, home):
    from rag_platform.pipeline import Pipeline

    test = page()
    assert "2 documents" in html(test)
    (home / "docs" / "third.md").write_text("# Parking\n\nThe car park behind the house has forty places.\n")
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("handbook")
    workspace.versions.promote(pipeline.build().version, "test")
    assert "3 documents" in html(test.run())
