"""What finding near-duplicates takes: `python -m benchmarks.near_duplicates DOCUMENTS.jsonl.zst`.

Each line is an object with `text`. Signatures are made once per text and kept; the groups are made for each version.
"""

import io
import json
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import zstandard

from rag_platform.index.catalog.near_duplicates import group
from rag_platform.text.shingles import signature

THRESHOLDS = (0.5, 0.6, 0.7, 0.8)


def texts(path: Path) -> Iterator[str]:
    """Yield the texts of a compressed file of JSON lines."""
    with path.open("rb") as file:
        for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf-8"):
            yield json.loads(line)["text"]


def main(path: Path) -> None:
    """Print seconds, memory and how many documents are in groups."""
    spent, rows = 0.0, []
    for number, text in enumerate(texts(path)):
        start = time.perf_counter()
        rows.append({"doc_id": f"{number:08}", "signature": signature(text)})
        spent += time.perf_counter() - start
    frame = pl.DataFrame(rows, schema={"doc_id": pl.String, "signature": pl.List(pl.UInt32)})
    print(f"{len(rows)} documents: signatures {spent:.1f} s, {frame.estimated_size('mb'):.1f} MB")
    print("| threshold | seconds | documents in groups | groups | largest |\n|--:|--:|--:|--:|--:|")
    for threshold in THRESHOLDS:
        start = time.perf_counter()
        grouped = group(frame, threshold)["near"].drop_nulls()
        sizes = grouped.value_counts()["count"]
        seconds = time.perf_counter() - start
        print(f"| {threshold} | {seconds:.2f} | {len(grouped)} | {len(sizes)} | {sizes.max() or 0} |")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
