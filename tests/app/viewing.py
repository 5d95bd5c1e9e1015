"""A view of the page over a workspace, without a browser."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from app import frame
from rag_platform.workspace import open_workspace

ROOT = Path(__file__).resolve().parents[2]


def view_of(monkeypatch, embedder, folder, view, **query):
    """Open a view at an address over the workspace in a folder."""
    workspace = open_workspace(folder)
    workspace.embedder = embedder  # loaded once for all tests
    monkeypatch.setattr(frame, "workspace", lambda: workspace)
    test = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
    test.query_params.update({name: str(value) for name, value in query.items()})
    if view != "views/chat.py":
        test.switch_page(view)
    return test.run()


def html_of(test):
    """Return all HTML of a view."""
    return "\n".join(element.proto.body for element in test.get("html"))
