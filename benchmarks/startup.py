"""How long `rag` takes from a cold start: whole processes, each beside an empty one of the same interpreter.

    python -m benchmarks.startup WORKSPACE [--runs 7]

The workspace must have been synced. Printed are the medians of processor time and of wall-clock time in seconds, the
ratio of the processor time to that of `python -c pass`, and how many modules each call imports.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

QUESTION = "How do I add a source?"
CALLS = {
    "python -c pass": None,
    "rag --help": ["--help"],
    "rag search --mode lexical": ["search", "--mode", "lexical", QUESTION],
    "rag search": ["search", QUESTION],
    "rag ask": ["ask", QUESTION],
}


def main() -> None:
    """Print a row for each call."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    rows = {name: measure(command(name, options.workspace), options.runs) for name in CALLS}
    empty = rows["python -c pass"][0]
    print(f"{'call':<26}{'processor':>10}{'wall':>8}{'ratio':>8}{'modules':>9}")
    for name, (processor, wall) in rows.items():
        count = modules(command(name, options.workspace))
        print(f"{name:<26}{processor:>10.3f}{wall:>8.3f}{processor / empty:>8.1f}{count:>9}")


def command(name: str, workspace: Path) -> list[str]:
    """Return the words of a call, after the interpreter."""
    arguments = CALLS[name]
    return ["-c", "pass"] if arguments is None else ["-m", "rag_platform", "--home", str(workspace), *arguments]


def measure(arguments: list[str], runs: int) -> tuple[float, float]:
    """Return the medians of processor time and of wall-clock time, after a first call that warms the disk's cache."""
    taken = [once(arguments) for _ in range(runs + 1)][1:]
    return median(processor for processor, _ in taken), median(wall for _, wall in taken)


def once(arguments: list[str]) -> tuple[float, float]:
    """Return the seconds of one process: of the processor, children included, and of the clock."""
    before, start = os.times(), time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - start, os.times()
    return sum(after[2:4]) - sum(before[2:4]), wall


def modules(arguments: list[str]) -> int:
    """Return how many modules a call imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    return sum(line.startswith("import time:") for line in done.stderr.splitlines()) - 1


if __name__ == "__main__":
    main()
