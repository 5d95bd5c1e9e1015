"""People hold a source, and let what is held pass: that state alone."""

import pytest

from rag_platform.core.errors import SettingsError
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.source_decisions import hold_source, release_source
from rag_platform.workspace import Workspace
from tests.held_source import hold, opened, publish


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: OnnxEmbedder) -> Workspace:
    return opened(publish(tmp_path_factory.mktemp("decided"), tiny_embedder), tiny_embedder)


def test_who_holds_a_source_releases_it_and_nothing_passes_for_that(workspace: Workspace) -> None:
    held = hold_source(workspace, "desk", who="anna", why="it is being moved")
    assert (held.cause, held.who, bool(held.state)) == ("person", "anna", True)
    assert release_source(workspace, "desk", who="ben", why="it has moved") == held
    assert not workspace.holds.active() and not workspace.holds.permitted("desk", held.state)


def test_what_the_brake_held_passes_as_it_was_seen(workspace: Workspace) -> None:
    hold(workspace, "desk", state="seen")
    release_source(workspace, "desk", who="anna", why="it is meant so")
    assert workspace.holds.permitted("desk", "seen") and not workspace.holds.permitted("desk", "another")


def test_what_is_not_there_or_not_held_is_refused(workspace: Workspace) -> None:
    with pytest.raises(SettingsError, match="is not held"):
        release_source(workspace, "salaries", who="anna", why="")
    with pytest.raises(SettingsError, match="nothing"):
        hold_source(workspace, "nothing", who="anna", why="")
