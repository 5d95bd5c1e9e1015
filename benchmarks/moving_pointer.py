"""Search without pause in several processes while the live version is moved to and fro.

    python -m benchmarks.moving_pointer --queries 10000 --moves 50

No query may fail, and every hit must be of the version that its result names. Prints how many moves the readers noticed
and what a query takes while the pointer moves, as a ratio to the same processes' queries while it stands still.
"""

import argparse
import multiprocessing
import queue
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace, open_workspace

DOCUMENTS = 30
MARKS = ("amber", "birch", "cobalt")
"""Each version's documents hold another of these words."""
QUESTIONS = ("When does the ferry run?", "gauges in spring", "Who keeps the keys?", "herons at the mill")


@dataclass(slots=True)
class Seen:
    """What one reader saw."""

    milliseconds: list[float] = field(default_factory=list)
    versions: Counter[str] = field(default_factory=Counter)
    noticed: int = 0
    """How often the version differed from that of the query before."""
    problems: list[str] = field(default_factory=list)


def build(home: Path) -> dict[str, str]:
    """Make a workspace with one version for each mark; returns version -> mark."""
    (home / "files").mkdir()
    (home / "rag.toml").write_text('[[sources]]\nid = "files"\nkind = "folder"\npath = "files"\n')
    made = {}
    for mark in MARKS:
        for number in range(DOCUMENTS):
            text = f"# Log {number}\n\n{mark} {QUESTIONS[number % len(QUESTIONS)]} Entry {number} of the {mark} log.\n"
            (home / "files" / f"{number}.md").write_text(text)
        workspace = open_workspace(home)
        pipeline = Pipeline(workspace)
        pipeline.sync_source("files")
        version = pipeline.build().version
        workspace.versions.promote(version, why="benchmark")
        made[version] = mark
    return made


def read(home: Path, marks: dict[str, str], queries: int, asked, ready, results) -> None:  # noqa: ANN001
    """Search so many times, and say what was seen."""
    workspace, seen, before = open_workspace(home), Seen(), None
    workspace.retriever.search(QUESTIONS[0], mode="hybrid")
    ready.wait()
    for number in range(queries):
        start = time.perf_counter()
        try:
            found = workspace.retriever.search(QUESTIONS[number % len(QUESTIONS)], mode="hybrid")
        except Exception as error:  # noqa: BLE001  what is counted here
            seen.problems.append(f"{type(error).__name__}: {error}")
            continue
        seen.milliseconds.append((time.perf_counter() - start) * 1000)
        seen.versions[found.version] += 1
        seen.noticed += before not in (None, found.version)
        before = found.version
        if len(found.hits) < 10 or any(marks[found.version] not in hit.text for hit in found.hits):
            seen.problems.append(f"hits of another version than {found.version}")
        with asked.get_lock():
            asked.value += 1
    results.put(seen)


def run(home: Path, *, queries: int, moves: int, readers: int = 2) -> list[Seen]:
    """Let readers search `queries` times in all while the pointer is moved `moves` times, evenly spread."""
    marks = build(home)
    versions = list(marks)
    spawn = multiprocessing.get_context("spawn")
    asked, ready, results = spawn.Value("l", 0), spawn.Barrier(readers + 1), spawn.Queue()
    each = queries // readers
    processes = [
        spawn.Process(target=read, args=(home, marks, each, asked, ready, results), daemon=True) for _ in range(readers)
    ]
    for process in processes:
        process.start()
    ready.wait(120)
    workspace = open_workspace(home)
    for number in range(1, moves + 1):
        _wait(lambda due=number * queries // (moves + 1): asked.value >= due, processes)
        _move(workspace, versions, number)
    seen = [_result(results, processes) for _ in processes]
    for process in processes:
        process.join(30)
    return seen


def _move(workspace: Workspace, versions: list[str], number: int) -> None:
    if number % 2:
        workspace.versions.rollback(versions[number // 2 % 2], why=f"move {number}")
    else:
        workspace.versions.promote(versions[2], why=f"move {number}")


def _wait(due, processes: list) -> None:  # noqa: ANN001
    while not due() and any(process.is_alive() for process in processes):
        time.sleep(0.001)


def _result(results, processes: list) -> Seen:  # noqa: ANN001
    while True:
        try:
            return results.get(timeout=5)
        except queue.Empty:
            if not any(process.is_alive() for process in processes):
                raise SystemExit("a reader died without a word") from None


def main() -> None:
    """Measure, print, and end with 1 when a query failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--moves", type=int, default=50)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "still").mkdir()
        (Path(folder) / "moving").mkdir()
        still = run(Path(folder) / "still", queries=arguments.queries // 10, moves=0)
        moving = run(Path(folder) / "moving", queries=arguments.queries, moves=arguments.moves)
    times, calm = (np.concatenate([seen.milliseconds for seen in all_seen]) for all_seen in (moving, still))
    problems = [problem for seen in moving for problem in seen.problems]
    print(f"{len(times)} queries in {len(moving)} processes, {arguments.moves} moves of the pointer")
    print(f"moves noticed by the readers: {', '.join(str(seen.noticed) for seen in moving)}")
    print(f"versions seen: {dict(sum((seen.versions for seen in moving), Counter()))}")
    for name, share in (("p50", 50), ("p95", 95), ("p99.9", 99.9)):
        now, then = np.percentile(times, share), np.percentile(calm, share)
        print(f"{name}: {now:.1f} ms while it moves, {then:.1f} ms while it stands: {now / then:.2f} times")
    print(f"failed or mixed: {len(problems)} {problems[:3] or ''}")
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    main()
