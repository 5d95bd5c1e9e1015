"""What Dagster is shown: the assets in their order, the jobs, a schedule per source, the sensor."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest

import app
import assets
import evals
from assets.automation import alerts, changed_files, freshness, initialize_pools
from assets.checks import check_name
from assets.definitions import defs
from assets.names import Names
from rag_platform.config.sections.operations import DagsterSettings
from rag_platform.config.source_editing import pause_source
from rag_platform.index.releases.holds import Hold
from rag_platform.operations.alerts.alerting import alert
from rag_platform.operations.status.health import CHECKS
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.operations.receivers import hook

SOURCES = "source"
"""The set of partitions."""
RAG_TOML = """
[[sources]]
id = "hand-book"
kind = "folder"
path = "handbook"
schedule = "0 6 * * *"

[[sources]]
id = "notes"
kind = "folder"
path = "notes"
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "rag.toml").write_text(RAG_TOML)
    for name in ("handbook", "notes"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.md").write_text("# A title\n\nSome words about something.\n")
    monkeypatch.setenv("RAG_HOME", str(tmp_path))
    return tmp_path


def test_the_top_level_packages_are_ours() -> None:
    root = Path(__file__).parents[2]
    for package in (app, assets, evals):
        assert Path(package.__file__).is_relative_to(root)


def test_definitions_load_and_name_the_path(home: Path) -> None:
    definitions = defs()
    dg.Definitions.validate_loadable(definitions)
    graph = definitions.resolve_asset_graph()
    keys = [key.to_user_string() for key in graph.toposorted_asset_keys]
    assert keys == ["raw", "documents", "chunks", "embeddings", "index", "evaluation", "live_index"]
    partitioned = {key.to_user_string() for key in graph.get_all_asset_keys() if graph.get(key).is_partitioned}
    assert partitioned == {"raw", "documents", "chunks", "embeddings"}
    checks = {f"{key.asset_key.to_user_string()}:{key.name}" for key in graph.asset_check_keys}
    measures = {f"documents:{name}" for name in (*(CHECKS.keys() - {"freshness"}), "change")}
    measures |= {"raw:fresh", "evaluation:questions", "live_index:released"}
    of_sources = {f"{measure}_{source}" for measure in measures for source in ("hand_book", "notes")}
    assert checks == of_sources | {"raw:undamaged", "embeddings:complete", "index:sound", "evaluation:gate"}


def test_every_asset_says_its_group_kind_and_version_of_its_code(home: Path) -> None:
    for spec in defs().resolve_all_asset_specs():
        assert spec.group_name in ("corpus", "release")
        assert spec.kinds
        assert spec.description
        assert (spec.code_version is None) == (spec.key.to_user_string() in ("raw", "live_index"))


def test_no_job_takes_the_checks_of_all_sources(home: Path) -> None:
    definitions = defs()
    for name, own in {"source": 1, "sync": 3, "release": 2}.items():
        checks = {key.name for key in definitions.resolve_job_def(name).asset_layer.asset_graph.asset_check_keys}
        assert checks <= {"complete", "sound", "gate"} and len(checks) == own, name


def test_the_scrub_is_started_once_a_day(home: Path) -> None:
    definitions = defs()
    (schedule,) = (one for one in definitions.schedules if one.name == "scrub")
    resources = {"workspace": open_workspace(home)}
    with (
        dg.instance_for_test() as instance,
        dg.build_schedule_context(instance=instance, resources=resources) as context,
    ):
        assert len(schedule.evaluate_tick(context).run_requests) == 1
        result = definitions.resolve_job_def("scrub").execute_in_process(instance=instance)
        (check,) = result.get_asset_check_evaluations()
        assert result.success and check.passed
        assert "less than a day ago" in str(schedule.evaluate_tick(context).skip_message)


@pytest.mark.parametrize("executor", ["in-process", "multiprocess"])
def test_the_executor_is_the_one_of_the_settings(home: Path, executor: str) -> None:
    (home / "rag.toml").write_text(RAG_TOML + f'\n[dagster]\nexecutor = "{executor}"\n')
    assert defs().executor.name == executor.replace("-", "_")


def test_a_scheduled_source_has_a_schedule_that_adds_its_partition(home: Path) -> None:
    definitions = defs()
    schedule, _ = definitions.schedules
    assert (schedule.name, schedule.cron_schedule) == ("sync_hand_book", "0 6 * * *")
    with dg.instance_for_test() as instance:
        request = schedule.evaluate_tick(
            dg.build_schedule_context(instance=instance, repository_def=definitions.get_repository_def())
        ).run_requests[0]
        assert request.partition_key == "hand-book"
        assert instance.has_dynamic_partition(SOURCES, "hand-book")


def test_the_sensor_follows_rag_toml_and_sees_a_changed_file_once(home: Path) -> None:
    def tick(cursor: str | None) -> dg.SensorResult:
        context = dg.build_sensor_context(instance=instance, cursor=cursor, resources=resources)
        return changed_files(context)

    with dg.DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions(SOURCES, ["left-rag-toml"])
        resources = {"workspace": open_workspace(home)}
        first = tick(None)
        assert {request.partition_key for request in first.run_requests} == {"hand-book", "notes"}
        assert set(instance.get_dynamic_partitions(SOURCES)) == {"hand-book", "notes"}
        assert tick(first.cursor).run_requests == []
        (home / "notes" / "b.md").write_text("another")
        changed = tick(first.cursor)
        assert [request.partition_key for request in changed.run_requests] == ["notes"]
        assert tick(changed.cursor).run_requests == []


def test_the_sensor_reads_rag_toml_anew(home: Path) -> None:
    def tick() -> dg.SensorResult | dg.SkipReason:
        return changed_files(dg.build_sensor_context(instance=instance, cursor=None, resources=resources))

    with dg.DagsterInstance.ephemeral() as instance:
        resources = {"workspace": open_workspace(home)}
        (home / "rag.toml").write_text(RAG_TOML + '[[sources]]\nid = "later"\nkind = "folder"\npath = "notes"\n')
        assert {request.partition_key for request in tick().run_requests} == {"hand-book", "notes", "later"}
        assert instance.has_dynamic_partition(SOURCES, "later")
        (home / "rag.toml").write_text("[[sources]\n")
        skipped = tick()
        assert isinstance(skipped, dg.SkipReason)
        assert "not valid TOML" in skipped.skip_message


def test_the_sensor_survives_a_folder_that_is_not_there(home: Path) -> None:
    (home / "notes" / "a.md").unlink()
    (home / "notes").rmdir()
    with dg.DagsterInstance.ephemeral() as instance:
        context = dg.build_sensor_context(instance=instance, cursor=None, resources={"workspace": open_workspace(home)})
        assert [request.partition_key for request in changed_files(context).run_requests] == ["hand-book"]


def test_a_paused_source_is_started_by_no_schedule_and_no_sensor(home: Path) -> None:
    definitions = defs()  # as Dagster loaded them, before somebody paused it
    schedule, _ = definitions.schedules
    for name in ("hand-book", "notes"):
        pause_source(home, name)
    with dg.instance_for_test() as instance:
        repository = definitions.get_repository_def()
        tick = schedule.evaluate_tick(dg.build_schedule_context(instance=instance, repository_def=repository))
        assert tick.run_requests == [] and "paused" in tick.skip_message
        context = dg.build_sensor_context(instance=instance, resources={"workspace": open_workspace(home)})
        assert changed_files(context).run_requests == []


def test_each_source_is_fresh_or_late_for_itself(home: Path) -> None:
    def tick(cursor: str | None) -> dg.SensorResult:
        return freshness(dg.build_sensor_context(instance=instance, cursor=cursor, resources=resources))

    with dg.DagsterInstance.ephemeral() as instance:
        resources = {"workspace": open_workspace(home)}
        first = tick(None)
        assert {one.check_name: one.passed for one in first.asset_events} == {
            check_name("fresh", "hand-book"): False,
            check_name("fresh", "notes"): False,
            check_name("released", "hand-book"): True,
            check_name("released", "notes"): True,
        }
        assert tick(first.cursor).asset_events == []
        Pipeline(open_workspace(home)).fetch("notes")
        second = tick(first.cursor)
        assert [(one.check_name, one.passed) for one in second.asset_events] == [("fresh_notes", True)]
        assert tick(second.cursor).asset_events == []
        open_workspace(home).holds.hold(Hold("notes", "person", "the office moves", datetime.now(UTC), "a"))
        (held,) = tick(second.cursor).asset_events
        assert (held.check_name, held.passed, held.severity) == ("released_notes", False, dg.AssetCheckSeverity.ERROR)
        assert "the office moves" in held.description
        hour_ago = json.dumps(
            {name: one | {"at": "2020-01-01T00:00+00:00"} for name, one in json.loads(second.cursor).items()}
        )
        assert len(tick(hour_ago).asset_events) == 4


def test_the_sensor_tells_what_is_held_once(home: Path) -> None:
    with hook() as server:
        (home / "rag.toml").write_text(f'{RAG_TOML}\n[alerts]\nwebhooks = ["{server.url}"]\nabout = ["held"]\n')
        workspace = open_workspace(home)
        workspace.holds.hold(Hold("notes", "person", "the office moves", datetime.now(UTC), "a"))
        server.refusals = [500]
        for said in ("status 500", "nothing else", "nothing else"):
            skipped = alerts(dg.build_sensor_context(resources={"workspace": workspace}))
            assert said in skipped.skip_message
        assert len(server.headers) == 1 and server.taken == []  # it waits for its next turn
        assert alert(workspace, datetime.now(UTC) + timedelta(minutes=3)) == []
        assert [one["source"] for one in server.taken] == ["notes"]


def test_pools_are_limited_from_the_first_run_and_keep_the_limit_that_somebody_set() -> None:
    with dg.instance_for_test(overrides={"concurrency": {"pools": {"default_limit": 1}}}) as instance:
        instance.event_log_storage.set_concurrency_slots("embed", 3)
        for _ in range(2):
            initialize_pools(instance, Names(DagsterSettings()))
        limits = {pool.name: pool.limit for pool in instance.event_log_storage.get_pool_limits()}
        assert limits == {"fetch": 1, "embed": 3, "index": 1}
