"""The cost ledger: what each stage of each run saw, made, reused and wrote, and how long it took.

One line of ``data/ledger.jsonl`` per stage and run, whoever started it. What a version cost is the sum of the lines
since the version before it was built: it grows with what changed, not with what there is.
"""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.storage.atomic import explaining_full_disk


@dataclass(frozen=True, slots=True)
class Entry:
    """One stage of one run."""

    at: str
    run_id: str
    source: str | None
    """None: the stage is of the whole workspace."""
    stage: str
    seconds: float
    bytes_written: int
    counts: dict[str, int]


class CostLedger:
    """The file of entries; only ever appended to, by whole lines."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def record(self, **entry: Any) -> None:
        """Write down what a stage did; its fields are those of `Entry` but `at`."""
        line = json.dumps({"at": datetime.now(UTC).isoformat()} | entry, ensure_ascii=False)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with explaining_full_disk(self.path), self.path.open("ab", buffering=0) as file:
            file.write(b"\n" + line.encode())  # in one piece, and on its own line also after a torn one

    def entries(self, since: str = "") -> list[Entry]:
        """Return the entries after that moment (ISO 8601), oldest first."""
        if not self.path.exists():
            return []
        read = (parse_entry(line) for line in self.path.read_bytes().split(b"\n") if line)
        return [entry for entry in read if entry and entry.at > since]

    def newest(self, most: int = 64_000) -> list[Entry]:
        """Return the entries of the ledger's last so many bytes: what lately was, however long it is."""
        if not self.path.exists():
            return []
        with self.path.open("rb") as file:
            file.seek(max(file.seek(0, os.SEEK_END) - most, 0))
            lines = file.read().split(b"\n")
        return [entry for line in lines if line and (entry := parse_entry(line))]

    def last_build(self) -> list[Entry]:
        """Return the entries of the last build of a version and of all that was done for it since the one before."""
        entries = self.entries()
        before, last = [-1, -1, *(place for place, entry in enumerate(entries) if entry.stage == "index")][-2:]
        return [  # what was evaluated before the last build was the version before
            entry
            for place, entry in enumerate(entries)
            if place > before and (entry.stage != "evaluate" or place > last)
        ]


def total(entries: Iterable[Entry]) -> dict[str, Mapping[str, float]]:
    """Add up: seconds and bytes written by stage, and counts, named ``<stage>.<count>``."""
    seconds: dict[str, float] = {}
    written: dict[str, int] = {}
    counts: dict[str, int] = {}
    for entry in entries:
        seconds[entry.stage] = round(seconds.get(entry.stage, 0.0) + entry.seconds, 3)
        written[entry.stage] = written.get(entry.stage, 0) + entry.bytes_written
        for name, count in entry.counts.items():
            key = f"{entry.stage}.{name}"
            counts[key] = counts.get(key, 0) + count
    return {"seconds": seconds, "bytes_written": written, "counts": counts}


def parse_entry(line: bytes) -> Entry | None:
    """Read a line of the ledger; None: it is none, or not whole."""
    try:
        return Entry(**json.loads(line))
    except (ValueError, TypeError):
        return None  # torn by a kill
