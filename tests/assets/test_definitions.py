"""What Dagster is shown: the assets in their order, the jobs, a schedule per source, the sensor."""

from pathlib import Path

import dagster as dg
import pytest

import app
import assets
import evals
from assets.automation import changed_files
from assets.corpus import SOURCES
from assets.definitions import defs
from assets.sync import dagster_instance
from rag_platform.config.source_editing import pause_source
from rag_platform.operations.health import CHECKS
from rag_platform.workspace import open_workspace

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
    looks = {f"documents:{name}" for name in CHECKS}
    assert checks == looks | {"documents:readable", "embeddings:complete", "index:sound", "evaluation:gate"}


def test_every_asset_says_its_group_kind_and_freshness(home: Path) -> None:
    for spec in defs().resolve_all_asset_specs():
        assert spec.group_name in ("corpus", "release")
        assert spec.kinds
        assert spec.freshness_policy is not None
        assert spec.description


def test_a_scheduled_source_has_a_schedule_that_adds_its_partition(home: Path) -> None:
    definitions = defs()
    (schedule,) = definitions.schedules
    assert (schedule.name, schedule.cron_schedule) == ("sync_hand_book", "0 6 * * *")
    with dagster_instance(open_workspace(home)) as instance:
        request = schedule.evaluate_tick(
            dg.build_schedule_context(instance=instance, repository_def=definitions.get_repository_def())
        ).run_requests[0]
        assert request.partition_key == "hand-book"
        assert instance.has_dynamic_partition(SOURCES.name, "hand-book")


def test_the_sensor_follows_rag_toml_and_sees_a_changed_file_once(home: Path) -> None:
    def tick(cursor: str | None) -> dg.SensorResult:
        context = dg.build_sensor_context(instance=instance, cursor=cursor, resources=resources)
        return changed_files(context)

    with dg.DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions(SOURCES.name, ["left-rag-toml"])
        resources = {"workspace": open_workspace(home)}
        first = tick(None)
        assert {request.partition_key for request in first.run_requests} == {"hand-book", "notes"}
        assert set(instance.get_dynamic_partitions(SOURCES.name)) == {"hand-book", "notes"}
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
        assert instance.has_dynamic_partition(SOURCES.name, "later")
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
    (schedule,) = definitions.schedules
    for name in ("hand-book", "notes"):
        pause_source(home, name)
    with dagster_instance(open_workspace(home)) as instance:
        repository = definitions.get_repository_def()
        tick = schedule.evaluate_tick(dg.build_schedule_context(instance=instance, repository_def=repository))
        assert tick.run_requests == [] and "paused" in tick.skip_message
        context = dg.build_sensor_context(instance=instance, resources={"workspace": open_workspace(home)})
        assert changed_files(context).run_requests == []
