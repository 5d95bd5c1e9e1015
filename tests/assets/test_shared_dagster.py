"""Two workspaces in one real Dagster, as examples/deploy/workspace.yaml has them: neither touches the other's."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
import yaml

from assets.automation import PARTITION
from rag_platform.operations.dagster_client import Orchestrator
from rag_platform.workspace import Workspace, open_workspace
from rag_platform.workspace.template import write_workspace
from tests.dagster_server import ROOT, Dagster
from tests.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

NAMES = ("news", "desk")
PATIENCE = 600.0
TEXT = "# The lock\n\nThe {name} keeps the key of the lock, and nobody else on the river ever had one.\n"


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> dict[str, Path]:
    """Two workspaces whose sources have the same names."""
    found = {name: tmp_path_factory.mktemp(name) for name in NAMES}
    for name, home in found.items():
        write_workspace(home)
        (home / "handbook" / "lock.md").write_text(TEXT.format(name=name))
        (home / "rag.toml").write_text((home / "rag.toml").read_text() + f'\n[dagster]\nprefix = "{name}"\n')
    return found


@pytest.fixture(scope="module")
def dagster(homes: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dagster]:
    folder = tmp_path_factory.mktemp("dagster")
    write_workspace(folder)
    (folder / "rag.toml").unlink()
    deployed = (ROOT / "examples/deploy/workspace.yaml").read_text(encoding="utf-8")
    for name, home in homes.items():
        deployed = deployed.replace(f"/srv/{name}", str(home))
    (folder / "workspace.yaml").write_text(deployed)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("RAG_HOME", raising=False)
        patch.setenv("DAGSTER_HOME", str(folder))
        running = Dagster(folder)
        yield running
        running.kill()


@pytest.fixture(scope="module")
def synced(homes: dict[str, Path], dagster: Dagster) -> dict[str, str]:
    """The versions that were published when the sensors had noticed the files."""
    dagster.wait()
    return {
        name: str(wait_until(lambda home=home: live(home), PATIENCE, f"{home}", every=0.5))
        for name, home in homes.items()
    }


def live(home: Path) -> str | None:
    return open_workspace(home).versions.live_id()


def of(home: Path, dagster: Dagster) -> Orchestrator:
    return Orchestrator(dagster.url, home, open_workspace(home).settings.dagster.named("source"))


def found_texts(workspace: Workspace) -> str:
    return " ".join(hit.text for hit in workspace.retriever.search("Who keeps the key of the lock?").hits)


def test_each_publishes_its_own_documents_under_its_own_assets(homes, synced) -> None:
    with dg.DagsterInstance.get() as instance:
        for name, other in zip(NAMES, reversed(NAMES), strict=True):
            assert set(instance.get_dynamic_partitions(f"{name}_source")) == {"handbook", "uploads"}
            record = instance.get_latest_materialization_event(dg.AssetKey([name, "live_index"]))
            assert record.asset_materialization.metadata["version"].value == synced[name]
            texts = found_texts(open_workspace(homes[name]))
            assert f"The {name} keeps" in texts and f"The {other} keeps" not in texts
        assert instance.get_dynamic_partitions("source") == []
        pools = instance.event_log_storage.get_concurrency_keys()
        assert {"news_index", "desk_index"} <= set(pools) and "index" not in pools


def test_a_run_of_one_is_no_run_of_the_other(homes, dagster, synced) -> None:
    news, desk = (of(homes[name], dagster) for name in NAMES)
    before = {run.id for run in desk.latest("handbook", most=50)}
    (homes["news"] / "handbook" / "mill.md").write_text("# The mill\n\nThe mill grinds on Mondays and no other day.\n")
    run = news.launch("handbook")
    wait_until(lambda: not news.run(run).under_way, PATIENCE, "the run goes on", every=0.5)
    assert run in {one.id for one in news.latest("handbook", most=50)}
    assert before and {one.id for one in desk.latest("handbook", most=50)} == before
    assert live(homes["news"]) != synced["news"] and live(homes["desk"]) == synced["desk"]
    with dg.DagsterInstance.get() as instance:
        (one,) = instance.get_runs(dg.RunsFilter(run_ids=[run]))
        assert one.tags[PARTITION] == "handbook" and {"news_fetch", "news_index"} <= set(
            one.run_op_concurrency.all_pools
        )


def test_a_source_that_one_removes_stays_with_the_other(homes, synced) -> None:
    settings = homes["desk"] / "rag.toml"
    settings.write_text(settings.read_text().replace('[[sources]]\nid = "uploads"', "[[sources]]\nid = 'forms'"))
    with dg.DagsterInstance.get() as instance:
        partitions = lambda name: set(instance.get_dynamic_partitions(f"{name}_source"))  # noqa: E731
        wait_until(lambda: partitions("desk") == {"handbook", "forms"}, else_="the sensor does not look", every=0.5)
        assert partitions("news") == {"handbook", "uploads"}


@pytest.mark.flaky(reruns=1)  # a tick that was under way when its sensor was stopped may yet begin a run
def test_a_sensor_that_one_stops_goes_on_for_the_other(homes, dagster, synced) -> None:
    dagster.stop_sensor("changed_files", "news")
    news = of(homes["news"], dagster)
    wait_until(lambda: not news.latest(under_way=True), PATIENCE, "what it began goes on", every=0.5)
    before = live(homes["news"])
    for home in homes.values():
        (home / "handbook" / "weir.md").write_text("# The weir\n\nThe weir was raised by a hand in the spring flood.\n")
    wait_until(lambda: live(homes["desk"]) != synced["desk"], else_="the other's sensor was stopped too", every=0.5)
    assert live(homes["news"]) == before
    with dg.DagsterInstance.get() as instance:
        states = {
            (one.origin.repository_origin.code_location_origin.location_name, one.instigator_name): one.status.value
            for one in instance.all_instigator_state()
        }
    assert states["news", "changed_files"] == "STOPPED" and states["desk", "changed_files"] != "STOPPED"


def test_the_example_names_each_location_once() -> None:
    deployed = yaml.safe_load((ROOT / "examples/deploy/workspace.yaml").read_text(encoding="utf-8"))
    assert [one["python_file"]["location_name"] for one in deployed["load_from"]] == [*NAMES]
