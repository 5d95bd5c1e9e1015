"""Search without pause in several processes while the live version is moved to and fro.

    python -m benchmarks.moving_pointer --queries 10000 --moves 50
    python -m benchmarks.moving_pointer --queries 10000 --moves 50 --docs DOCS --home DIR --size 100000 --readers 1

No query may fail, and every hit must be of the version that its result names. Prints how many moves the readers
noticed, and what a query takes while the pointer moves as a ratio to what it takes in the same processes while it
stands still. Who moves the pointer proves the checksums of what it moves to, in a process of its own. With --docs there
are eight versions of so many chunks (see benchmarks/large.py), of which every second lacks a document: more than a
process keeps open, so that most moves have a version opened.
"""

import argparse
import json
import multiprocessing
import queue
import shutil
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.large import corpus_of, questions, versions_of
from benchmarks.large import workspace as large_workspace
from rag_platform.index.build.builder import build
from rag_platform.index.releases.version_files import BUILD, CHECKED, MANIFEST, write_build
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors.spaces import Space
from rag_platform.pipeline.stages import Pipeline
from rag_platform.retrieval import Retriever
from rag_platform.storage.hashed.sealed import unsealed
from rag_platform.workspace import open_workspace

DOCUMENTS = 30
MARKS = ("amber", "birch", "cobalt")
"""Each version's documents hold another of these words."""
_VERSIONS = 8
"""Of a large corpus: more than a process keeps open."""
QUESTIONS = ("When does the ferry run?", "gauges in spring", "Who keeps the keys?", "herons at the mill")


@dataclass(frozen=True, slots=True)
class Setting:
    """What is searched: versions in a folder, with the models of a workspace."""

    home: Path
    folder: Path
    marks: dict[str, str]
    """Each version's mark, which all of its hits hold; empty: none."""
    questions: tuple[str, ...]

    def retriever(self) -> Retriever:
        """Return one that follows the pointer, as those of servers do."""
        workspace = open_workspace(self.home)
        versions = Versions(self.folder, exact_below=workspace.settings.index.exact_below)
        made = Retriever(versions, lambda: workspace.embedder, lambda: workspace.reranker, workspace.settings.retrieval)
        versions.follow(made.warm)
        return made


@dataclass(slots=True)
class Seen:
    """What one reader saw."""

    calm: list[float] = field(default_factory=list)
    """Milliseconds of each query while the pointer stands still."""
    moving: list[float] = field(default_factory=list)
    """While it moves."""
    versions: Counter[str] = field(default_factory=Counter)
    noticed: int = 0
    """How often the version differed from that of the query before."""
    problems: list[str] = field(default_factory=list)


def small(home: Path) -> Setting:
    """Make a workspace with one version for each mark."""
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
    return Setting(home, home / "data" / "index", made, QUESTIONS)


def large(home: Path, docs: Path, size: int) -> Setting:
    """Make two versions of so many chunks, the second without the last document."""
    workspace = large_workspace(home, docs)
    versions = versions_of(workspace, size)
    if len(versions.ids()) < 2:
        corpus = corpus_of(workspace, size)
        gone = corpus.documents["doc_id"][-1]
        stays = (corpus.chunks["doc_id"] != gone).to_numpy()
        space = corpus.spaces[0]
        kept = Space(space.model, space.sources, space.keys[stays], space.vectors[stays])
        documents = corpus.documents.filter(pl.col("doc_id") != gone)
        fewer = replace(corpus, documents=documents, chunks=corpus.chunks.filter(stays), spaces=(kept,))
        versions.promote(build(fewer, versions, partitions={}).version, why="benchmark")
    for number in range(len(versions.ids()) + 1, _VERSIONS + 1):
        _copy(versions, number)
    return Setting(home, versions.folder, {}, tuple(questions(versions, 300)))


