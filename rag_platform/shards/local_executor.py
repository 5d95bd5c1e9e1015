"""Shards in this process: several items at a time, of whichever shard is next, so that none waits for another's end."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any

import polars as pl

from rag_platform.core.ports import Progress, Shard, ShardWork, silent
from rag_platform.core.threads.host_queues import map_by_host
from rag_platform.shards.committing import Computed, attempt, run_shards
from rag_platform.shards.shard_files import ShardFiles

_Job = tuple[Shard, int]
"""A shard and the place of an item in it."""


class LocalExecutor:
    """Computes shards here, `at_once` items at a time.

    Without `files` nothing is committed, and neither is a single shard: whoever is killed loses one anyway.
    """

    def __init__(self, at_once: int, files: ShardFiles | None = None) -> None:
        self._at_once, self._files = at_once, files

    def run(
        self, work: ShardWork, shards: Sequence[Shard], progress: Progress = silent
    ) -> Iterator[tuple[Shard, pl.DataFrame]]:
        """Yield each shard with its table; see `ShardExecutor`."""
        files = self._files if len(shards) > 1 else None
        yield from run_shards(partial(self._computed, work), shards, files, progress)

    def clear(self) -> None:
        """Let go of what was committed."""
        if self._files:
            self._files.clear()

    def _computed(self, work: ShardWork, shards: Sequence[Shard], tell: Callable[[int], None]) -> Computed:
        jobs = [(shard, place) for shard in shards for place in range(len(shard.items))]
        results: dict[str, dict[int, Any]] = defaultdict(dict)
        with closing(map_by_host(jobs, lambda _: None, partial(_done, work), self._at_once)) as made:
            for (shard, place), result in made:
                tell(1)
                results[shard.key][place] = result
                if len(results[shard.key]) == len(shard.items):
                    own = results.pop(shard.key)
                    yield shard, work.table([own[place] for place in range(len(own))])


def _done(work: ShardWork, job: _Job) -> Any:
    shard, place = job
    return attempt(work, shard.items[place])
