"""The real job over a real workspace: one partition from its files to a published version."""

import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.events import EngineEventData
from dagster._core.remote_origin import GrpcServerCodeLocationOrigin, RemoteJobOrigin, RemoteRepositoryOrigin

from assets.automation import PARTITION, sources_of_runs, sync_partitions
from assets.checks import evaluations
from assets.dead_runs import fail_dead_runs
from assets.definitions import defs
from assets.names import Names
from rag_platform.workspace import open_workspace
from rag_platform.workspace.template import write_workspace

ROOT = Path(__file__).parents[2]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_folder: Path) -> Path:
    write_workspace(tmp_path)
    monkeypatch.setenv("RAG_HOME", str(tmp_path))
    return tmp_path


def _launch(home: Path) -> dg.ExecuteInProcessResult:
    with dg.DagsterInstance.ephemeral() as instance:
        sync_partitions(instance, Names.of(open_workspace(home).settings), ["handbook"])
        job = defs().resolve_job_def("sync")
        return job.execute_in_process(instance=instance, partition_key="handbook", raise_on_error=False)


def test_the_job_brings_one_partition_to_publication(home: Path) -> None:
    result = _launch(home)
    assert result.success
    made = {event.asset_key.to_user_string() for event in result.get_asset_materialization_events()}
    assert made == {"raw", "documents", "chunks", "embeddings", "index", "evaluation", "live_index"}
    for event in result.get_asset_materialization_events():
        assert event.materialization.metadata["seconds"].value >= 0
    assert all(check.passed for check in result.get_asset_check_evaluations())
    hits = open_workspace(home).retriever.search("How do I add a source?").hits
    assert hits[0].run_id == result.run_id


def test_a_source_that_loses_its_questions_is_held_and_live_stays(home: Path) -> None:
    assert _launch(home).success
    live = open_workspace(home).versions.live_id()
    (home / "questions").mkdir()
    (home / "questions" / "own.jsonl").write_text(
        '{"id": "q1", "question": "What must a source have?", "answerable": true,'
        ' "relevant": [{"uri": "welcome.md", "quote": "write a `[[sources]]` table in `rag.toml`"}]}\n'
    )
    (home / "handbook" / "welcome.md").write_text("# Gone\n\nNothing of use is left in this file, only filler words.\n")
    assert _launch(home).success
    workspace = open_workspace(home)
    assert workspace.versions.live_id() == live and "handbook" in workspace.holds.active()
    (released,) = evaluations(workspace, "live_index", ["handbook"])
    assert not released.passed and "`handbook` is held" in released.description
    assert "rag source release handbook" in released.metadata["report"].value


@pytest.mark.slow
def test_dg_launches_the_job_from_the_checkout(home: Path) -> None:
    with dg.DagsterInstance.from_config(str(home)) as instance:
        sync_partitions(instance, Names.of(open_workspace(home).settings), ["handbook"])
    command = [Path(sys.executable).with_name("dg"), "launch", "--job", "sync", "--partition", "handbook"]
    done = subprocess.run(
        command, cwd=ROOT, env=_environment(home), capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _environment(home: Path) -> dict[str, str]:
    import os

    return {**os.environ, "RAG_HOME": str(home), "DAGSTER_HOME": str(home)}


def test_after_a_rollback_the_job_publishes_nothing_by_itself(home: Path) -> None:
    assert _launch(home).success
    versions = open_workspace(home).versions
    first = versions.live_id()
    (home / "handbook" / "more.md").write_text("# More\n\nA second document of a few words.\n")
    assert _launch(home).success
    assert versions.live_id() != first
    versions.rollback(why="the second document is wrong")
    (home / "handbook" / "third.md").write_text("# Third\n\nA third document of a few words.\n")
    result = _launch(home)
    assert result.success
    assert versions.live_id() == first
    metadata = {
        event.asset_key.to_user_string(): event.materialization.metadata
        for event in result.get_asset_materialization_events()
    }["live_index"]
    assert metadata["held"].value["why"] == "the second document is wrong"


def test_the_jobs_of_the_ui_promote_and_go_back(home: Path) -> None:
    assert _launch(home).success
    versions = open_workspace(home).versions
    first = versions.live_id()
    (home / "handbook" / "more.md").write_text("# More\n\nA second document of a few words.\n")
    assert _launch(home).success
    second = versions.live_id()
    for job, op, why in (
        ("roll_back", "roll_back_version", "a wrong price"),
        ("promote", "promote_version", "it was right"),
    ):
        config = {"ops": {op: {"config": {"why": why}}}}
        assert defs().resolve_job_def(job).execute_in_process(run_config=config).success
        assert versions.live_id() == (first if op == "roll_back_version" else second)
        assert versions.moves()[-1]["why"] == why
        assert versions.moves()[-1]["run_id"]


def test_a_run_whose_process_was_killed_is_noted_as_failed(home: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    with dg.DagsterInstance.ephemeral() as instance:
        run = instance.create_run_for_job(defs().resolve_job_def("release"), status=dg.DagsterRunStatus.STARTED)
        instance.report_engine_event("Started process", run, EngineEventData.in_process(ended.pid))
        assert fail_dead_runs(instance, None) == [run.run_id]
        assert instance.get_run_by_id(run.run_id).status == dg.DagsterRunStatus.FAILURE


def test_a_run_that_a_launcher_started_elsewhere_is_left_to_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        monkeypatch.setattr(type(instance.run_launcher), "supports_check_run_worker_health", True)
        run = instance.create_run_for_job(defs().resolve_job_def("release"), status=dg.DagsterRunStatus.STARTED)
        instance.report_engine_event("Started process", run, EngineEventData.in_process(1 << 30))  # of another machine
        assert fail_dead_runs(instance, None) == []


def test_a_run_of_another_code_location_is_left_to_it(home: Path) -> None:
    location = GrpcServerCodeLocationOrigin(host="10.0.0.7", port=4001, location_name="desk")
    origin = RemoteJobOrigin(RemoteRepositoryOrigin(location, "__repository__"), "release")
    job, started = defs().resolve_job_def("release"), dg.DagsterRunStatus.STARTED
    with dg.DagsterInstance.ephemeral() as instance:
        run = instance.create_run_for_job(job, status=started, remote_job_origin=origin, tags={PARTITION: "handbook"})
        instance.report_engine_event("Started process", run, EngineEventData.in_process(1 << 30))  # of another machine
        assert fail_dead_runs(instance, "news") == [] and sources_of_runs(instance, "news") == set()
        assert sources_of_runs(instance, "desk") == {"handbook"}
        assert fail_dead_runs(instance, "desk") == [run.run_id]


def test_a_run_that_goes_on_is_left_alone(home: Path) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        run = instance.create_run_for_job(defs().resolve_job_def("release"), status=dg.DagsterRunStatus.STARTED)
        instance.report_engine_event("Started process", run, EngineEventData.in_process(os.getpid()))
        assert fail_dead_runs(instance, None) == []
        assert sources_of_runs(instance, None) == set()
