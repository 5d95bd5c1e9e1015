"""The view Ask over a workspace, without a browser: open it as somebody, ask, press."""

from streamlit.testing.v1 import AppTest

from app import frame
from rag_platform.workspace import open_workspace
from tests.app.browsing import ROOT


def chat_view(monkeypatch, embedder, folder, who=None, **query):
    """Open the view over the workspace in a folder, as somebody, at an address."""
    workspace = open_workspace(folder)
    workspace.embedder = embedder
    monkeypatch.setattr(frame, "workspace", lambda: workspace)
    if who is not None:
        monkeypatch.setattr(frame, "person", lambda: who)
    test = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    test.query_params.update(query)
    return test.run()


def html(test):
    """Return all HTML of a view."""
    return "\n".join(element.proto.body for element in test.get("html"))


def ask(test, question):
    """Ask a question."""
    return test.chat_input[0].set_value(question).run()


def pressed(test, label):
    """Press the button of that label."""
    return next(button for button in test.button if button.label == label).click().run()


def labels(test):
    """Return the labels of all buttons."""
    return [button.label for button in test.button]
