"""Shards on Ray: this process hands them to another one, which drives a cluster, and commits what comes back."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import polars as pl

from rag_platform.core.errors import MissingExtra, StorageError
from rag_platform.core.ports import Progress, Shard, ShardWork, silent
from rag_platform.shards.committing import Computed, run_shards
from rag_platform.shards.local_executor import LocalExecutor
from rag_platform.shards.ray_driver import Request
from rag_platform.shards.shard_files import ShardFiles

_DRIVER = "from rag_platform.shards.ray_driver import main; main()"


class RayExecutor:
    """Computes shards as tasks of Ray, one CPU each; a single shard is computed here.

    A killed worker or node costs its shards, which Ray does again. What kills its worker time after time, and what
    needs more than `memory` bytes, is recorded with its reason. Ray lives in a process of its own: it aborts one into
    which usearch was loaded before.
    """

    def __init__(self, files: ShardFiles, address: str = "local", memory: int = 2 << 30) -> None:
        """`address`: a cluster's, or "local" for one that lives as long as the run.

        Raises:
            MissingExtra: Ray is not installed.
        """
        if find_spec("ray") is None:
            raise MissingExtra("ray", "ray", "[scale] executor = 'ray'")
        self._files, self._address, self._memory = files, address, memory

    def run(
        self, work: ShardWork, shards: Sequence[Shard], progress: Progress = silent
    ) -> Iterator[tuple[Shard, pl.DataFrame]]:
        """Yield each shard with its table; see `ShardExecutor`."""
        if len(shards) <= 1:
            yield from LocalExecutor(1).run(work, shards, progress)
            return
        yield from run_shards(partial(self._computed, work), shards, self._files, progress)

    def clear(self) -> None:
        """Let go of what was committed."""
        self._files.clear()

    def _computed(self, work: ShardWork, shards: Sequence[Shard], tell: Callable[[int], None]) -> Computed:
        request = Request(self._address, self._memory, pickle.dumps(work), [pickle.dumps(one.items) for one in shards])
        # workers of a local cluster find what this process finds
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path)}
        command = [sys.executable, "-c", _DRIVER]
        pipe = subprocess.PIPE
        driver = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment)  # noqa: S603  it is this program
        assert driver.stdin and driver.stdout
        try:
            pickle.dump(request, driver.stdin)
            driver.stdin.flush()  # and stays open: its end tells the driver to end
            for place, table in _answers(driver.stdout, len(shards)):
                tell(len(shards[place].items))
                yield shards[place], table
            driver.wait()  # it ends its cluster
        finally:
            with suppress(OSError):
                driver.stdin.close()
            driver.stdout.close()
            driver.wait()


def _answers(stream: IO[bytes], count: int) -> Iterator[tuple[int, pl.DataFrame]]:
    """Read what the driver writes: a shard's place with its table, or an error that ends the run."""
    for _ in range(count):
        try:
            answer = pickle.load(stream)  # noqa: S301  our own process wrote it
        except EOFError as error:
            raise StorageError(
                "the process that drives Ray ended; its log says why, and the next run goes on"
            ) from error
        if isinstance(answer, Exception):
            raise answer
        place, table = answer
        yield place, table
