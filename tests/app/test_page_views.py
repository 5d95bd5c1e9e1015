"""The views' logic, without a browser."""

import re

import pytest

from rag_platform.core.errors import StorageError
from rag_platform.erasure.forget import forget
from rag_platform.erasure.targets import recognise
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.app.conftest import HOSTILE
from tests.app.viewing import html_of as html
from tests.app.viewing import view_of
from tests.chat_server import END, ROLE, chunk, serving


@pytest.fixture
def page(home, embedder, monkeypatch):
    """The page over a workspace, at a view, with an address."""
    return lambda view="views/chat.py", folder=home, **query: view_of(monkeypatch, embedder, folder, view, **query)


def test_a_question_is_answered_cited_and_kept_under_its_address(page):
    test = page()
    assert "Ask your documents" in html(test) and not test.exception
    test.chat_input[0].set_value("How many days of paid leave do employees get?").run()
    assert not test.exception
    assert "Employees get 25 days of paid leave per year." in html(test)
    assert 'class="cite quoted" href="document?doc=' in html(test)
    chat = test.query_params["chat"]
    again = page(chat=chat)
    assert "Employees get 25 days of paid leave per year." in html(again)
    assert "25 days" not in html(page(chat="somebody-elses"))


def test_what_is_not_in_the_documents_is_said_so(page):
    test = page()
    test.chat_input[0].set_value("What is the boiling point of tungsten?").run()
    assert "do not contain an answer" in html(test) and 'class="cite" href' not in html(test)
    assert "The closest passages" in html(test)
    assert 1 <= html(test).count('<a class="card inner" href="document?doc=') <= 3


def test_a_question_may_choose_who_answers(page, home):
    said = [ROLE, chunk(reasoning="<b>hm</b>"), chunk("Employees get 25 days of paid leave per year [1]."), *END]
    with serving() as model:
        model.script = [said]
        with (home / "rag.toml").open("a") as settings:
            settings.write(f'[generator]\nname = "tiny"\nbase_url = "{model.address}"\n')
        test = page()
        assert test.selectbox(key="generator").options == ["tiny", "Quotes alone, no model"]
        test.chat_input[0].set_value("How many days of paid leave do employees get?").run()
        assert re.search(r">\s*hm\s*<", html(test)) and len(model.requests) == 1 and not test.exception
        test.selectbox(key="generator").select("extractive").run()
        test.chat_input[0].set_value("When does the office open?").run()
        assert len(model.requests) == 1 and "opens at eight" in html(test)
        assert page().selectbox(key="generator").value == "extractive"  # the last choice is kept


def test_a_saved_prompt_is_chosen(page, home):
    said = [ROLE, chunk("Employees, arr, get 25 days of paid leave per year [1]."), *END]
    with serving() as model:
        model.script = [said]
        with (home / "rag.toml").open("a") as settings:
            settings.write(f'[generator]\nname = "tiny"\nbase_url = "{model.address}"\n')
            settings.write('[prompts.pirate]\ntext = "Answer like a pirate."\n')
        test = page()
        test.selectbox(key="prompt").select("pirate").run()
        test.chat_input[0].set_value("How many days of paid leave do employees get?").run()
        assert "like a pirate" in model.requests[-1]["messages"][0]["content"] and not test.exception


def test_a_judgement_is_kept(page, home):
    test = page()
    test.chat_input[0].set_value("How many days of paid leave do employees get?").run()
    test.get("feedback")[0].set_value(1).run()
    opened = open_workspace(home)
    assert opened.feedback.of(opened.journal.receipts()[0].id).good


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


@pytest.fixture
def hostile(home):
    """The workspace with documents whose titles, tags, owner and names try to be more than text."""
    (home / "docs" / "rivers.md").write_text(HOSTILE)
    (home / "docs" / "evil\u202efdp.txt").write_text("A file whose name is turned around, and which has no heading.\n")
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("handbook")
    workspace.versions.promote(pipeline.build().version, "test")
    return workspace


def test_what_is_known_of_a_document_is_shown_as_text(page, hostile):
    rivers = next(hit for hit in hostile.retriever.search("river rose").hits if "rivers" in hit.uri)
    test = page("views/document.py", doc=rivers.doc_id)
    shown = html(test) + html(page("views/document.py", doc=rivers.doc_id, tab="about"))
    for text in (
        "&lt;b&gt;Rivers&lt;/b&gt; ![x](http",
        "topic:&lt;i&gt;rivers",
        "of &lt;u&gt;asha",
        "handbook/rivers.md",
    ):
        assert text in shown
    assert "instructs the reader" in test.warning[0].value and not test.exception and not test.get("header")
    turned = next(hit for hit in hostile.retriever.search("name is turned around").hits if "evil" in hit.uri)
    assert turned.title == "evilfdp"
    assert "\u202e" not in html(page("views/document.py", doc=turned.doc_id))


def test_a_citation_opens_what_its_source_no_longer_has_until_it_is_forgotten(page, home):
    workspace = open_workspace(home)
    cited = workspace.answerer.ask("How many days of paid leave do employees get?").citations[0]
    (home / "docs" / "leave.md").unlink()
    pipeline = Pipeline(workspace)
    pipeline.fetch("handbook", allow_mass_delete=True)
    pipeline.sync_source("handbook")
    workspace.versions.promote(pipeline.build().version, "test")
    assert workspace.retriever.live().document(cited.doc_id) is None
    place = {"doc": cited.doc_id, "start": str(cited.span[0]), "end": str(cited.span[1])}
    test = page("views/document.py", **place)
    assert f'<mark id="cited">{cited.quote}</mark>' in html(test)
    assert "has been removed" in test.warning[0].value
    assert b"Employees get 25 days" in workspace.store.blobs.get(cited.raw_sha256), "nor are the bytes lost"
    forget(workspace, recognise(workspace, cited.uri))
    assert "This document is not here" in html(page("views/document.py", **place))
    assert not workspace.store.blobs.path(cited.raw_sha256).exists()


@pytest.mark.parametrize("query", [{}, {"doc": "unknown"}])
def test_a_document_that_is_not_there(page, query):
    assert "This document is not here" in html(page("views/document.py", **query))


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ("views/chat.py", "Nothing to ask yet"),
        ("views/search.py", "Nothing is published yet"),
        ("views/document.py", "Nothing is published yet"),
    ],
)
def test_before_anything_is_published_every_view_says_what_to_do(page, tmp_path, view, said):
    test = page(view, folder=tmp_path / "empty")
    assert said in html(test) and "Collections" in html(test) and not test.exception


def test_an_error_of_ours_is_told_and_escaped(page, monkeypatch):
    monkeypatch.setattr(
        "rag_platform.retrieval.Retriever.live", lambda _: (_ for _ in ()).throw(StorageError("disk <full>"))
    )
    test = page()
    assert "disk &lt;full&gt;" in html(test) and not test.exception


def test_a_new_version_is_noticed_without_a_restart(page, home):
    test = page()
    assert "2 documents" in html(test)
    (home / "docs" / "third.md").write_text("# Parking\n\nThe car park behind the house has forty places.\n")
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("handbook")
    workspace.versions.promote(pipeline.build().version, "test")
    assert "3 documents" in html(test.run())
