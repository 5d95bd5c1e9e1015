"""Hostile documents against the cell in which they are read.

A failure is: the platform itself raises, a file takes much longer than its limits, something is reached that must not
be, or a reader outlives its owner. Lost is a sound document that is not read right after.
"""

import contextlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil

from benchmarks.attack.hostile_files import ROOT, crafted, mutated, samples
from benchmarks.attack.outcome import Budget, Outcome
from benchmarks.attack.taken_over import ATTEMPTS, OWNER, Listener, refused, taken_over, tried
from rag_platform.documents.options import Limits
from rag_platform.documents.sandbox.pool import Sandbox
from rag_platform.documents.sandbox.process import ReaderProcess

_LIMITS = Limits(seconds=3, idle_seconds=20, memory=1 << 30, member_bytes=60_000_000, crashes=3)
_WEDGED = 300.0
"""Seconds for one file, also on a busy machine: some members of an archive may use up their time each."""
_ORPHANED = 2.0
"""Seconds after which no reader may be left of an owner that was killed."""
_KILLS = 10


def run(chance: random.Random, budget: Budget) -> list[Outcome]:
    """Try a reader that was taken over, owners that are killed, crafted files, then changed ones until time is up."""
    now, seconds = time.monotonic(), budget.minutes * 60
    listener = Listener()
    try:
        return [
            _taken_over(budget.scratch, listener),
            _orphans(chance),
            _read("hostile documents: crafted", crafted(listener.port), listener, now + 0.6 * seconds),
            _read("hostile documents: samples changed at random", _changed(chance), listener, now + seconds),
        ]
    finally:
        listener.close()


def _taken_over(workspace: Path, listener: Listener) -> Outcome:
    """Let a reader that was taken over try everything."""
    (workspace / "data").mkdir()
    for secret in ("rag.toml", "data/app.sqlite"):
        (workspace / secret).write_text("secret")
    victim, failed, lost = subprocess.Popen(["sleep", "3600"]), [], 0
    given = {"workspace": workspace, "victim": victim.pid, "port": listener.port, "mark": f"canary-{os.getpid()}"}
    with taken_over():
        reader = ReaderProcess(_LIMITS)
        for name, attempt in ATTEMPTS.items():
            said = tried(reader, attempt.format(**given))
            if not refused(said):
                failed.append(f"{name}: {said[:200]}")
            lost += tried(reader, "found = 6 * 7") != "done 42"
    if victim.poll() is not None or listener.met:
        failed.append("a process was ended, or the network reached")
    victim.kill()
    victim.wait()
    reader.close()
    return Outcome("hostile documents: a reader taken over", len(ATTEMPTS), len(failed), lost, tuple(failed[:3]))


def _orphans(chance: random.Random) -> Outcome:
    """Kill owners in the middle of a file; their readers must be gone soon after."""
    codes = (
        "while True: pass",
        "import ctypes; ctypes.PyDLL(None).sleep(3600)",
        "x = [bytes(1 << 28) for _ in range(3)]\nwhile True: pass",
    )
    left = 0
    for _ in range(_KILLS):
        command = [sys.executable, "-c", OWNER, str(ROOT), chance.choice(codes)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
            assert owner.stdout
            reader = psutil.Process(int(owner.stdout.readline()))
            time.sleep(chance.random() / 2)
            owner.kill()
        left += not _gone(reader)
    return Outcome(f"readers {_ORPHANED:g} s after their owner was killed", _KILLS, left)


def _gone(reader: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        try:
            reader.wait(timeout=_ORPHANED)
        except psutil.TimeoutExpired:
            reader.kill()
            return False
    return True


def _changed(chance: random.Random) -> Iterator[tuple[str, bytes]]:
    paths = samples()
    while True:
        path, other = chance.choice(paths), chance.choice(paths)
        yield path.name, mutated(path.read_bytes(), other.read_bytes(), chance)


def _read(name: str, files: Iterable[tuple[str, bytes]], listener: Listener, deadline: float) -> Outcome:
    """Read files until time is up, and a sound one after each."""
    sandbox, tries, failed, lost, stopped = Sandbox(_LIMITS), 0, [], 0, 0
    for uri, content in files:
        if time.monotonic() > deadline:
            break
        tries, start, met = tries + 1, time.monotonic(), listener.met
        try:
            parts = sandbox.read(content, uri=uri, boundary=("hostile",))
            stopped += any(part.stopped for part in parts)
        except Exception as error:  # noqa: BLE001 (that is what is looked for)
            failed.append(f"{uri}: raised {error!r}"[:300])
        if time.monotonic() - start > _WEDGED:
            failed.append(f"{uri}: took {time.monotonic() - start:.0f} s")
        if listener.met > met:
            failed.append(f"{uri}: something was fetched")
        lost += [part.read and part.read.text for part in sandbox.read(b"Water.", uri="a", boundary=("hostile",))] != [
            "Water."
        ]
    sandbox.close()
    return Outcome(name, tries, len(failed), lost, (f"{stopped} readers were stopped", *failed[:3]))
