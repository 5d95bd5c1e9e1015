"""One contract for whoever computes shards: all once, whatever fails or is killed."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from rag_platform.core.ids import digest
from rag_platform.core.ports import cut
from rag_platform.shards.local_executor import LocalExecutor
from rag_platform.shards.shard_files import ShardFiles
from tests.shards.noted_work import SIZE, NotedWork, rows_of, shards_of

pytestmark = pytest.mark.scale

NUMBERS = list(range(40))


@pytest.fixture
def executor(tmp_path):
    return LocalExecutor(2, ShardFiles(tmp_path / "shards"))


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
from rag_platform.shards.local_executor import LocalExecutor
from rag_platform.shards.shard_files import ShardFiles
from tests.shards.noted_work import NotedWork, shards_of
folder = Path(sys.argv[1])
executor = LocalExecutor(2, ShardFiles(folder / "shards"))
for shard, _ in executor.run(NotedWork(folder, seconds=0.2), shards_of(range(40))):
    print(shard.key, flush=True)
"""


def test_a_killed_driver_is_resumed_and_repeats_only_what_was_not_committed(executor, work, tmp_path):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", DRIVER, tmp_path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=Path.cwd()) as driver:
        assert driver.stdout.readline() and driver.stdout.readline()
        driver.kill()
    committed = len(list((tmp_path / "shards").glob("*.json")))
    begun = len(work.noted())
    assert 2 <= committed < 5
    assert rows_of(executor.run(work, shards_of(NUMBERS)))["square"].to_list() == squares()
    assert len(work.noted()) - begun == 40 - committed * SIZE


def test_where_it_is_cut_hardly_moves_when_an_item_comes():
    hashes = [digest(str(number)) for number in range(2000)]
    parts = list(cut(hashes, 50))
    assert [at for part in parts for at in range(part.start, part.stop)] == list(range(2000))
    assert all(part.stop - part.start <= 100 for part in parts)
    whole = {tuple(hashes[part]) for part in parts}
    more = [*hashes[:700], digest("new"), *hashes[700:]]
    assert len({tuple(more[part]) for part in cut(more, 50)} - whole) <= 2
    assert list(cut([], 50)) == []
