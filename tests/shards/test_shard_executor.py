"""One contract for whoever computes shards: all once, whatever fails or is killed."""

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
import usearch.index  # noqa: F401  what a workspace imports

from rag_platform.core.errors import MissingExtra, RagError
from rag_platform.core.ids import digest
from rag_platform.core.ports import cut
from rag_platform.shards import ray_executor
from rag_platform.shards.local_executor import LocalExecutor
from rag_platform.shards.ray_executor import RayExecutor
from rag_platform.shards.shard_files import ShardFiles
from rag_platform.workspace import open_workspace
from tests.shards.noted_work import EXECUTORS, SIZE, NotedWork, executor_of, rows_of, shards_of
from tests.shards.ray_cluster import kill_node, ray_cluster
from tests.waiting import wait_until

pytestmark = pytest.mark.scale

NUMBERS = list(range(40))


@pytest.fixture(params=EXECUTORS)
def kind(request):
    return request.param


@pytest.fixture
def executor(tmp_path, kind):
    return executor_of(kind, tmp_path / "shards")


@pytest.fixture
def work(tmp_path):
    return NotedWork(tmp_path)


def squares(items=NUMBERS):
    return [item**2 for item in items]


def test_every_item_is_done_once_and_the_progress_ends_with_all(executor, work):
    told = []
    found = rows_of(executor.run(work, shards_of(NUMBERS), lambda *done: told.append(done)))
    assert found["square"].to_list() == squares() and set(found["reason"]) == {""}
    assert Counter(item for item, _ in work.noted()) == Counter(map(str, NUMBERS))
    assert told[-1] == (40, 40) and told == sorted(told)


def test_a_shard_whose_receipt_is_there_is_not_computed_again(executor, work):
    first = rows_of(executor.run(work, shards_of(NUMBERS)))
    more = [*NUMBERS, *range(100, 108)]
    again = rows_of(executor.run(work, shards_of(more)))
    assert again["square"].to_list() == squares(more) and again.head(40).equals(first)
    assert max(Counter(item for item, _ in work.noted()).values()) == 1
    executor.clear()
    rows_of(executor.run(work, shards_of(NUMBERS)))
    assert Counter(item for item, _ in work.noted())["7"] == 2


def test_a_committed_shard_that_is_damaged_is_computed_again(executor, work, tmp_path):
    rows_of(executor.run(work, shards_of(NUMBERS)))
    one = min((tmp_path / "shards").glob("*.parquet"))
    pl.read_parquet(one).with_columns(square=pl.lit(7, pl.Int64)).write_parquet(one)  # it can be read, and is not true
    assert rows_of(executor.run(work, shards_of(NUMBERS)))["square"].to_list() == squares()
    assert len(work.noted()) == 40 + SIZE


def test_an_item_that_raises_is_recorded_with_its_reason_and_the_others_go_on(executor, work):
    found = rows_of(executor.run(work, shards_of([*range(20), "odd", *range(20, 40)])))
    assert found.filter(item="odd")["reason"].to_list() == ["unexpected ArithmeticError: it is odd"]
    assert found.filter(reason="")["square"].to_list() == squares()


def test_a_single_shard_leaves_nothing_behind(executor, work, tmp_path):
    assert rows_of(executor.run(work, shards_of(range(5))))["square"].to_list() == squares(range(5))
    assert {process for _, process in work.noted()} == {os.getpid()} and not (tmp_path / "shards").exists()


def test_nothing_to_do_is_done(executor, work):
    assert list(executor.run(work, [])) == []


DRIVER = """
import sys
from pathlib import Path
from tests.shards.noted_work import NotedWork, executor_of, shards_of
folder = Path(sys.argv[1])
executor = executor_of(sys.argv[2], folder / "shards")
for shard, _ in executor.run(NotedWork(folder, seconds=0.2), shards_of(range(40))):
    print(shard.key, flush=True)
"""


def test_a_killed_driver_is_resumed_and_repeats_only_what_was_not_committed(executor, kind, work, tmp_path):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", DRIVER, tmp_path, kind]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=Path.cwd()) as driver:
        assert driver.stdout.readline() and driver.stdout.readline()
        driver.kill()
    committed = len(list((tmp_path / "shards").glob("*.json")))
    begun = settled(work)
    assert 2 <= committed < 5
    assert rows_of(executor.run(work, shards_of(NUMBERS)))["square"].to_list() == squares()
    assert len(work.noted()) - begun == 40 - committed * SIZE


