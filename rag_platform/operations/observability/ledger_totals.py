"""The cost ledger as totals that only grow: each look reads what came since the last one."""

import threading
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from rag_platform.monitoring.cost_ledger import Entry, parse_entry

Key = tuple[str, ...]


class LedgerTotals:
    """Seconds and bytes of each stage, and how many of what it counted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._begin()

    def _begin(self) -> None:
        self._read = 0
        self._seconds: defaultdict[Key, float] = defaultdict(float)
        self._bytes: defaultdict[Key, float] = defaultdict(float)
        self._items: defaultdict[Key, float] = defaultdict(float)

    def now(self) -> tuple[Mapping[Key, float], Mapping[Key, float], Mapping[Key, float]]:
        """Return seconds and bytes by (stage,), and what was counted by (stage, what), of all entries that are there.

        A file that became shorter is another one, and is read anew. May be called from several threads at once.
        """
        with self._lock:
            if self._path.exists():
                self._update()
            return dict(self._seconds), dict(self._bytes), dict(self._items)

    def _update(self) -> None:
        if self._path.stat().st_size < self._read:
            self._begin()
        with self._path.open("rb") as file:
            file.seek(self._read)
            for line in file:
                if not line.endswith(b"\n") and parse_entry(line) is None:
                    break  # still being written
                self._read += len(line)
                if entry := parse_entry(line):
                    self._add(entry)

    def _add(self, entry: Entry) -> None:
        self._seconds[(entry.stage,)] += entry.seconds
        self._bytes[(entry.stage,)] += entry.bytes_written
        for name, count in entry.counts.items():
            self._items[entry.stage, name] += count