def _copy(versions: Versions, number: int) -> None:
    """Make another version of the same files: a process has to open it."""
    first = versions.path(versions.ids()[number % 2])
    named = versions.path(f"v{number:06}-{first.name.rpartition('-')[2]}")
    shutil.copytree(first, named, ignore=shutil.ignore_patterns(CHECKED))
    manifest = json.loads((named / MANIFEST).read_text()) | {"id": named.name}
    (named / MANIFEST).write_text(json.dumps(manifest))
    about = unsealed((named / BUILD).read_bytes())
    write_build(named, {name: value for name, value in about.items() if name != "files"})


def read(setting: Setting, queries: int, asked, start, results) -> None:  # noqa: ANN001
    """Search so many times while the pointer stands, and as often while it moves; say what was seen."""
    retriever, seen, before = setting.retriever(), Seen(), None
    for question in setting.questions[:20]:
        retriever.search(question, mode="hybrid")
    for times in (seen.calm, seen.moving):
        start.wait()
        for number in range(queries):
            began = time.perf_counter()
            try:
                found = retriever.search(setting.questions[number % len(setting.questions)], mode="hybrid")
            except Exception as error:  # noqa: BLE001  what is counted here
                seen.problems.append(f"{type(error).__name__}: {error}")
                continue
            times.append((time.perf_counter() - began) * 1000)
            seen.versions[found.version] += 1
            seen.noticed += before not in (None, found.version)
            before = found.version
            mark = setting.marks.get(found.version, "")
            if setting.marks and (len(found.hits) < 10 or any(mark not in hit.text for hit in found.hits)):
                seen.problems.append(f"hits of another version than {found.version}")
            with asked.get_lock():
                asked.value += 1
    results.put(seen)


def run(setting: Setting, *, queries: int, moves: int, readers: int = 2) -> list[Seen]:
    """Let readers search `queries` times in all, then again while the pointer is moved `moves` times, evenly spread."""
    spawn = multiprocessing.get_context("spawn")
    asked, start, results = spawn.Value("l", 0), spawn.Barrier(readers + 1), spawn.Queue()
    each = queries // readers
    given = (setting, each, asked, start, results)
    processes = [spawn.Process(target=read, args=given, daemon=True) for _ in range(readers)]
    for process in processes:
        process.start()
    versions = Versions(setting.folder)
    known = versions.ids()
    start.wait(600)
    start.wait(600)
    for number in range(1, moves + 1):
        _wait(lambda due=readers * each + number * queries // (moves + 1): asked.value >= due, processes)
        _move(versions, known, number)
    seen = [_result(results, processes) for _ in processes]
    for process in processes:
        process.join(30)
    return seen


def _move(versions: Versions, known: list[str], number: int) -> None:
    if number % 2:
        versions.rollback(known[number // 2 % (len(known) - 1)], why=f"move {number}")
    else:
        versions.promote(known[-1], why=f"move {number}")


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
    parser.add_argument("--readers", type=int, default=2, help="processes that search")
    parser.add_argument("--docs", type=Path, help="search large versions, of these documents")
    parser.add_argument("--home", type=Path, help="where those are kept")
    parser.add_argument("--size", type=int, default=100_000, help="their chunks")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        setting = large(arguments.home, arguments.docs, arguments.size) if arguments.docs else small(Path(folder))
        seen = run(setting, queries=arguments.queries, moves=arguments.moves, readers=arguments.readers)
    calm, moving = (np.concatenate([getattr(one, name) for one in seen]) for name in ("calm", "moving"))
    problems = [problem for one in seen for problem in one.problems]
    print(f"{len(moving)} queries in {len(seen)} processes, {arguments.moves} moves of the pointer")
    print(f"moves noticed by the readers: {', '.join(str(one.noticed) for one in seen)}")
    print(f"versions seen: {dict(sum((one.versions for one in seen), Counter()))}")
    for name, share in (("p50", 50), ("p95", 95), ("p99", 99), ("p99.9", 99.9), ("slowest", 100)):
        now, then = np.percentile(moving, share), np.percentile(calm, share)
        print(f"{name}: {now:.1f} ms while it moves, {then:.1f} ms while it stands: {now / then:.2f} times")
    print(f"failed or mixed: {len(problems)} {problems[:3] or ''}")
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    main()
