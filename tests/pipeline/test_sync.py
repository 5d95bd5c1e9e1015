"""Sync as a plain function: what it reports, what it publishes, and that it needs no Dagster."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_platform.config.source_editing import pause_source
from rag_platform.core.errors import ModelError, SettingsError
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.sync import SyncReport, sync
from rag_platform.workspace import Workspace, open_workspace
from tests.pipeline.fixed_gate import FixedGate

SOURCES = ("notes", "rules")
SENTENCES = (
    "The ferry runs from six in the morning until dusk.",
    "A gauge is calibrated every spring by two wardens.",
    "The boathouse closes at nine and keys go back to the warden.",
)


def open_small(home: Path, embedder: OnnxEmbedder) -> Workspace:
    tables = [f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\nmin_words = 1' for name in SOURCES]
    (home / "rag.toml").write_text("\n\n".join([*tables, "[chunks]\nsize = 16\noverlap = 0"]))
    for name in SOURCES:
        (home / name).mkdir(exist_ok=True)
    workspace = open_workspace(home)
    workspace.embedder = embedder
    return workspace


@pytest.fixture
def workspace(tmp_path: Path, tiny_embedder: OnnxEmbedder) -> Workspace:
    opened = open_small(tmp_path, tiny_embedder)
    (tmp_path / "notes" / "a.md").write_text("# Ferry\n\n" + SENTENCES[0])
    (tmp_path / "rules" / "b.md").write_text("# Gauge\n\n" + SENTENCES[1])
    return opened


def run(workspace: Workspace, *sources: str, passes: bool = True, **options: bool) -> SyncReport:
    return sync(workspace, sources, gate=FixedGate(workspace, passes), **options)


def test_where_no_source_came_through_its_stages_the_errors_say_so(workspace: Workspace, monkeypatch) -> None:
    def broken(*_: object) -> None:
        raise ModelError("the model's file is damaged")

    monkeypatch.setattr("rag_platform.pipeline.stage_reports.chunk", broken)
    *failed, last = run(workspace).errors
    assert failed == [f"{name}: the model's file is damaged" for name in SOURCES]
    assert last.startswith("there is nothing to build from")


def test_a_sync_publishes_what_passed_and_says_so(workspace: Workspace) -> None:
    report = run(workspace)
    assert (report.exit_code, report.errors, report.published, report.moved) == (0, (), True, True)
    assert workspace.versions.live_id() == report.version
    assert report.to_dict()["sources"]["notes"] | {"failed": []} == {
        "seen": 1, "new": 1, "changed": 0, "unchanged": 0, "gone": 0, "failed": []
    }  # fmt: skip
    again = run(workspace)
    assert (again.version, again.published, again.moved, again.exit_code) == (report.version, True, False, 0)
    assert {entry.run_id for entry in workspace.costs.entries()} == {report.run_id, again.run_id}


def test_a_refused_version_stays_a_candidate(workspace: Workspace) -> None:
    report = run(workspace, passes=False)
    assert (report.exit_code, report.published, report.gate["reasons"]) == (3, False, ["as given"])
    assert workspace.versions.live_id() is None and workspace.versions.candidate_id() == report.version


def test_what_is_not_to_be_published_is_judged_all_the_same(workspace: Workspace) -> None:
    report = run(workspace, publish=False)
    assert report.gate["passed"] and not report.published and report.exit_code == 0


def test_a_source_that_fails_leaves_the_others(workspace: Workspace) -> None:
    (workspace.settings.home / "rules" / "b.md").unlink()
    (workspace.settings.home / "rules").rmdir()
    report = run(workspace)
    assert report.exit_code == 1 and report.published
    (failure,) = report.to_dict()["sources"]["rules"]["failed"]
    assert failure["uri"] == "rules" and failure["reason"] in report.errors[0]


def test_a_sync_without_names_leaves_out_what_is_paused(workspace: Workspace) -> None:
    pause_source(workspace.settings.home, "notes")
    paused = open_workspace(workspace.settings.home)
    paused.embedder = workspace.embedder
    assert set(run(paused, publish=False).sources) == {"rules"}
    assert set(run(paused, "notes", publish=False).sources) == {"notes"}


def test_a_source_that_is_not_there_is_an_error_before_anything_is_read(workspace: Workspace) -> None:
    with pytest.raises(SettingsError, match="nothing"):
        run(workspace, "notes", "nothing")
    assert not workspace.store.sources("raw")


def test_without_fetching_what_is_there_is_built(workspace: Workspace) -> None:
    assert run(workspace, fetch=False).errors  # nothing was ever read
    run(workspace, "notes", publish=False)
    report = run(workspace, fetch=False)
    assert (report.sources, report.published) == ({}, True)


def test_a_sync_needs_no_dagster() -> None:
    code = "import sys, rag_platform.pipeline.sync, rag_platform.cli.corpus.syncing; print('dagster' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


_documents = st.dictionaries(
    st.tuples(st.sampled_from(SOURCES), st.sampled_from(("a.md", "b.md", "c.md"))),
    st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5).map("\n\n".join),
    min_size=1,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(corpora=st.lists(st.tuples(_documents, st.sampled_from([(), ("notes",)])), min_size=1, max_size=3))
def test_the_ledger_accounts_for_every_chunk(tmp_path_factory, tiny_embedder: OnnxEmbedder, corpora: list) -> None:
    workspace = open_small(tmp_path_factory.mktemp("ledger"), tiny_embedder)
    for documents, chosen in corpora:
        for source in SOURCES:
            for path in (workspace.settings.home / source).iterdir():
                path.unlink()
        for (source, name), text in documents.items():
            (workspace.settings.home / source / name).write_text(text)
        report = run(workspace, *chosen, allow_mass_delete=True)
        chunks = report.chunks
        assert chunks["total"] == chunks["embedded"] + chunks["reused"]
        assert min(chunks.values()) >= 0
        if report.candidate:
            assert chunks["total"] == workspace.versions.open(report.version).catalog.chunks("key").height
