"""What we ask of whoever computes the heavy part of a stage: shards, each done once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import polars as pl

from rag_platform.core.ids import digest
from rag_platform.core.ports.progress_ports import Progress, silent


@dataclass(frozen=True, slots=True)
class Shard:
    """Items that are computed together, and committed together."""

    key: str
    """A hash of all that its table depends on: items, version of the code, model, parameters."""
    items: Sequence[Any]


class ShardWork(Protocol):
    """What is done to items."""

    def __call__(self, item: Any, /) -> Any:
        """Do one item, at any time, any number of times, with the same result."""
        ...

    def failed(self, item: Any, reason: str, /) -> Any:
        """Return the result of an item that cannot be done, so that the others go on."""
        ...

    def table(self, results: Sequence[Any]) -> pl.DataFrame:
        """Join the results of a shard, in the order of its items."""
        ...


class ShardExecutor(Protocol):
    """Computes shards. What was committed is not computed again."""

    def run(
        self, work: ShardWork, shards: Sequence[Shard], progress: Progress = silent
    ) -> Iterator[tuple[Shard, pl.DataFrame]]:
        """Yield each shard with its table, in the order in which they get ready; `progress` is told of items."""
        ...

    def clear(self) -> None:
        """Let go of what was committed: whoever asked for it has it."""
        ...


def cut(hashes: Sequence[str], size: int) -> Iterator[slice]:
    """Yield where to cut items into shards of about `size`, at most twice as many.

    Where they are cut depends on their hashes (hexadecimal), so that an item more or less moves a shard or two; see
    Muthitacharoen et al. 2001, "A Low-Bandwidth Network File System", SOSP.
    """
    start = 0
    for place, hashed in enumerate(hashes):
        full = place - start >= 2 * size
        if place > start and (full or int(hashed[:8], 16) % size == 0):
            yield slice(start, place)
            start = place
    if start < len(hashes):
        yield slice(start, len(hashes))


def shard_key(*parts: str) -> str:
    """Hash what a shard's table depends on."""
    return digest("shard", *parts, length=32)
