"""How sources fare, who may know it, what goes with one, and when it is next."""

import os
import threading
from datetime import UTC, datetime

import pytest

from rag_platform.core.errors import WorkspaceBusy
from rag_platform.monitoring.progress import ProgressNotes
from rag_platform.operations import background_jobs
from rag_platform.operations.background_jobs import start_sync
from rag_platform.operations.processes import is_alive
from rag_platform.operations.removal import plan_source
from rag_platform.operations.runs import follow
from rag_platform.operations.status.health import check
from rag_platform.operations.status.source_status import failures_of, next_run, source_states
from rag_platform.raw.scrape import scrape
from rag_platform.workspace import open_workspace

SETTINGS = """
[[sources]]
id = "open"
kind = "folder"
path = "open"
schedule = "0 6 * * *"

[[sources]]
id = "closed"
kind = "folder"
path = "closed"
principals = ["group:desk"]
paused = true
schedule = "0 6 * * *"
fresh_within_hours = 1
"""
NOW = datetime(2026, 3, 2, 5, 0, tzinfo=UTC)


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "rag.toml").write_text(SETTINGS)
    for name in ("open", "closed"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.md").write_text("# A\n\nSome words of a document.\n")
    opened = open_workspace(tmp_path)
    for name in ("open", "closed"):
        (tmp_path / name / "gone.md").symlink_to("/nowhere")
        source, raw = opened.source(name), opened.store.table("raw", name)
        result = scrape(source, raw.frame, opened.store.blobs, source_id=name, now=NOW, run_id="r", max_deleted_share=1)
        raw.replace(result.table)
    return opened


def test_only_sources_that_one_may_read_are_told(workspace):
    assert [one.source.id for one in source_states(workspace, (), NOW)] == ["open"]
    mine = source_states(workspace, ("group:desk",), NOW)
    assert [one.source.id for one in mine] == ["open", "closed"]
    assert mine[0].read_at == NOW
    assert mine[0].next_at == datetime(2026, 3, 2, 6, 0, tzinfo=UTC)


def test_a_paused_source_has_no_next_time_and_is_never_late(workspace):
    closed = source_states(workspace, ("group:desk",), datetime(2026, 5, 1, tzinfo=UTC))[1]
    assert (closed.next_at, closed.late) == (None, None)
    late = source_states(workspace, (), datetime(2026, 5, 1, tzinfo=UTC))[0]
    assert late.late
    freshness = [one for one in check(workspace, "closed") if one.name == "freshness"]
    assert freshness[0].passed and "paused" in freshness[0].said


def test_failures_are_told_to_readers_only(workspace):
    raw = workspace.store.table("raw", "closed")
    import polars as pl

    raw.replace(raw.frame.with_columns(status=pl.lit("failed"), reason=pl.lit("broken")))
    assert failures_of(workspace, "closed", ()) == []
    assert failures_of(workspace, "closed", ("group:desk",)) == [("closed/a.md", "broken")]


def test_a_schedule_that_never_comes_is_none():
    assert next_run("0 0 30 2 *", NOW) is None
    assert next_run(None, NOW) is None


def test_without_a_version_nothing_goes(workspace):
    planned = plan_source(workspace, "open")
    assert (planned.documents, planned.chunks, planned.answers, planned.last) == (0, 0, 0, False)


def test_a_source_that_is_being_synced_is_not_started_again(workspace):
    with ProgressNotes(workspace.settings.data / "progress").running("fetch", "open"):
        now = follow(workspace, "open")
        assert now.running and now.stages[0].stage == "fetch"
        assert not follow(workspace, "closed").running
        with pytest.raises(WorkspaceBusy, match="is syncing open already"):
            start_sync(workspace, ["open"])


def test_sources_that_are_asked_for_during_a_sync_are_read_by_one_after_it(workspace, monkeypatch):
    ended, started = threading.Event(), []

    class Process:
        def __init__(self, command, **_):
            started.append([*command[5:-1]])
            self.pid = os.getpid()

        def wait(self):
            ended.wait(60)

    monkeypatch.setattr(background_jobs.subprocess, "Popen", Process)
    monkeypatch.setattr(background_jobs, "is_running", lambda process: not ended.is_set() or len(started) > 1)
    start_sync(workspace, ["open"])
    with pytest.raises(WorkspaceBusy, match="is running already"):
        start_sync(workspace, ["open"])
    start_sync(workspace, ["closed"])
    start_sync(workspace, ["closed"])
    assert follow(workspace, "open").running and not follow(workspace, "open").waits
    assert follow(workspace, "closed").running and follow(workspace, "closed").waits
    waiting = [thread for thread in threading.enumerate() if thread.name == "sync"]
    ended.set()
    for thread in waiting:
        thread.join(60)
    assert started == [["sync", "open"], ["sync", "closed"]]
    assert not follow(workspace, "closed").waits


def test_a_source_is_told_of_no_step_of_another_sources_sync(workspace):
    notes = ProgressNotes(workspace.settings.data / "progress")
    with notes.running("sync", of=["open"]), notes.running("index"):
        assert follow(workspace, "open").stages[0].stage == "index"
        assert not follow(workspace, "closed").running
    with notes.running("index"):  # of a run in Dagster, or of `rag index build`
        assert not follow(workspace, "open").running


def test_a_process_is_known_by_its_number_and_its_age():
    import os
    import time

    assert is_alive(os.getpid(), time.time())
    assert not is_alive(os.getpid(), 1.0)  # another process had that number then
    assert not is_alive(2**22 - 3, time.time())
