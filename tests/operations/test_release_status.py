"""What is live and what is kept out of it: one truth, in words, for each who asks."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.index.releases.holds import Hold
from rag_platform.operations.status.release_status import ReleaseStatus, release_status
from rag_platform.workspace import Workspace, open_workspace
from tests.copies import copy_of
from tests.held_source import MONDAY, SETTINGS, hold, opened, publish, refuse


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: OnnxEmbedder) -> Path:
    """A workspace with a live version of both sources."""
    return publish(tmp_path_factory.mktemp("status"), tiny_embedder)


@pytest.fixture
def workspace(published: Path, tmp_path: Path, tiny_embedder: OnnxEmbedder) -> Workspace:
    return opened(copy_of(published, tmp_path / "home"), tiny_embedder)


def kinds(status: ReleaseStatus) -> list[str]:
    return [one.kind for one in status.notices]


def test_where_all_is_live_nothing_else_is_said(workspace: Workspace) -> None:
    status = release_status(workspace)
    assert status.said == f"{status.live} is live. Nothing is kept out of it."
    assert (status.notices, status.candidate) == ((), status.live)


def test_before_the_first_publication_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "rag.toml").write_text(SETTINGS)
    assert release_status(open_workspace(tmp_path)).said == "Nothing is published yet."


def test_a_held_source_is_named_with_its_reason_its_example_and_what_to_do(workspace: Workspace) -> None:
    hold(workspace, "desk")
    (notice,) = release_status(workspace).notices
    assert notice.said == (
        "Source `desk` is held at its live state since 2026-11-02 09:30: 1 of 1 documents of `desk` is an error page."
    )
    assert (notice.key, notice.cause, notice.since) == ("held:desk", "change", MONDAY)
    assert [(one.before, one.after) for one in notice.examples] == [("The ferry runs at six.", "Service unavailable")]
    commands = [one.command for one in notice.actions]
    assert commands == ["rag source changes desk", "rag source hold desk", "rag source release desk"]
    json.dumps(release_status(workspace).to_dict())


def test_what_the_questions_held_has_their_reasons_and_the_report_of_the_refused_version(workspace: Workspace) -> None:
    lost = "3 of its 9 questions lost their answer."
    about = {"reasons": [lost, "The first: when does the ferry run?"], "lost": ["ferry"]}
    held = Hold("desk", "evaluation", lost, MONDAY, "s", version=workspace.versions.live_id(), about=about)
    workspace.holds.hold(held)
    (notice,) = release_status(workspace).notices
    assert notice.said.endswith(lost) and notice.details == ("The first: when does the ferry run?",)
    assert notice.actions[0].command == f"rag index report {held.version}"


def test_a_source_that_no_version_has_is_kept_out(workspace: Workspace) -> None:
    settings = workspace.settings.home / "rag.toml"
    settings.write_text(SETTINGS + '\n[[sources]]\nid = "new"\nkind = "folder"\npath = "desk"\n')
    later = open_workspace(workspace.settings.home)
    later.holds.hold(Hold("new", "person", "it is not ready", MONDAY, "s", who="anna"))
    (notice,) = release_status(later).notices
    assert notice.said == "Source `new` is kept out of the index since 2026-11-02 09:30 by anna: it is not ready."
    assert [one.name for one in notice.actions] == ["see", "publish"]


def test_a_refusal_is_told_in_the_words_of_the_verdict(workspace: Workspace) -> None:
    lost = "26 of your 89 questions lost their answer, 24 of them to documents of `desk`."
    sources = {"desk": {"passed": False}, "salaries": {"passed": True}}
    version = refuse(workspace, reasons=[lost, "nDCG@10 fell by 0.3."], sources=sources)
    (notice,) = release_status(workspace).notices
    assert (notice.kind, notice.said, notice.details) == (
        "refused",
        f"Not published: {lost}",
        ("nDCG@10 fell by 0.3.",),
    )
    assert [one.command for one in notice.actions] == [
        f"rag index report {version}", "rag source hold desk", f"rag index promote {version} --force"
    ]  # fmt: skip
    workspace.versions.promote(version, "we must", who="anna")
    (notice,) = release_status(workspace).notices
    assert (notice.kind, notice.version) == ("overridden", version)
    assert notice.said == f"{version} is live although the gate refused it: anna published it nevertheless (we must)."


def test_a_rollback_and_what_waits_since_are_told(workspace: Workspace) -> None:
    first, version = workspace.versions.live_id(), refuse(workspace)
    workspace.versions.promote(version, "nevertheless")
    workspace.versions.rollback(why="it was wrong", who="anna")
    status = release_status(workspace)
    assert kinds(status) == ["rollback", "refused"], "what is live now passed"
    assert f"anna rolled back to {first} (it was wrong)" in status.said


def test_a_late_source_is_told(workspace: Workspace) -> None:
    text = SETTINGS.replace('path = "desk"', 'path = "desk"\nschedule = "0 6 * * *"')
    (workspace.settings.home / "rag.toml").write_text(text)
    status = release_status(open_workspace(workspace.settings.home), now=datetime(2100, 1, 1, tzinfo=UTC))
    assert [(one.key, one.said.split(":")[0]) for one in status.notices] == [("late:desk", "Source `desk` is late")]


def test_what_one_may_not_read_is_never_told(workspace: Workspace) -> None:
    refuse(workspace, reasons=["3 questions lost their answer to `salaries`: what does anna earn?"])
    hold(workspace, "salaries")
    hold(workspace, "desk", why="its documents took the place of those of `salaries`")
    told = release_status(workspace, ("user:carl",))
    assert "salaries" not in json.dumps(told.to_dict()) and "anna" not in told.said
    assert kinds(told) == ["refused", "held"] and [one.source for one in told.held()] == ["desk"]
    assert told.held()[0].said.endswith("whoever runs the workspace can see why.") and told.held()[0].examples
    board = release_status(workspace, ("group:board",))
    assert [one.source for one in board.held()] == ["desk", "salaries"] and "anna" in board.said


def test_examples_of_closed_documents_are_kept_from_those_who_read_the_rest(workspace: Workspace) -> None:
    hold(workspace, "desk")
    assert release_status(workspace, ()).held()[0].examples
    (doc_id,) = workspace.store.read("documents", "desk")["doc_id"]
    workspace.access.rules.quarantine({doc_id: "desk"}, who="anna", why="to be seen first")
    assert not release_status(workspace, ()).held()[0].examples
    assert release_status(workspace).held()[0].examples
