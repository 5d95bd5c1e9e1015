"""Shards in this process: several items at a time, of whichever shard is next, so that none waits for another's end."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any

import polars as pl

from rag_platform.core.errors import RagError, message_of
from rag_platform.core.ports import Progress, Shard, ShardWork, silent
from rag_platform.core.threads.host_queues import map_by_host
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
        total, done, jobs = sum(len(shard.items) for shard in shards), 0, list[_Job]()
        for shard in shards:
            table = files.get(shard.key) if files else None
            if table is None:
                jobs += [(shard, place) for place in range(len(shard.items))]
                continue
            done += len(shard.items)
            progress(done, total)
            yield shard, table
        results: dict[str, dict[int, Any]] = defaultdict(dict)
        with closing(map_by_host(jobs, lambda _: None, partial(_attempt, work), self._at_once)) as made:
            for number, ((shard, place), result) in enumerate(made, start=done + 1):
                progress(number, total)
                results[shard.key][place] = result
                if len(results[shard.key]) == len(shard.items):
                    own = results.pop(shard.key)
                    table = work.table([own[place] for place in range(len(own))])
                    if files:
                        files.put(shard.key, table)
                    yield shard, table

    def clear(self) -> None:
        """Let go of what was committed."""
        if self._files:
            self._files.clear()


def _attempt(work: ShardWork, job: _Job) -> Any:
    """Do an item; one that fails in a way that nobody foresaw does not stop the others."""
    item = job[0].items[job[1]]
    try:
        return work(item)
    except RagError:
        raise
    except Exception as error:  # noqa: BLE001
        return work.failed(item, message_of(error))
