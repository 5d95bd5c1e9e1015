"""One more copy of a workspace, while it is used; old copies go, and damage is found.

Nothing waits for a backup: it holds a lock for the milliseconds in which the pointers are read. Versions are copied
first, then the pointers, then whatever version they name by now: no pointer in a copy names what is not in it.
"""

import os
import secrets
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.core.errors import StorageError
from rag_platform.core.installation import platform_version
from rag_platform.core.ports import Progress, silent
from rag_platform.index.releases.version_folder import VersionFolder
from rag_platform.operations.backup import app_tables, contents
from rag_platform.operations.backup.snapshot import (
    CopiedFile,
    Snapshot,
    known_files,
    pieces_of,
    read_snapshot,
    remove_snapshot,
    snapshot_ids,
    write_snapshot,
)
from rag_platform.operations.backup.target import Pieces, Target, object_name
from rag_platform.storage.sqlite import PATIENCE
from rag_platform.storage.user_cache import file_state
from rag_platform.workspace import Workspace

PIECE = 8_000_000
"""Bytes of a piece: what a log grew by, or a matrix changed in, costs its pieces and not the file."""
_THREADS = 4
_MTIME = 3
"""Place of the time of change in a file's state."""
_ROUNDS = 8
"""Attempts to find pointers whose versions are all copied: each is one publication during the last."""


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What a backup did."""

    id: str
    target: str
    live: str | None
    versions: tuple[str, ...]
    files: int
    bytes: int
    new_files: int
    new_bytes: int
    """Of content that the target did not have."""
    written_bytes: int
    """Of that, after compression."""
    reused_bytes: int
    removed: tuple[str, ...]
    """Snapshots that went."""
    seconds: float
    left_out: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return asdict(self)


def backup(
    workspace: Workspace, target: Target, *, keep: int | None = None, progress: Progress = silent
) -> BackupReport:
    """Copy a workspace as it is now; `keep` newest snapshots stay, None: all.

    Raises:
        WorkspaceBusy: another backup of this workspace, or into this folder, is running.
        StorageError: the target cannot be written; earlier snapshots are whole.
    """
    began, moment = time.perf_counter(), datetime.now(UTC)
    with workspace.store.lock("backup"), target.alone(), _scratch(workspace.settings.data) as scratch:
        workspace.store.bring_here()
        earlier = [read_snapshot(target, one) for one in snapshot_ids(target)[-1:]]
        copying = _Copying(workspace.settings.home, Pieces(target), earlier, scratch, progress)
        with workspace.versions.kept_for_copying():
            copying.copy(contents.files_of(workspace.settings.home))
            pointers = copying.versions_and_pointers(workspace.versions)
        copying.copy_uploads_again()
        for name, path in app_tables.dump(workspace, scratch).items():
            copying.keep(f"{contents.DATA}/{name}", path)
        workspace.suppression.bring_here()
        copying.keep(contents.FORGOTTEN)  # last: what was forgotten meanwhile is known to whoever restores this
        snapshot = Snapshot(
            id=_next_id(moment, earlier),
            began_at=moment.isoformat(),
            made_at=datetime.now(UTC).isoformat(),
            home=str(workspace.settings.home),
            release=platform_version(),
            live=pointers.get("CURRENT"),
            versions=tuple(sorted(copying.versions)),
            left_out=tuple(contents.left_out(workspace.settings.home)),
            files=tuple(copying.files[path] for path in sorted(copying.files)),
        )
        write_snapshot(target, snapshot)
        removed = _prune(target, copying.pieces, keep) if keep else []
    return copying.report(snapshot, target.place, removed, time.perf_counter() - began)


def _next_id(moment: datetime, earlier: Sequence[Snapshot]) -> str:
    """Return an id after the last one, also when the clock was set back."""
    last = earlier[-1].id if earlier else ""
    own = f"{moment:%Y%m%dT%H%M%S.%f}"
    return own if own > last else f"{last}+"


class _Copying:
    """A snapshot in the making."""

    def __init__(self, home: Path, pieces: Pieces, earlier: list[Snapshot], scratch: Path, progress: Progress) -> None:
        self.home, self.pieces = home, pieces
        self.files: dict[str, CopiedFile] = {}
        self.versions: set[str] = set()
        self._known = known_files(earlier, str(home))
        self._scratch, self._progress = scratch, progress
        self._counting = threading.Lock()
        self._planned = 0
        self._new_files = self._new_bytes = 0

    def copy(self, paths: Iterable[str]) -> bool:
        """Copy files, several at a time; returns whether all were there. Those that went meanwhile are left out."""
        wanted = list(paths)
        self._planned += len(wanted)
        everything = True
        pool = ThreadPoolExecutor(_THREADS)
        try:
            for found in pool.map(self._copied, wanted):
                everything = everything and found
                self._progress(len(self.files), self._planned)
        finally:
            pool.shutdown(cancel_futures=True)
        return everything

    def versions_and_pointers(self, versions: VersionFolder) -> dict[str, str]:
        """Copy the versions, then pointers that name only what was copied; returns the pointers' versions."""
        folder = self.home / contents.VERSIONS
        for _ in range(_ROUNDS):
            for version in sorted(path.parent.name for path in folder.glob("v*/manifest.json")):
                self._copy_version(version)
            small = versions.pointers_at_once()
            named: dict[str, str] = {
                name: small[name].decode().strip() for name in ("CURRENT", "CANDIDATE") if name in small
            }
            if set(named.values()) <= self.versions:
                for name, content in small.items():
                    self._keep_content(f"data/index/{name}", iter([content]))
                return named
        raise StorageError(f"the live version changed {_ROUNDS} times while it was copied; run the backup again")

    def _copy_version(self, version: str) -> None:
        """Copy a version that was not copied yet; one that is redacted meanwhile is not part of the snapshot."""
        paths = contents.files_of_version(self.home, version)
        if version in self.versions:
            paths = [path for path in paths if path.endswith("/evaluation.json")]  # written after the rest
        if paths and self.copy(paths):
            self.versions.add(version)
        elif version not in self.versions:
            for path in paths:
                self.files.pop(path, None)

    def copy_uploads_again(self) -> None:
        """Copy what was uploaded once more until bytes and entries agree: no entry without its bytes."""
        for _ in range(_ROUNDS):
            before = self._uploads()
            databases = [path for path in before if path.endswith(".sqlite")]
            whole = self.copy(databases) and self.copy(path for path in before if path not in self.files)
            if whole and self._uploads() >= before:
                return

    def _uploads(self) -> set[str]:
        return {path for path in contents.files_of(self.home) if path.startswith("data/uploads/")}

    def keep(self, path: str, source: Path | None = None) -> None:
        """Copy a file that nobody writes to meanwhile, if it is there; `source` is where it lies, if not at `path`."""
        try:
            self._keep_content(path, _pieces(source or self.home / path))
        except FileNotFoundError:
            return

    def _keep_content(self, path: str, content: Iterator[bytes]) -> None:
        size, pieces = self._put(content)
        self.files[path] = CopiedFile(path, size, time.time_ns(), pieces)

    def _copied(self, path: str) -> bool:
        """Copy a file unless the last snapshot has it already; returns whether it was there."""
        full = self.home / path
        state = tuple(file_state(full) or ())
        if not state:
            return False
        known = self._known.get(path)
        if known and known.state == state and self._has(known):
            self.files[path] = known
            return True
        try:
            database = contents.is_sqlite(full)
            with _database_copy(full, self._scratch) if database else nullcontext(full) as source:
                size, pieces = self._put(_pieces(source))
        except FileNotFoundError:
            return False
        # what SQLite writes goes to another file first, so only the content of a database tells
        lasting = not database and file_state(full) == list(state)
        self.files[path] = CopiedFile(path, size, state[_MTIME], pieces, state if lasting else ())
        return True

    def _has(self, file: CopiedFile) -> bool:
        return all(object_name(piece) in self.pieces.known for piece in file.pieces)

    def _put(self, content: Iterator[bytes]) -> tuple[int, tuple[str, ...]]:
        """Keep a file's content; returns its bytes and the hashes of its pieces."""
        size, new, hashes = 0, 0, []
        for piece in content:
            sha256, written = self.pieces.put(piece)
            hashes.append(sha256)
            size, new = size + len(piece), new + (len(piece) if written else 0)
        with self._counting:
            self._new_files += bool(new)
            self._new_bytes += new
        return size, tuple(hashes)

    def report(self, snapshot: Snapshot, place: str, removed: list[str], seconds: float) -> BackupReport:
        """Return what was done."""
        return BackupReport(
            id=snapshot.id,
            target=place,
            live=snapshot.live,
            versions=snapshot.versions,
            files=len(snapshot.files),
            bytes=snapshot.bytes,
            new_files=self._new_files,
            new_bytes=self._new_bytes,
            written_bytes=self.pieces.written,
            reused_bytes=max(0, snapshot.bytes - self._new_bytes),
            removed=tuple(removed),
            seconds=round(seconds, 2),
            left_out=snapshot.left_out,
        )


