"""Sync, search and ask on disks that are full at chance moments, or that can only be read.

Each disk is a small one of its own in memory, so this needs the right to mount; without it nothing is tried, which is
said.
"""

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.attack.damage import QUESTION, Ended, _start, rag
from benchmarks.attack.outcome import Budget, Outcome

_MIB = 2**20


def run(chance: Random, budget: Budget) -> list[Outcome]:
    """Fill disks until the time is over."""
    end = time.monotonic() + 60 * budget.minutes
    template, disk = budget.scratch / "template", budget.scratch / "disk"
    _start(template)
    disk.mkdir()
    home = budget.scratch / "home"  # what a command prints is kept beside this name, and not on the small disk
    home.symlink_to(disk / "home")
    full, read = [0, 0, 0], [0, 0, 0]
    notes: list[str] = []
    while time.monotonic() < end and full[0] < 60:
        spare = chance.randrange(2 * _MIB)
        if not _mounted(disk, template, spare):
            return [Outcome("disks: nothing can be mounted here", 0)]
        try:
            full[0] += 1
            if wrong := _filled(home, disk / "filler", chance):
                full[1] += 1
                notes.append(f"{spare} bytes free: {wrong}")
            subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
            read[0] += 1
            if wrong := _read(home):
                read[1] += 1
                notes.append(f"only to be read: {wrong}")
        finally:
            subprocess.run(["umount", "-l", str(disk)], check=True)
    rows = (("disks: full during a sync, search and ask", full), ("disks: only to be read", read))
    return [Outcome(name, *counts, notes=tuple(notes[:10])) for name, counts in rows]


def _mounted(disk: Path, template: Path, spare: int) -> bool:
    """Mount a disk that holds the workspace and a filler, and has so many bytes left."""
    size = sum(path.stat().st_size + 4096 for path in template.rglob("*")) + 8 * _MIB
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        return False
    shutil.copytree(template, disk / "home")
    with (disk / "filler").open("wb") as filler:
        left = shutil.disk_usage(disk).free - spare
        filler.write(b"\0" * max(0, left))
    return True


def _filled(home: Path, filler: Path, chance: Random) -> str:
    """Sync, search and ask with little space, then with enough; return what went wrong."""
    (home / "notes" / "new.md").write_text("# New\n\n" + " ".join(f"word{chance.random()}" for _ in range(300)))
    wrong = "".join(_long(rag(home, "sync"))) + _read(home)
    filler.unlink()
    if rag(home, "sync").returncode:
        wrong += "; the sync with enough space failed"
    left = [*home.glob("data/*/.*.new"), *home.glob("data/index/versions/.*")]
    return wrong + (f"; left behind: {left[0].name}" if left else "")


def _long(synced: Ended) -> Iterator[str]:
    """Yield what a sync that met a full disk said at length: one line says it, no traceback does."""
    said = [line for line in synced.stderr.splitlines() if "no space left" in line.lower()]
    if "Traceback" in synced.stderr or len(said) > 1:
        yield f"sync: {synced.stderr.strip()[-300:]}; "


def _read(home: Path) -> str:
    searched = rag(home, "search", QUESTION, "--mode", "lexical", "--json")
    asked = rag(home, "ask", QUESTION, "--json")
    for done, what in ((searched, "search"), (asked, "ask")):
        if "Traceback" in done.stderr or "calibrated" not in done.stdout:
            return f"{what}: {(done.stderr or done.stdout).strip()[-200:]}"
    told = json.loads(asked.stdout)
    return "" if told.get("receipt_id") or "receipt" in str(told.get("warnings")) else "a missing receipt is not told"
