"""Many askers at once, in one process and in several over the same files, beside other systems.

    python -m benchmarks.throughput DOCS --home DIR --python PEERS/bin/python [--sizes 100000] [--seconds 10]

PEERS is an environment of its own with `chromadb`, `lancedb`, `psycopg` and `pgvector`; the address of a PostgreSQL
that has the extension is in the variable PGVECTOR. All get the same chunks, vectors and questions, and the vectors of
the questions with them. Each asker asks one question after another, by its vector, and hybrid where the system can, for
so many seconds; the first lines of each system are of one asker alone (see benchmarks/peers.py).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.large import arguments_of, corpus_of, questions, versions_of, workspace
from benchmarks.peer import SYSTEMS, load
from benchmarks.peers import Ours, of_system, write_inputs
from rag_platform.index.build.corpus import Corpus

_CHOICES = ["ours", *SYSTEMS]


def loaded(system: str, way: str, folder: Path, python: Path, askers: int, processes: int, seconds: int) -> list[dict]:
    """Let so many askers, shared out among so many processes, ask at the same time; returns what each process tells."""
    ours = [sys.executable, "-m", "benchmarks.throughput", "--ask", str(folder)]
    peer = [str(python), str(Path(__file__).with_name("peer.py")), system, "load", str(folder)]
    each = [askers // processes + (number < askers % processes) for number in range(processes)]
    running = [
        subprocess.Popen(
            [*(ours if system == "ours" else peer), way, str(count), str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)} if system == "ours" else None,
        )
        for count in each
    ]
    for process in running:
        while process.stdout.readline() not in ("ready\n", ""):
            pass
    for process in running:
        process.stdin.write("go\n")
        process.stdin.flush()
    return [json.loads(process.communicate()[0].splitlines()[-1]) for process in running]


def alone(system: str, folder: Path, python: Path, corpus: Corpus, exact: np.ndarray) -> list[str]:
    """Build, ask alone, and print lines; returns the ways to ask."""
    built = of_system(system, "build", folder, python, corpus)
    files = sum(path.stat().st_size for path in (folder / system).rglob("*") if path.is_file()) / 1e6
    asked = of_system(system, "query", folder, python, corpus)
    disk = asked["disk"] or files
    ways = asked["ways"]
    pairs = zip(ways["vector"]["found"], exact.tolist(), strict=True)
    recall = np.mean([len(set(one) & set(best)) / 10 for one, best in pairs])
    for way, told in ways.items():
        p50, p95, p99 = np.percentile(told["took"], (50, 95, 99))
        print(f"{system:9} alone, {way}: p50 {p50:.1f}, p95 {p95:.1f}, p99 {p99:.1f} ms", flush=True)
    print(
        f"{system:9} built in {built['seconds']:.1f} s; recall@10 {recall:.4f}; disk {disk:,.0f} MB; "
        f"memory {asked['memory']:,.0f} MB",
        flush=True,
    )
    return list(ways)


def together(system: str, way: str, folder: Path, python: Path, arguments: argparse.Namespace) -> None:
    """Print a line for each number of askers and of processes."""
    for processes in arguments.processes:
        for askers in arguments.askers:
            told = loaded(system, way, folder, python, askers, processes, arguments.seconds)
            took = np.concatenate([one["took"] for one in told])
            p50, p95, p99 = np.percentile(took, (50, 95, 99))
            memory = sum(one["memory"] for one in told)
            rate = len(took) / arguments.seconds
            print(
                f"{system:9}{way:>8}{processes:4} processes{askers:4} askers{rate:9.1f} queries/s"
                f"   p50 {p50:7.1f}   p95 {p95:7.1f}   p99 {p99:7.1f} ms{memory:8,.0f} MB",
                flush=True,
            )


def main() -> None:
    """Measure and print."""
    if sys.argv[1:2] == ["--ask"]:
        folder, way, askers, seconds = sys.argv[2:]
        print(json.dumps(load(Ours(Path(folder)), Path(folder), way, int(askers), int(seconds))))
        return
    parser = arguments_of(__doc__)
    parser.add_argument("--python", type=Path, required=True, help="interpreter that has the other systems")
    parser.add_argument("--systems", nargs="+", default=["ours", "chroma", "lancedb"], choices=_CHOICES)
    parser.add_argument("--askers", nargs="+", type=int, default=[8, 50])
    parser.add_argument("--processes", nargs="+", type=int, default=[1, 2, 4])
    parser.add_argument("--seconds", type=int, default=10)
    arguments = parser.parse_args()
    work = workspace(arguments.home, arguments.docs)
    for size in arguments.sizes:
        corpus = corpus_of(work, size)
        asked = list(dict.fromkeys(questions(versions_of(work, size), arguments.queries)))
        vectors = np.stack([work.embedder.embed_query(question) for question in asked])
        print(f"{size:,} chunks, {len(asked)} questions")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            exact = write_inputs(folder, corpus, asked, vectors)
            for system in arguments.systems:
                for way in alone(system, folder, arguments.python, corpus, exact):
                    together(system, way, folder, arguments.python, arguments)
                updated = of_system(system, "update", folder, arguments.python, corpus)
                print(f"{system:9} 1 % replaced in {updated['seconds']:.1f} s", flush=True)


if __name__ == "__main__":
    main()
