"""The versions of a workspace, the pointer to the live one, and the log of its moves."""

import getpass
import json
import os
import shutil
import threading
from collections import OrderedDict
from datetime import UTC, datetime
from pathlib import Path

from rag_platform.errors import NothingPublished, VersionError
from rag_platform.index.version import EVALUATION, OpenVersion, read_manifest
from rag_platform.store import write_bytes

_OPEN = 4
"""Versions held open by one process: the live one, the last one, and two that are compared."""


class Versions:
    """The folder of versions; each process opens its own view and follows the pointer."""

    def __init__(self, folder: Path, *, exact_below: int = 50_000) -> None:
        self.folder = folder
        self._exact_below = exact_below
        self._opened: OrderedDict[str, OpenVersion] = OrderedDict()
        self._lock = threading.Lock()

    def path(self, version: str) -> Path:
        """Return the folder of a version."""
        return self.folder / "versions" / version

    def ids(self) -> list[str]:
        """Name the versions, oldest first."""
        return sorted(path.parent.name for path in (self.folder / "versions").glob("v*/manifest.json"))

    def manifests(self) -> list[dict]:
        """Return what is known of each version, oldest first."""
        return [read_manifest(self.path(version)) for version in self.ids()]

    def manifest(self, version: str) -> dict:
        """Return what is known of a version."""
        return read_manifest(self.path(version))

    def live_id(self) -> str | None:
        """Name the live version; None before the first publication."""
        return self._pointer("CURRENT")

    def candidate_id(self) -> str | None:
        """Name the version built last; None before the first build."""
        return self._pointer("CANDIDATE")

    def nominate(self, version: str) -> None:
        """Make a built version the candidate."""
        write_bytes(self.folder / "CANDIDATE", version.encode())

    def live(self) -> OpenVersion:
        """Open the live version. Whoever holds it keeps it, also when the pointer moves."""
        version = self.live_id()
        if version is None:
            raise NothingPublished("no index version has been published yet; run `rag sync`")
        return self.open(version)

    def open(self, version: str) -> OpenVersion:
        """Open a version, or return the one that is open."""
        with self._lock:
            if version not in self._opened:
                self._opened[version] = OpenVersion(self.path(version), exact_below=self._exact_below)
                if len(self._opened) > _OPEN:
                    self._opened.popitem(last=False)  # closed when its last holder lets go
            self._opened.move_to_end(version)
            return self._opened[version]

    def promote(self, version: str, why: str, *, run_id: str | None = None) -> str | None:
        """Make a version the live one by one atomic move; returns the one that was live."""
        if version not in self.ids():
            raise VersionError(f"there is no version {version!r}; known: {', '.join(self.ids()) or 'none'}")
        before = self.live_id()
        if before != version:
            write_bytes(self.folder / "CURRENT", version.encode())
            self._log({"version": version, "before": before, "why": why, "run_id": run_id})
        return before

    def moves(self) -> list[dict]:
        """Return every move of the pointer, oldest first."""
        path = self.folder / "log.jsonl"
        return (
            [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line] if path.exists() else []
        )

    def record_evaluation(self, version: str, scores: dict, verdict: dict) -> None:
        """Store a version's scores and the gate's verdict."""
        content = json.dumps({"scores": scores, "verdict": verdict}, indent=1, sort_keys=True, ensure_ascii=False)
        write_bytes(self.path(version) / EVALUATION, content.encode())

    def gc(self, keep: int) -> list[str]:
        """Remove all but the last `keep` versions, never the live one or the candidate; returns those removed."""
        needed = {self.live_id(), self.candidate_id()}
        removed = [version for version in self.ids()[:-keep] if version not in needed]
        for version in removed:
            shutil.rmtree(self.path(version))
        return removed

    def _pointer(self, name: str) -> str | None:
        try:
            return (self.folder / name).read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return None

    def _log(self, entry: dict) -> None:
        line = json.dumps({"at": datetime.now(UTC).isoformat(), "who": _who(), **entry}, ensure_ascii=False)
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())


def _who() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return f"uid {os.getuid()}"
