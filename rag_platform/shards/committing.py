"""What all executors of shards do: hand over what was committed, compute the others, commit each as it gets ready."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Any

import polars as pl

from rag_platform.core.errors import RagError, message_of
from rag_platform.core.ports import Progress, Shard, ShardWork
from rag_platform.shards.shard_files import ShardFiles

Computed = Generator[tuple[Shard, pl.DataFrame], None, None]
"""Shards with their tables, in the order in which they get ready."""
Compute = Callable[[Sequence[Shard], Callable[[int], None]], Computed]
"""Computes shards, and tells how many items more are done."""


def run_shards(
    compute: Compute, shards: Sequence[Shard], files: ShardFiles | None, progress: Progress
) -> Iterator[tuple[Shard, pl.DataFrame]]:
    """Yield each shard with its table: those in `files` first, then the others, which are put there."""
    total, done, left = sum(len(shard.items) for shard in shards), 0, list[Shard]()

    def tell(items: int) -> None:
        nonlocal done
        done += items
        progress(done, total)

    for shard in shards:
        table = files.get(shard.key) if files else None
        if table is None:
            left.append(shard)
            continue
        tell(len(shard.items))
        yield shard, table
    if not left:
        return
    with closing(compute(left, tell)) as computed:
        for shard, table in computed:
            if files:
                files.put(shard.key, table)
            yield shard, table


def attempt(work: ShardWork, item: Any) -> Any:
    """Do an item; one that fails in a way that nobody foresaw does not stop the others."""
    try:
        return work(item)
    except RagError:
        raise
    except Exception as error:  # noqa: BLE001
        return work.failed(item, message_of(error))
