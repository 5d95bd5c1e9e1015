"""Kill a sync at random moments while its sources change, and see that nothing is lost.

    python -m benchmarks.kills --kills 50 --seed 1

After each `kill -9` the live version must be sound and answer; at the end one more sync must reach what a clean build
of the same sources reaches: the same documents, chunks and hits. Prints where in a sync the kills fell.
"""

import argparse
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rag_platform.workspace import open_workspace

SOURCES = ("notes", "rules")
STEADY = "When is a gauge calibrated?"
QUESTIONS = (STEADY, "log line of the ferry", "Entry of the lock log", "herons")
_WORDS = ("ferry", "lock", "weir", "heron", "gauge", "flood", "reed", "mill", "keys", "warden")


def start(home: Path) -> None:
    """Write a workspace of two folders, one document of which never changes."""
    tables = [f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\n' for name in SOURCES]
    (home / "rag.toml").write_text("\n".join([*tables, "[gate]\nsynthetic = 0"]))
    for name in SOURCES:
        (home / name).mkdir()
    (home / "notes" / "steady.md").write_text("# Gauges\n\nA gauge is calibrated every spring by two wardens.\n")
    edit(home, random.Random(0), count=12)


def edit(home: Path, chance: random.Random, count: int = 6) -> None:
    """Add, change, move or delete so many files."""
    for _ in range(count):
        folder = home / chance.choice(SOURCES)
        path = folder / f"{chance.randrange(40)}.md"
        action = chance.choice(("write", "write", "write", "move", "delete"))
        if action == "write" or not path.exists():
            said = ". ".join(" ".join(chance.choices(_WORDS, k=9)) for _ in range(chance.randrange(2, 30)))
            path.write_text(f"# Log of the {chance.choice(_WORDS)}\n\nEntry {chance.random()}. {said}.\n")
        elif action == "move":
            path.rename(folder / f"{chance.randrange(40)}.md")
        else:
            path.unlink()


def sync(home: Path, *, kill_after: float | None = None) -> int:
    """Run the real command; killed after so many seconds, if it has not ended by itself."""
    command = [sys.executable, "-m", "rag_platform", "--home", str(home), "sync", "--allow-mass-delete", "--json"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            return running.wait(kill_after)
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGKILL)
            return running.wait()


def state(home: Path) -> tuple:
    """Return all that a reader of the live version can see."""
    workspace = open_workspace(home)
    live = workspace.versions.live()
    documents = live.documents().select("doc_id", "uri", "text", "raw_sha256").rows()
    chunks = live.catalog.chunks().select("chunk_id", "start", "end", "text").rows()
    hits = [
        [(hit.chunk_id, round(hit.score, 4)) for hit in workspace.retriever.search(question, mode=mode).hits]
        for question in QUESTIONS
        for mode in ("lexical", "vector", "rerank")
    ]
    return documents, chunks, hits


def complaints(home: Path) -> list[str]:
    """Return what is wrong with the live version."""
    workspace = open_workspace(home)
    hits = workspace.retriever.search(STEADY, mode="lexical").hits
    lost = [] if hits and "spring" in hits[0].text else [f"{STEADY!r} found {[hit.uri for hit in hits]}"]
    return [*workspace.versions.live().verify(), *lost]


def stage_reached(home: Path) -> str:
    """Tell which stage had ended last when the kill fell."""
    entries = open_workspace(home).costs.entries()
    return f"after {entries[-1].stage}" if entries else "before any stage"


def run(home: Path, *, kills: int, seed: int = 1) -> tuple[list[str], Counter[str]]:
    """Return what went wrong, and where the kills fell."""
    chance, problems, fell = random.Random(seed), [], Counter()
    start(home)
    began = time.perf_counter()
    if sync(home) != 0:
        return ["the first sync failed"], fell
    usual = time.perf_counter() - began
    for number in range(1, kills + 1):
        edit(home, chance)
        ended = sync(home, kill_after=chance.uniform(0.25, 1.0) * usual) >= 0
        fell["after the end" if ended else stage_reached(home)] += 1
        problems += [f"after kill {number}: {problem}" for problem in complaints(home)]
    if (code := sync(home)) != 0:
        problems.append(f"the last sync ended with {code}")
    return problems + _leftovers(home) + _difference(home), fell


def _leftovers(home: Path) -> list[str]:
    """Name unfinished files that no later sync has cleared away."""
    left = [*home.glob("data/*/.*.new"), *home.glob("data/*/*/.*.new"), *home.glob("data/index/versions/.*")]
    return [f"left behind: {path.relative_to(home)}" for path in left]


def _difference(home: Path) -> list[str]:
    """Build the same sources from nothing and compare."""
    grown = state(home)
    clean = home / "clean"
    clean.mkdir()
    for name in ("rag.toml", *SOURCES):
        (home / name).rename(clean / name)
    if (code := sync(clean)) != 0:
        return [f"the clean build ended with {code}"]
    names = ("documents", "chunks", "hits")
    rebuilt = state(clean)
    return [
        f"{name} differ from a clean build" for name, one, two in zip(names, grown, rebuilt, strict=True) if one != two
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Kill, print, and end with 1 when something was lost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    home = Path(tempfile.mkdtemp())
    try:
        problems, fell = run(home, kills=chosen.kills, seed=chosen.seed)
    finally:
        shutil.rmtree(home)
    print(f"{sum(fell.values())} kills: {', '.join(f'{place} {count}' for place, count in fell.most_common())}")
    print("\n".join(problems) or "the live version answered each time; the last sync equals a clean build")
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    main()
