"""Work that writes down what it does, in a file that all processes see; for the contract of shard executors."""

import os
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rag_platform.core.ports import Shard, ShardExecutor, shard_key
from rag_platform.shards.local_executor import LocalExecutor
from rag_platform.shards.ray_executor import RayExecutor
from rag_platform.shards.shard_files import ShardFiles

SIZE = 8
EXECUTORS = ["local", "ray"]


def executor_of(name: str, folder: Path, memory: int = 1 << 30) -> ShardExecutor:
    """Return one of two workers; a test of what is not installed is skipped."""
    files = ShardFiles(folder)
    if name == "local":
        return LocalExecutor(2, files)
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed: `make test-scale` runs this")
    return RayExecutor(files, memory=memory)


@dataclass
class NotedWork:
    """Squares numbers, and writes down which."""

    folder: Path
    seconds: float = 0.0

    def __call__(self, item: object) -> tuple[str, int, str]:
        """Note the item and do it; "odd" raises."""
        with (self.folder / "done").open("a") as file:
            file.write(f"{item} {os.getpid()}\n")
        if item == "odd":
            raise ArithmeticError("it is odd")
        if item == "large":
            return str(item), len(np.ones(1 << 28)), ""
        if item == "deadly" or (item == "once" and self._first()):
            os.kill(os.getpid(), signal.SIGKILL)
        if item == "once":
            return item, 1, ""
        time.sleep(self.seconds)
        return str(item), int(str(item)) ** 2, ""

    def _first(self) -> bool:
        return sum(item == "once" for item, _ in self.noted()) == 1

    def failed(self, item: object, reason: str) -> tuple[str, int, str]:
        """Return the row of an item that could not be done."""
        return str(item), -1, reason

    def table(self, results: list[tuple[str, int, str]]) -> pl.DataFrame:
        """Join the rows."""
        return pl.DataFrame(results, schema={"item": pl.String, "square": pl.Int64, "reason": pl.String}, orient="row")

    def noted(self) -> list[tuple[str, int]]:
        """Return which items were begun, and by which process, in this order."""
        path = self.folder / "done"
        lines = path.read_text().splitlines() if path.exists() else []
        return [(line.split()[0], int(line.split()[1])) for line in lines]


def shards_of(items: Iterable[object], size: int = SIZE) -> list[Shard]:
    """Cut items into shards."""
    given = list(items)
    parts = [given[start : start + size] for start in range(0, len(given), size)]
    return [Shard(shard_key(*map(str, part)), part) for part in parts]


def rows_of(results: Iterable[tuple[Shard, pl.DataFrame]]) -> pl.DataFrame:
    """Put the tables of shards together, in the order of their items."""
    return pl.concat([table for _, table in results]).sort(pl.col("item").str.len_chars(), "item")
