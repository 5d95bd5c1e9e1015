"""The scrub: each day a part of the files is read whole, in turn, so that damage is found where nobody looks."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from rag_platform.core.errors import VersionError
from rag_platform.index.releases.version_files import file_problem
from rag_platform.operations.damage.databases import databases
from rag_platform.operations.damage.finding import Damage
from rag_platform.operations.damage.inspecting import VERSIONS, blob_files, inspect_file, table_files, token_vectors
from rag_platform.operations.damage.scrub_record import place, read_record, write_record
from rag_platform.storage.hashed.row_files import ROWS
from rag_platform.workspace import Workspace

_MB = 10**6
_SAVE = 64 * _MB
"""Bytes after which the place is remembered, so that what comes after a kill goes on from there."""


def scrub(workspace: Workspace, now: datetime | None = None) -> list[Damage]:
    """Read a day's part of the files, those first that were not read for longest; return what is damaged of them.

    A part is `health.scrub_mb` megabytes, and one file at least. So every file is read again within as many days as
    all of them have parts. What is damaged is remembered: `inspect` tells of it until it is mended.

    Raises:
        WorkspaceBusy: another process is doing this.
    """
    now, data, damages = now or datetime.now(UTC), workspace.settings.data, []
    left, unsaved = workspace.settings.health.scrub_mb * _MB, 0
    with workspace.store.lock("scrub"):
        record = read_record(data)
        for name in _in_turn(workspace, record.after) if left else ():
            size, damage = _size(data / name), _look(workspace, name)
            damages += [damage] if damage else []
            record = record.read(name, now, damaged=damage is not None)
            left, unsaved = left - size, unsaved + size
            if left <= 0:
                break
            if unsaved >= _SAVE:
                write_record(data, record)
                unsaved = 0
        found = {name: at for name, at in record.found.items() if inspect_file(workspace, name)}
        write_record(data, replace(record, at=now.isoformat(), found=found))
    return damages


def _in_turn(workspace: Workspace, after: str) -> Iterator[str]:
    yield from (name for name in _files(workspace) if place(name) > place(after))
    yield from (name for name in _files(workspace) if place(name) <= place(after))


def _files(workspace: Workspace) -> Iterator[str]:
    """Yield the files that have hashes, and the SQLite files, in the order of `place`."""
    data, versions = workspace.settings.data, workspace.versions
    found = [*table_files(workspace.store), *databases(data, rules=not workspace.settings.scale.database)]
    found += (path for folder in token_vectors(workspace) for path in folder.glob(f"*{ROWS}"))
    for version in versions.ids():
        with suppress(VersionError):  # `inspect` tells of it without reading all
            found += (versions.path(version) / name for name in versions.manifest(version)["files"])
    yield from sorted(path.relative_to(data).as_posix() for path in found)
    yield from (path.relative_to(data).as_posix() for path in blob_files(workspace.store))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _look(workspace: Workspace, name: str) -> Damage | None:
    """Look at a file; one that seems damaged is looked at twice, since it may have been replaced meanwhile."""
    of_version = name.startswith(VERSIONS) and not name.endswith(ROWS)
    if not (_differs(workspace, name) if of_version else inspect_file(workspace, name)):
        return None
    with suppress(OSError):  # so that whoever has it open, or opens it, reads it again
        os.utime(workspace.settings.data / name)
    return inspect_file(workspace, name)


def _differs(workspace: Workspace, name: str) -> bool:
    """Return whether a file of a version is not the one that was built."""
    version, _, file = name.removeprefix(VERSIONS).partition("/")
    try:
        expected = workspace.versions.manifest(version)["files"][file]
    except VersionError:
        return False  # removed meanwhile
    return file_problem(workspace.versions.path(version) / file, expected) is not None
