"""What helps stands within every notice that something did not work."""

from typing import get_args

import pytest

from app import frame
from app.helping import Topic, help_html
from rag_platform.core.errors import NothingPublished, RagError, SignInExpired, TooManyRequests
from rag_platform.workspace import open_workspace
from tests.app.chat_view import ask, chat_view, html
from tests.app.tags import Tags
from tests.app.viewing import html_of, view_of

LEAVE = "How many days of paid leave do employees get?"


@pytest.mark.parametrize("topic", get_args(Topic))
def test_each_topic_says_what_one_can_do(topic):
    tags = Tags(help_html(topic))
    assert tags.found[0][0] == "details" and "What helps" in tags.text
    assert len(tags.of("li")) >= 2 and len(tags.text.split()) < 160
    assert {tag for tag, _ in tags.found} <= {"details", "summary", "p", "ul", "li", "b", "code"}


@pytest.mark.parametrize(
    ("error", "topic"),
    [
        (NothingPublished("none"), "unpublished"),
        (TooManyRequests("questions", 5, 7), "limits"),
        (SignInExpired("expired"), "signed-out"),
        (RagError("it broke"), "failed"),
    ],
)
def test_an_error_of_any_view_says_what_helps(monkeypatch, tiny_embedder, home, error, topic):
    def fail(*_):
        raise error

    monkeypatch.setattr(frame, "version_note", fail)
    shown = html_of(view_of(monkeypatch, tiny_embedder, home, "views/document.py", doc="none"))
    assert help_html(topic) in shown


def test_a_document_that_is_not_there_and_one_that_changed_say_it(monkeypatch, tiny_embedder, home):
    gone = html_of(view_of(monkeypatch, tiny_embedder, home, "views/document.py", doc="none"))
    assert help_html("permission") in gone
    doc = open_workspace(home).retriever.live().documents()["doc_id"][0]
    changed = html_of(view_of(monkeypatch, tiny_embedder, home, "views/document.py", doc=doc, rev="other"))
    assert help_html("moved") in changed


def test_a_model_that_is_down_says_it_beside_the_quotes(monkeypatch, embedder, home):
    with (home / "rag.toml").open("a") as settings:
        settings.write('[generator]\nname = "tiny"\nbase_url = "http://127.0.0.1:9/v1"\n')
    assert help_html("generator") in html(ask(chat_view(monkeypatch, embedder, home), LEAVE))
