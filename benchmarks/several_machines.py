"""A workspace of which nothing lies on one machine: a node is lost amid its sync, and it is asked while it goes back.

    python -m benchmarks.several_machines [--documents 50000] [--questions 1000]    # where the extra `ray` is installed

On this machine run two nodes of Ray with one CPU each, a server of S3's protocol and PostgreSQL with pgvector. So many
made documents of some fifty words are synced without questions for the gate; as soon as shards come back, all processes
of the second node are killed. Then one document is edited and synced, and a process asks questions of which each has
one document that answers it, while another moves the live version back and forth. Told are the seconds of each stage of
both syncs, what a question took with and without moves, and how many found their document first.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from rag_platform.workspace import open_workspace
from tests.postgres_server import postgres_server, with_pgvector
from tests.shards.ray_cluster import kill_node, ray_cluster
from tests.storage.objects_server import OPTIONS, new_bucket, objects_server
from tests.waiting import wait_until

SETTINGS = """
[scale]
database = "{database}"
store = "postgres"
executor = "ray"
ray_address = "{ray}"
task_memory_mb = 1024
objects = "{bucket}/knowledge"
objects_options = {{ endpoint_url = "{endpoint}", key = "${{S3_KEY}}", secret = "${{S3_SECRET}}" }}

[[sources]]
id = "gauges"
kind = "folder"
path = "gauges"
min_words = 1
"""
_WORDS = 40
_PAUSE = 5.0
"""Seconds from one move to the next."""


def main() -> None:
    """Sync, lose a node, edit, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--questions", type=int, default=1000)
    asked = parser.parse_args()
    os.environ |= {"S3_KEY": OPTIONS["key"], "S3_SECRET": OPTIONS["secret"], "RAG_GATE__SYNTHETIC": "0"}
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres_server(with_pgvector()) as database,
        objects_server() as endpoint,
        ray_cluster(1, 1) as (ray, nodes),
    ):
        home = Path(folder)
        named = {"database": database, "ray": ray, "bucket": new_bucket(endpoint), "endpoint": endpoint}
        (home / "rag.toml").write_text(SETTINGS.format(**named), encoding="utf-8")
        write(home / "gauges", asked.documents)
        first = sync(home, lose=nodes[1])
        (home / "gauges" / "0.md").write_text(document(0, np.random.default_rng(1)), encoding="utf-8")
        show(first, sync(home))
        ask(home, asked.documents, asked.questions)


def write(folder: Path, count: int) -> None:
    """Write the documents."""
    drawn = np.random.default_rng(7)
    folder.mkdir()
    for number in range(count):
        (folder / f"{number}.md").write_text(document(number, drawn), encoding="utf-8")


def document(number: int, drawn: np.random.Generator) -> str:
    """Return one that says where its gauge is, among words as they come."""
    words = " ".join(f"w{word:x}" for word in drawn.integers(5000, size=_WORDS))
    return f"# Gauge g{number}\n\nThe gauge g{number} stands at weir {number * 7 % 1000}.\n\n{words}.\n"


def sync(home: Path, lose: subprocess.Popen[bytes] | None = None) -> dict:
    """Run the real command, and kill a node amid it; returns its ledger and the seconds by the clock."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "rag_platform", "--home", str(home), "sync", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        if lose:
            committed = lambda: running.poll() is not None or any(home.rglob("shards/gauges/extract/*.json"))  # noqa: E731
            wait_until(committed, 3600.0, every=0.05)
            kill_node(lose)
            print(f"a node was lost {time.perf_counter() - start:.0f} s after the start", flush=True)
        said, _ = running.communicate()
    if running.returncode:
        sys.exit(f"rag sync ended with {running.returncode}: {said}")
    return json.loads(said) | {"wall": time.perf_counter() - start}


def show(first: dict, second: dict) -> None:
    """Print the seconds of both syncs."""
    print(f"| seconds | {first['chunks']['total']:,} chunks | one edit |\n|---|--:|--:|")
    for stage in first["seconds"]:
        print(f"| {stage} | {first['seconds'][stage]:.1f} | {second['seconds'].get(stage, 0):.1f} |")
    print(f"| the whole process | {first['wall']:.1f} | {second['wall']:.1f} |\n", flush=True)


def ask(home: Path, documents: int, questions: int) -> None:
    """Ask with and without moves, and print what it took."""
    retriever, drawn = open_workspace(home).retriever, np.random.default_rng(3)
    print("| questions | p50, ms | p95 | p99 | found first | moves |\n|---|--:|--:|--:|--:|--:|")
    for moving in (False, True):
        ended, moves = threading.Event(), list[str]()
        mover = threading.Thread(target=move, args=(home, ended, moves))
        if moving:
            mover.start()
        took, found = np.empty(questions), 0
        for place, number in enumerate(drawn.integers(documents, size=questions)):
            start = time.perf_counter()
            hits = retriever.search(f"Where does the gauge g{number} stand?").hits
            took[place] = (time.perf_counter() - start) * 1000
            found += bool(hits) and f"gauge g{number} stands" in hits[0].text
        ended.set()
        if moving:
            mover.join()
        p50, p95, p99 = np.percentile(took, [50, 95, 99])
        print(f"| {questions} | {p50:.1f} | {p95:.1f} | {p99:.1f} | {found} | {len(moves)} |", flush=True)


def move(home: Path, ended: threading.Event, moves: list[str]) -> None:
    """Make the other of two versions live, again and again, as another machine would."""
    versions = open_workspace(home).versions
    while not ended.wait(_PAUSE if moves else 0):
        other = next(one for one in versions.ids() if one != versions.live_id())
        versions.promote(other, "benchmark")
        moves.append(other)


if __name__ == "__main__":
    main()
