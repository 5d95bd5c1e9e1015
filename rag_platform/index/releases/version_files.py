"""The files of a version: what describes it, and whether they are those that were built."""

import contextlib
import hashlib
import json
import stat
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rag_platform.core.errors import DamagedVersion, StorageError, VersionError
from rag_platform.index.vectors.nearest_note import NEAREST
from rag_platform.storage.atomic import file_sha256, write_bytes
from rag_platform.storage.hashed.row_files import ROWS
from rag_platform.storage.hashed.sealed import sealed, unsealed
from rag_platform.storage.user_cache import file_state

MANIFEST = "manifest.json"
"""What the version is: of equal inputs, equal to the last byte."""
BUILD = "build.json"
"""How it came to be: when, by which runs, from which parent; and the checksums of the files."""
EVALUATION = "evaluation.json"
"""Scores and verdict, written once beside the manifest, which the build made immutable before they were known."""
CHECKED = "checked.json"
"""Which files were found sound, and what the system said of them then; see docs/decisions/0026."""

MEND = ". `rag repair` mends it"
"""How every message about damage to a version ends."""
_NOTES = (".lock", ".new", NEAREST)
"""Suffixes of what readers leave beside the files that were built."""
State = list[int] | None
_UNLINKED = 4
"""Of a file's state; what comes after them also changes when another version shares the file."""


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read what is known of a version: its manifest, how it was built and, once it has one, its evaluation.

    A damaged evaluation counts as none; `unreadable` then says so. The version can answer all the same.

    Raises:
        VersionError: there is no such version.
        DamagedVersion: its manifest or its build is not what was written.
    """
    manifest, build = _sound_manifest(folder)
    evaluation: dict[str, Any] = {}
    if (folder / EVALUATION).exists():
        try:
            evaluation = unsealed((folder / EVALUATION).read_bytes())
        except (OSError, ValueError) as error:
            evaluation = {"unreadable": f"{EVALUATION} is damaged ({error})"}
    runs = build.get("sources", {})
    sources = {source: counts | runs.get(source, {}) for source, counts in manifest["sources"].items()}
    return {**manifest, **build, **evaluation, "sources": sources}


def _sound_manifest(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    name = MANIFEST
    try:
        content = (folder / MANIFEST).read_bytes()
        manifest, name = json.loads(content), BUILD
        build = unsealed((folder / BUILD).read_bytes())
    except FileNotFoundError as error:
        if not folder.is_dir():
            raise VersionError(
                f"there is no version {folder.name!r}; `rag index list` names those there are"
            ) from error
        raise damaged(folder, f"{name} is missing") from error
    except (OSError, ValueError) as error:
        raise damaged(folder, f"{name} is damaged ({error})") from error
    if hashlib.sha256(content).hexdigest() != build["files"].get(MANIFEST):
        raise damaged(folder, f"{MANIFEST} is not the file that was built")
    return manifest, build


def damaged(folder: Path, why: str) -> DamagedVersion:
    """Return the error that a version is damaged."""
    return DamagedVersion(f"{folder.name} is damaged: {why}{MEND}")


def write_build(folder: Path, about: dict[str, Any], known: Mapping[str, str] = MappingProxyType({})) -> None:
    """Note how a version was built, with the checksums of its files, all of which are there; they count as checked.

    `known`: the checksums of those that another version, which is sound, has too.
    """
    files = checksums(folder, known)
    (folder / BUILD).write_bytes(sealed(about | {"files": files}))
    _note(folder, _states(folder, files))


def checksums(folder: Path, known: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Hash every file of a version but what describes it, and those whose checksums are known."""
    return {name: known.get(name) or file_sha256(folder / name) for name in built_files(folder)}


def built_files(folder: Path) -> list[str]:
    """Name every file of a version but what describes it, and rows of bytes, which are named by their hash."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [
        path.relative_to(folder).as_posix()
        for path in paths
        if path.name not in (BUILD, EVALUATION, CHECKED) and path.suffix not in (*_NOTES, ROWS)
    ]


def file_states(folder: Path, names: Iterable[str]) -> dict[str, State]:
    """Return what the system says of the files that a version was built with, and of what describes it."""
    return _states(folder, (*names, BUILD))


def folder_states(folder: Path) -> dict[str, State]:
    """Return what the system says of every file of a version but the notes that readers make."""
    paths = (path for path in sorted(folder.rglob("*")) if path.name != CHECKED and path.suffix not in _NOTES)
    return {path.relative_to(folder).as_posix(): state_of(path) for path in paths if not path.is_dir()}


def damaged_files(
    folder: Path, expected: dict[str, str], *, thorough: bool = False, proven: Collection[str] = ()
) -> list[str]:
    """Say what is wrong with the files of a version, given their checksums.

    A file that was found sound and to which nobody has written since is read again only if `thorough`, and not if it is
    in one of the folders that are `proven`.
    """
    states, known = _states(folder, expected), _checked(folder)
    if thorough:
        known = {name: state for name, state in known.items() if any(name.startswith(f"{one}/") for one in proven)}
    changed = [name for name, state in states.items() if state is None or state != known.get(name)]
    problems = {name: problem for name in changed if (problem := file_problem(folder / name, expected[name]))}
    for name in problems:
        _distrust_sharers(folder, name)
    sound = {name: state for name, state in states.items() if name not in problems}
    if sound != known and _states(folder, sound) == sound:  # else one was written to meanwhile
        _note(folder, sound)
    return [f"{name} {problem}" for name, problem in problems.items()]


def distrust(folder: Path) -> None:
    """Have all files of a version read again when it is opened the next time."""
    with contextlib.suppress(OSError):
        (folder / CHECKED).unlink(missing_ok=True)


def _distrust_sharers(folder: Path, name: str) -> None:
    """Have the versions that share a damaged file read it again: they have noted that it was sound."""
    for other in folder.parent.glob(f"*/{name}"):
        with contextlib.suppress(OSError):
            if other.samefile(folder / name):
                distrust(other.parents[name.count("/")])


def file_problem(path: Path, expected: str) -> str | None:
    """Read a file and say what is wrong with it, given its checksum; None: nothing."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return "is no file any more"
        return None if file_sha256(path) == expected else "is not the file that was built"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror or error})"


def _states(folder: Path, names: Iterable[str]) -> dict[str, State]:
    return {name: state_of(folder / name) for name in names}


def state_of(path: Path) -> State:
    """Return what the system says of a file; None: it cannot be asked."""
    try:
        state = file_state(path)
    except OSError:
        return None
    return state and state[:_UNLINKED]


def _checked(folder: Path) -> dict[str, State]:
    try:
        states = json.loads((folder / CHECKED).read_bytes())
    except (OSError, ValueError):
        return {}
    return states if isinstance(states, dict) else {}


def _note(folder: Path, states: dict[str, State]) -> None:
    with contextlib.suppress(OSError, StorageError):  # where nobody may write, the files are read each time
        write_bytes(folder / CHECKED, json.dumps(states).encode())
