"""A copy becomes a workspace again: here or elsewhere, whole or one version of the index."""

import os
import shutil
import sqlite3
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rag_platform.config.settings import FILE
from rag_platform.config.settings_file import load_settings
from rag_platform.core.errors import DatabaseUnavailable, NotFound, SettingsError, StorageError
from rag_platform.core.ports import Progress, silent
from rag_platform.erasure import forget as forgetting
from rag_platform.index.build.redaction import holds
from rag_platform.operations.backup import app_tables
from rag_platform.operations.backup.contents import DATA, FORGOTTEN, VERSIONS
from rag_platform.operations.backup.snapshot import CopiedFile, Snapshot
from rag_platform.operations.backup.target import Pieces, Target
from rag_platform.raw.suppression import Entry, Suppression
from rag_platform.storage.atomic import explaining_full_disk
from rag_platform.storage.locks import LockFile
from rag_platform.storage.objects.shared_tables import SharedStore
from rag_platform.storage.swapping import READY, exchange, finish_exchange, prepare
from rag_platform.workspace import Workspace, open_workspace

_THREADS = 4
ACCESS = "access.sqlite"
_BINARY = getattr(os, "O_BINARY", 0)
"""Only Windows distinguishes text from bytes."""


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What a restore did."""

    snapshot: str
    made_at: str
    home: str
    live: str | None
    versions: tuple[str, ...]
    files: int
    bytes: int
    seconds: float
    kept: str | None
    """Where what was there is now; None: there was nothing."""
    forgotten_again: tuple[str, ...]
    """Ids of what was forgotten since the backup, and has been removed from what was restored."""
    left_out: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return asdict(self)


def restore(
    home: Path, target: Target, snapshot: Snapshot, *, over: bool = False, progress: Progress = silent
) -> RestoreReport:
    """Make the workspace of a snapshot in `home`; what is there goes aside if `over`, and is kept.

    The new one is made beside and checked by its hashes, what was forgotten meanwhile is removed from it, and then it
    takes its place by renames.

    Raises:
        SettingsError: there is a workspace already, and `over` is not given; nothing was changed.
        StorageError: content of the backup is missing or damaged; nothing was changed.
        WorkspaceBusy: somebody is writing to the workspace that is there; nothing was changed.
    """
    began = time.perf_counter()
    finish_exchange(home)
    _refuse_occupied(home, over=over)
    home.mkdir(parents=True, exist_ok=True)
    with ExitStack() as held, LockFile(home / f"{READY}-running.lock") as running:
        running.wait()
        if _occupied(home):
            with suppress(SettingsError):  # a broken rag.toml is a reason to restore
                there = open_workspace(home)
                held.enter_context(forgetting.alone(there))
                there.store.bring_here()  # what is kept aside is whole then
        content = prepare(home)
        write_files(Pieces(target), snapshot.files, content, progress)
        again = _forget_again(home, content, snapshot)
        _keep_closed(home, content / DATA)
        said = app_tables.fill(open_workspace(content), over=over)
        kept = exchange(home, snapshot.id)
        said += _objects(home, over=over)
    return RestoreReport(
        snapshot=snapshot.id,
        made_at=snapshot.made_at,
        home=str(home),
        live=snapshot.live,
        versions=snapshot.versions,
        files=len(snapshot.files),
        bytes=snapshot.bytes,
        seconds=round(time.perf_counter() - began, 2),
        kept=str(kept) if kept else None,
        forgotten_again=tuple(again),
        left_out=(*snapshot.left_out, *said),
    )


def restore_version(workspace: Workspace, target: Target, snapshot: Snapshot, version: str) -> str:
    """Bring one version back beside those that are there, without moving a pointer; returns its id.

    Raises:
        NotFound: it is not in the snapshot.
        StorageError: it is there already, or holds what was forgotten since.
    """
    prefix = f"{VERSIONS}/{version}/"
    files = [file for file in snapshot.files if file.path.startswith(prefix)]
    if not files:
        raise NotFound(f"{snapshot.id} has no version {version!r}; it has {', '.join(snapshot.versions) or 'none'}")
    if workspace.versions.path(version).exists():
        raise StorageError(f"version {version} is there already; `rag index verify {version}` checks it")
    pieces, beside = Pieces(target), workspace.versions.path(f".v-restored-{version}")
    with workspace.store.lock("index"):
        shutil.rmtree(beside, ignore_errors=True)
        try:
            for file in files:
                _write(pieces, file, beside / file.path.removeprefix(prefix))
            _refuse_forgotten(workspace, beside, version)
            os.replace(beside, workspace.versions.path(version))
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    return version


def write_files(pieces: Pieces, files: Sequence[CopiedFile], folder: Path, progress: Progress) -> None:
    """Write files with their times, each checked by its hashes."""
    pool = ThreadPoolExecutor(_THREADS)
    try:
        written = pool.map(lambda file: _write(pieces, file, folder / file.path), files)
        for done, _ in enumerate(written, 1):
            progress(done, len(files))
    finally:
        pool.shutdown(cancel_futures=True)
    if hasattr(os, "sync"):  # all at once; Windows writes through
        os.sync()


def _write(pieces: Pieces, file: CopiedFile, path: Path) -> None:
    with explaining_full_disk(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700 if file.path.startswith(DATA) else 0o777)
        mode = 0o600 if file.path.startswith(DATA) else 0o666
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, mode), "wb") as opened:
            for sha256 in file.pieces:
                opened.write(pieces.get(sha256))
        os.utime(path, ns=(file.mtime_ns, file.mtime_ns))


def _occupied(home: Path) -> list[str]:
    return [name for name in (FILE, DATA) if (home / name).exists()]


def _refuse_occupied(home: Path, *, over: bool) -> None:
    if not over and (found := _occupied(home)):
        raise SettingsError(
            f"there is a workspace in {home} already ({', '.join(found)}); nothing was changed. Restore into another "
            "folder with --home, or add --replace: what is there is kept aside"
        )


def _forget_again(home: Path, content: Path, snapshot: Snapshot) -> list[str]:
    """Remove from restored content what was forgotten after it was copied, as far as it or this workspace knows."""
    known = {entry.id: entry for entry in Suppression(content / FORGOTTEN).entries()}
    known |= {entry.id: entry for entry in _forgotten_at(home)}
    again = [entry.id for entry in known.values() if _may_be_back(entry, snapshot)]
    if not known:
        return []
    entries = [replace(entry, done_at=None) if entry.id in again else entry for entry in known.values()]
    Suppression(content / FORGOTTEN).write(entries)
    if again:
        forgetting.finish(app_tables.of_files(load_settings(content)))
        shutil.rmtree(content / DATA / "locks", ignore_errors=True)
    return again


def _forgotten_at(home: Path) -> list[Entry]:
    """Return what the workspace that is there knows to be forgotten, also of other machines."""
    try:
        return open_workspace(home).suppression.entries() if _occupied(home) else []
    except SettingsError:  # which are a reason to restore
        return Suppression(home / FORGOTTEN).entries()


def _keep_closed(home: Path, restored: Path) -> None:
    """Carry over who may read what as it is decided now, and let no token back that was revoked since."""
    if not _occupied(home):
        return
    with suppress(sqlite3.Error):  # what is damaged here is a reason to restore
        if (now := home / DATA / ACCESS).exists():
            with closing(sqlite3.connect(now)) as source, closing(sqlite3.connect(restored / ACCESS)) as copy:
                source.backup(copy)
    try:
        there = open_workspace(home)
        known = there.database_url or (home / DATA / app_tables.JOURNAL).exists()
        if known and (restored / app_tables.JOURNAL).exists():
            app_tables.keep_valid(restored / app_tables.JOURNAL, app_tables.tokens_of(there))
    except DatabaseUnavailable:  # whether a token was revoked since is not known
        raise
    except (SettingsError, StorageError):
        return


def _objects(home: Path, *, over: bool) -> list[str]:
    """Put restored tables and bytes into the object store that the restored settings name, if they are to replace."""
    store = open_workspace(home).store
    if not isinstance(store, SharedStore):
        return []
    if over:
        store.take_over()
        return []
    return ["tables and raw bytes go to [scale] objects with the next sync; a prefix that has others is refused"]


def _may_be_back(entry: Entry, snapshot: Snapshot) -> bool:
    return entry.undone_at is None and (entry.done_at is None or entry.done_at >= snapshot.began_at)


def _refuse_forgotten(workspace: Workspace, folder: Path, version: str) -> None:
    """Raise `StorageError` when a version that was restored holds what was forgotten since."""
    gone = workspace.suppression.rule().doc_ids
    if gone and holds(folder, gone):
        raise StorageError(
            f"version {version} holds documents that were forgotten since; it was not restored. Restoring the whole "
            "backup removes them"
        )