def prune(target: Target, keep: int) -> list[str]:
    """Remove all but the newest snapshots and what nothing names any more; returns the removed ones."""
    with target.alone():
        return _prune(target, Pieces(target), keep)


def _prune(target: Target, pieces: Pieces, keep: int) -> list[str]:
    """Lists go first: a kill leaves content that nobody names, never a list without its content."""
    ids = snapshot_ids(target)
    kept = [read_snapshot(target, one) for one in ids[-keep:]]  # one that cannot be read stops this before it begins
    for one in ids[:-keep]:
        remove_snapshot(target, one)
    pieces.remove_all_but(pieces_of(kept))
    return ids[:-keep]


def verify(target: Target, progress: Progress = silent) -> dict[str, list[str]]:
    """Read all content back; returns what is wrong with each snapshot, by its id."""
    found: dict[str, list[str]] = {}
    snapshots, pieces = [], Pieces(target)
    for one in snapshot_ids(target):
        try:
            snapshots.append(read_snapshot(target, one))
        except StorageError as error:
            found[one] = [str(error)]
    wanted = sorted(pieces_of(snapshots))
    damaged: dict[str, str] = {}
    for done, sha256 in enumerate(wanted, 1):
        try:
            pieces.get(sha256)
        except StorageError as error:
            damaged[sha256] = str(error)
        progress(done, len(wanted))
    for snapshot in snapshots:
        wrong = [f"{file.path}: {damaged[one]}" for file in snapshot.files for one in file.pieces if one in damaged]
        found[snapshot.id] = wrong
    return found


@contextmanager
def _scratch(data: Path) -> Iterator[Path]:
    """Give a folder for copies of databases; those that killed runs left are removed."""
    for left in data.glob(".backup-*"):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=data) as folder:
        yield Path(folder)


@contextmanager
def _database_copy(path: Path, scratch: Path) -> Iterator[Path]:
    """Copy a database with SQLite's own backup, which others may read and write meanwhile."""
    beside = scratch / secrets.token_hex(8)
    try:
        with (
            closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=PATIENCE)) as source,
            closing(sqlite3.connect(beside)) as copy,
        ):
            source.backup(copy)
        yield beside
    except sqlite3.Error as error:
        raise StorageError(f"{path} cannot be copied: {error}; `rag doctor` checks it") from error
    finally:
        beside.unlink(missing_ok=True)


def _pieces(path: Path) -> Iterator[bytes]:
    """Read a file in pieces; what a log grows by meanwhile belongs to the next backup."""
    with path.open("rb") as file:
        left = os.fstat(file.fileno()).st_size
        while left > 0 and (content := file.read(min(PIECE, left))):
            left -= len(content)
            yield content
