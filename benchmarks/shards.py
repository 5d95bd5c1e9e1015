"""Reading by shards in this process and on Ray, over one and two workers, side by side in one run.

    python -m benchmarks.shards [--documents 2000] [--rounds 3]

Pages of some 200 words each are made and read with nothing kept. Each row reads them with as many at a time: by threads
of this process over their readers' processes, or by a node of Ray on this machine with so many CPUs, which is there
before. Told are documents a second of the median round, and whether the tables are the same, byte for byte.
"""

import argparse
import hashlib
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import polars as pl

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.ports import ShardExecutor
from rag_platform.core.schemas import DOCUMENTS, RAW
from rag_platform.documents.stage import read_documents
from rag_platform.shards.local_executor import LocalExecutor
from rag_platform.shards.ray_executor import RayExecutor
from rag_platform.shards.shard_files import ShardFiles
from rag_platform.storage.blobs import Blobs
from tests.shards.ray_cluster import ray_cluster

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SOURCE = SourceSettings(id="made", kind="made")


def main() -> None:
    """Print a row for each executor."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        blobs = Blobs(Path(folder) / "blobs")
        raw = made(blobs, asked.documents)
        files = ShardFiles(Path(folder) / "shards")
        for workers in (1, 2):
            tell("local", workers, LocalExecutor(workers, files), raw, blobs, asked.rounds)
            with ray_cluster(workers) as (address, _):
                tell("ray", workers, RayExecutor(files, address, 512 << 20), raw, blobs, asked.rounds)


def tell(name: str, workers: int, executor: ShardExecutor, raw: pl.DataFrame, blobs: Blobs, rounds: int) -> None:
    """Read everything several times and print the row."""
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        table = read_documents(raw, pl.DataFrame(schema=DOCUMENTS), blobs, SOURCE, now=NOW, executor=executor).table
        seconds.append(time.perf_counter() - start)
        executor.clear()
    content = hashlib.sha256(table.write_ipc(None).getvalue()).hexdigest()[:8]
    middle = statistics.median(seconds)
    print(f"| {name} | {workers} | {middle:.1f} | {raw.height / middle:.0f} | {content} |", flush=True)


def made(blobs: Blobs, count: int) -> pl.DataFrame:
    """Make pages of words as they come, and their table of columns `RAW`."""
    random = np.random.default_rng(7)
    words = np.array([f"w{number:x}" for number in range(5000)])
    rows = []
    for number in range(count):
        said = "".join(f"<p>{' '.join(words[random.integers(5000, size=50)])}.</p>" for _ in range(4))
        sha256 = blobs.put(f"<html><title>Page {number}</title><body>{said}</body></html>".encode())
        uri = f"https://made.example.org/{number}"
        rows.append({"uri": uri, "sha256": sha256, "status": "ok", "metadata": "{}", "fetched_at": NOW})
    return pl.DataFrame([{name: row.get(name) for name in RAW} for row in rows], schema=RAW)


if __name__ == "__main__":
    main()