def settled(work):
    """Return how many items were begun, once those who were left without a driver have ended too."""
    counted = [-1, len(work.noted())]
    while counted[-1] != counted[-2]:
        time.sleep(1)
        counted.append(len(work.noted()))
    return counted[-1]


@pytest.fixture
def on_ray(tmp_path):
    return executor_of("ray", tmp_path / "shards")


def test_a_killed_worker_costs_its_shard_alone(on_ray, work):
    found = rows_of(on_ray.run(work, shards_of([*NUMBERS, "once"])))
    assert found.filter(pl.col("item") != "once")["square"].to_list() == squares() and set(found["reason"]) == {""}
    again = Counter(item for item, _ in work.noted())
    assert again["once"] == 2 and sum(count > 1 for count in again.values()) <= SIZE
    assert {process for _, process in work.noted()}.isdisjoint({os.getpid()})
    assert "usearch" in sys.modules and "ray" not in sys.modules  # together they would abort this process


def test_a_lost_node_costs_the_shard_that_it_had(tmp_path, work):
    executor_of("ray", tmp_path)
    work.seconds = 0.2
    with ray_cluster(1, 1) as (address, nodes):
        running = RayExecutor(ShardFiles(tmp_path / "shards"), address, 512 << 20).run(work, shards_of(range(80)))
        found = [next(running)]
        wait_until(lambda: len({process for _, process in work.noted()}) > 1, else_="one node had all shards")
        kill_node(nodes[1])
        found += running
    assert rows_of(found)["square"].to_list() == squares(range(80))
    assert len(work.noted()) - 80 <= SIZE


def test_what_kills_its_worker_every_time_is_recorded_and_the_others_go_on(on_ray, work):
    found = rows_of(on_ray.run(work, shards_of([*range(20), "deadly", *range(20, 40)])))
    assert found.filter(item="deadly")["reason"].to_list() == ["whoever worked on it was killed, 3 times"]
    assert found.filter(reason="")["square"].to_list() == squares()


def test_what_takes_more_memory_than_a_task_may_is_recorded(tmp_path, work):
    given = shards_of([*range(10), "large", *range(10, 20)])
    small = rows_of(executor_of("ray", tmp_path / "small", 1 << 30).run(work, given))
    assert "MemoryError" in small.filter(item="large")["reason"].item()
    assert small.filter(reason="")["square"].to_list() == squares(range(20))


def test_more_memory_than_any_node_has_is_refused_in_words(tmp_path, work):
    with pytest.raises(RagError, match="task_memory_mb = 1073741824: no node"):
        list(executor_of("ray", tmp_path / "shards", 1 << 50).run(work, shards_of(NUMBERS)))


def test_a_cluster_that_is_not_there_is_named(tmp_path, work):
    executor_of("ray", tmp_path)
    away = RayExecutor(ShardFiles(tmp_path / "shards"), "elsewhere")
    with pytest.raises(RagError, match="ray_address = 'elsewhere': no cluster can be used there"):
        list(away.run(work, shards_of(NUMBERS)))


def test_without_ray_the_command_that_installs_it_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(ray_executor, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"\[ray\]"):
        RayExecutor(ShardFiles(tmp_path))


def test_a_workspace_says_who_computes_its_shards(tmp_path, monkeypatch):
    monkeypatch.setattr(ray_executor, "find_spec", lambda _: True)
    settings = '[scale]\nexecutor = "ray"\n'
    for more, expected in (("", RayExecutor), ('[vision]\nbase_url = "http://127.0.0.1:9/v1"\n', LocalExecutor)):
        (tmp_path / "rag.toml").write_text(settings + more)
        assert type(open_workspace(tmp_path).shards("extract", "a")) is expected


def test_where_it_is_cut_hardly_moves_when_an_item_comes():
    hashes = [digest(str(number)) for number in range(2000)]
    parts = list(cut(hashes, 50))
    assert [at for part in parts for at in range(part.start, part.stop)] == list(range(2000))
    assert all(part.stop - part.start <= 100 for part in parts)
    whole = {tuple(hashes[part]) for part in parts}
    more = [*hashes[:700], digest("new"), *hashes[700:]]
    assert len({tuple(more[part]) for part in cut(more, 50)} - whole) <= 2
    assert list(cut([], 50)) == []
