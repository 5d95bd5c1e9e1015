"""What the evaluation of an edit costs: by what earlier evaluations remember, against one that remembers nothing.

    python -m benchmarks.evaluation_cost HOME SOURCE DOCUMENT [--edits 3]

HOME is a workspace that was synced and published, such as a copy of the demo's; DOCUMENT is a file of the folder
SOURCE. For each edit one sentence is added to it and a version is built, which is evaluated twice, each time in a
process of its own: first as a sync does, then without the memo. Prints the seconds of both (by the clock, and of the
processor), and whether verdict, measures and the order of hits are the same: the scores of hits also fall with age,
from one minute to the next. The last version becomes live. The first edit after the code was changed finds nothing
remembered.
"""

import argparse
import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from evals.candidate_evaluation import evaluate
from rag_platform.config.settings_file import load_settings
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Cost:
    """What one evaluation took, and what it found."""

    seconds: float
    processor: float
    found: dict[str, Any]


def measure(home: Path, version: str) -> Cost:
    """Evaluate a version, in a process that has not done so before."""
    workspace = Workspace(load_settings(home))
    start, processor = time.perf_counter(), time.process_time()
    made = evaluate(workspace, version)
    took = time.perf_counter() - start, time.process_time() - processor
    means = {name: value for name, value in made.scores.means.items() if not name.startswith("ms_")}
    hits = pl.col("hits").list.eval(pl.element().struct.field("chunk_id"))
    rows = made.scores.questions.drop("ms").with_columns(hits).to_dicts()
    return Cost(*took, {"outcome": made.verdict.outcome, "means": means, "rows": rows, "stale": made.scores.stale})


def edits(home: Path, source: str, document: Path, count: int) -> Iterator[str]:
    """Add a sentence, bring it through the stages and build a version; yields its id, and makes the last one live."""
    version = ""
    for number in range(count):
        with document.open("a", encoding="utf-8") as file:
            file.write(f"\n\nThis sentence was added at {time.time_ns()}, as number {number}.\n")
        workspace = Workspace(load_settings(home))
        pipeline = Pipeline(workspace)
        for stage in (pipeline.fetch, pipeline.extract, pipeline.chunk, pipeline.embed):
            stage(source)
        version = pipeline.build().version
        yield version
        workspace.versions.promote(version, why="benchmark")


@contextmanager
def _without(memo: Path, stored: Path, *, forgetting: bool) -> Iterator[None]:
    """Let an evaluation find neither the memo nor the version's scores; the memo comes back after it."""
    kept = memo.read_bytes() if forgetting else b""
    if forgetting:
        memo.unlink()
        stored.unlink()
    try:
        yield
    finally:
        if forgetting:
            memo.write_bytes(kept)


def main() -> None:
    """Edit, evaluate twice, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("source")
    parser.add_argument("document", type=Path)
    parser.add_argument("--edits", type=int, default=3)
    asked = parser.parse_args()
    data = load_settings(asked.home).data
    memo, spawn = data / "evals" / "memo", multiprocessing.get_context("spawn")
    print(f"{'version':20}{'remembering':>24}{'from nothing':>24}  the same")
    for version in edits(asked.home, asked.source, asked.document, asked.edits):
        costs = []
        for forgetting in (False, True):
            stored = data / "index" / "versions" / version / "evaluation.json"
            with _without(memo, stored, forgetting=forgetting), ProcessPoolExecutor(1, spawn) as process:
                costs.append(process.submit(measure, asked.home, version).result())
        shown = "".join(f"{cost.seconds:12.1f} s {cost.processor:6.1f} cpu" for cost in costs)
        print(f"{version:20}{shown}  {'yes' if costs[0].found == costs[1].found else 'NO'}", flush=True)


if __name__ == "__main__":
    main()
