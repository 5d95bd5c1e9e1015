"""What a source changed into, on the terminal."""

import json

from typer.testing import CliRunner

from rag_platform.cli import app
from rag_platform.workspace import Workspace
from tests.pipeline.test_screening import published, read, workspace, write  # noqa: F401


def rag(opened: Workspace, *words: str) -> str:
    done = CliRunner().invoke(app, ["--home", str(opened.settings.home), "source", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_changes_are_shown_side_by_side_and_statistics_over_time(
    workspace: Workspace,  # noqa: F811 (a fixture)
) -> None:
    assert "Nothing stops it." in rag(workspace, "changes", "desk")
    write(workspace.settings.home, "'Service unavailable'")
    read(workspace)
    shown = rag(workspace, "changes", "desk")
    assert "errors: 12 of 12 documents are error" in " ".join(shown.split()) and "Service unavailable" in shown
    assert json.loads(rag(workspace, "changes", "desk", "--json"))["passed"] is False
    runs = json.loads(rag(workspace, "statistics", "desk", "--json"))
    assert [run["statistics"]["documents"] for run in runs] == [1, 12] and runs[0]["shares"]["errors"] == 1.0
    assert "changed" in rag(workspace, "statistics", "desk")
