"""The wall clock jumps, years ahead and back, between syncs; files bear times of the future and of 1970.

Each command is a process of its own under `faketime` (a Debian package), which gives it another wall clock and leaves
the monotonic one alone. Without that program nothing is tried, and the outcome says so.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.attack.outcome import Budget, Outcome

MOMENTS = (
    "1971-01-01 00:00:00",
    "2001-09-09 01:46:39",
    "2026-03-29 00:59:58",  # an hour is left out in Europe
    "2026-10-25 00:59:58",  # and one comes twice
    "2038-01-19 03:14:06",
    "2099-12-31 23:59:58",
)
SETTINGS = """
[[sources]]
id = "notes"
kind = "folder"
path = "notes"

[gate]
synthetic = 0
"""
PATIENCE = 180.0
"""Seconds after which a command counts as one that does not end."""


def run(chance: random.Random, budget: Budget) -> list[Outcome]:
    """Edit, remove and sync with a clock that jumps; each time, what is found is what there is."""
    if shutil.which("faketime") is None:
        return [Outcome("syncs while the clock jumps", 0, notes=("the program faketime is not installed",))]
    home, until = budget.scratch / "workspace", time.monotonic() + budget.minutes * 60
    (home / "notes").mkdir(parents=True)
    (home / "rag.toml").write_text(SETTINGS, encoding="utf-8")
    expected: dict[str, str] = {}
    tries = lost = 0
    notes: list[str] = []
    while time.monotonic() < until and len(notes) < 10:
        _edit(chance, home / "notes", expected, tries)
        moment = chance.choice(MOMENTS)
        tries += 1
        problems, gone = _sync(home, moment, expected)
        notes += [f"{moment}: {problem}" for problem in problems]
        lost += gone
    return [Outcome("syncs while the clock jumps", tries, len(notes), lost, tuple(notes[:3]))]


def _edit(chance: random.Random, folder: Path, expected: dict[str, str], step: int) -> None:
    """Change a few notes and give them times that no clock had."""
    for _ in range(chance.randint(1, 3)):
        name = f"note{chance.randrange(8)}.md"
        word = f"marker{step}x{chance.randrange(10**6)}"
        (folder / name).write_text(f"# {name}\n\nThis note speaks of {word} and of nothing else.\n", encoding="utf-8")
        moment = chance.choice((0, 1, time.time(), 2**31, 4_102_444_800))
        os.utime(folder / name, (moment, moment))
        expected[name] = word


def _sync(home: Path, moment: str, expected: dict[str, str]) -> tuple[list[str], int]:
    """Sync at a moment, and look with another clock whether every note is found."""
    problems = []
    done = _rag(home, moment, "sync", "--allow-mass-delete")
    if done is None or done.returncode:
        problems.append("sync: " + ("it did not end" if done is None else (done.stdout + done.stderr)[-300:]))
    gone = 0
    for name, word in expected.items():
        found = _rag(home, "2026-11-22 12:00:00", "search", word, "--mode", "lexical", "--json")
        if found is None or word not in json.dumps(found.stdout):
            gone += 1
            problems.append(f"{name} is not found by {word}")
    return problems, gone


def _rag(home: Path, moment: str, *command: str) -> subprocess.CompletedProcess[str] | None:
    clock = ["faketime", "-f", f"@{moment}"]
    environment = os.environ | {"RAG_HOME": str(home), "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}
    try:
        return subprocess.run(
            [*clock, sys.executable, "-m", "rag_platform", *command],
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
