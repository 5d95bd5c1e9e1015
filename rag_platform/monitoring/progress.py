"""What is being done in a workspace just now, for people who wait for it.

A process that works keeps one small file below ``data/progress`` and holds a lock on it. The lock goes with the
process, however that ends, so a file that nobody holds tells of nothing and is ignored.
"""

import json
import os
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_platform.core.ports import Progress, silent
from rag_platform.monitoring.tracing import STAGE, span
from rag_platform.storage.locks import LockFile, is_locked, read_note

INTERVAL = 0.5
"""Seconds between two notes of one stage."""


@dataclass(frozen=True, slots=True)
class Running:
    """A stage that a process is in."""

    pid: int
    stage: str
    source: str | None
    """None: the stage is of the whole workspace."""
    done: int
    total: int | None
    """None: not known yet."""
    seconds: float
    """Since the stage began."""
    rate: float | None
    """Items a second; None: too early to tell."""
    remaining: float | None
    """Seconds to the end of the stage, at that rate; None: not known."""
    of: tuple[str, ...] | None = None
    """The sources that its process brings up to date, in their order; None: it does not say."""
    since: float | None = None
    """Seconds since its process began the first of its stages; None: it does not say."""


class ProgressNotes:
    """What this process does in a workspace."""

    def __init__(self, folder: Path) -> None:
        """Keep the note in `folder`, which is made when there is something to tell."""
        self._folder = folder
        self._file: LockFile | None = None
        self._path = folder
        self._stages: list[dict[str, Any]] = []
        self._noted = 0.0

    @contextmanager
    def running(
        self, stage: str, source: str | None = None, progress: Progress = silent, of: Sequence[str] | None = None
    ) -> Iterator[Progress]:
        """Record that a stage runs, and give the function that takes its progress, which `progress` gets too.

        `of` are the sources that it brings up to date; a stage within it is of the same.
        """
        note = {"pid": os.getpid(), "stage": stage, "source": source, "done": 0, "total": None, "began": time.time()}
        note["of"] = of if of is not None or not self._stages else self._stages[-1]["of"]
        note["since"] = self._stages[0]["began"] if self._stages else note["began"]
        self._begin(note)

        def report(done: int, total: int | None) -> None:
            note.update(done=done, total=total)
            if time.monotonic() - self._noted >= INTERVAL:
                self._write()
            progress(done, total)

        try:
            with span(stage, {STAGE: f"sync.{stage}"} | ({"rag.source": source} if source else {})):
                yield report
        finally:
            self._end()

    def _begin(self, note: dict[str, Any]) -> None:
        self._stages.append(note)
        with suppress(OSError):  # a full disk stops the work where it matters, not here
            self._file = self._file or self._open()
        self._write()

    def _end(self) -> None:
        self._stages.pop()
        if self._stages:
            self._write()
        elif self._file:
            self._file.close()  # before it is removed: Windows removes no open file
            self._file = None
            self._path.unlink(missing_ok=True)

    def _open(self) -> LockFile:
        for path in self._folder.glob("*.json"):
            if not is_locked(path):
                path.unlink(missing_ok=True)
        while True:
            self._path = self._folder / f"{secrets.token_hex(8)}.json"
            file = LockFile(self._path)
            file.wait()
            if file.linked:  # else another process took it for deserted before it was locked
                return file
            file.close()

    def _write(self) -> None:
        self._noted = time.monotonic()
        if self._file:
            with suppress(OSError):
                self._file.write_note(json.dumps(self._stages[-1]).encode())


def running_stages(folder: Path) -> list[Running]:
    """Return the stages that live processes are in, the one begun first first."""
    notes = [note for path in sorted(folder.glob("*.json")) if (note := _read(path))]
    return [_running(note) for note in sorted(notes, key=lambda note: note["began"])]


def _read(path: Path) -> dict[str, Any] | None:
    for _ in range(3):  # it may be read while it is written
        try:
            return json.loads(read_note(path)) if is_locked(path) else None
        except FileNotFoundError:
            return None
        except ValueError:
            time.sleep(0.01)
    return None


def _running(note: dict[str, Any]) -> Running:
    done, total, seconds = note["done"], note["total"], max(time.time() - note.pop("began"), 0.0)
    rate = done / seconds if done and seconds > INTERVAL else None
    left = (total - done) / rate if rate and total is not None else None
    of, since = note.pop("of", None), note.pop("since", None)  # a process of an older release does not say
    return Running(
        **note,
        of=None if of is None else tuple(of),
        since=None if since is None else round(max(time.time() - since, 0.0), 1),
        seconds=round(seconds, 1),
        rate=None if rate is None else round(rate, 2),
        remaining=None if left is None else round(left, 1),
    )
