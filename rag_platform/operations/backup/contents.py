"""The files of a workspace that a backup copies: rag.toml, what it refers to here, and data/.

What is made anew by whoever runs stays out: locks, notes of progress, printed logs, what is half written. So does what
must not lie elsewhere in the clear: secrets.toml, keys, hidden files. SQLite's side files are in its copy.
"""

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rag_platform.config.settings import FILE
from rag_platform.config.source_kinds import CACHES
from rag_platform.index.releases.version_files import CHECKED
from rag_platform.index.releases.version_folder import POINTERS
from rag_platform.shards.shard_files import FOLDER as SHARDS

DATA = "data"
VERSIONS = "data/index/versions"
FORGOTTEN = "data/forgotten.jsonl"
_ALONGSIDE = ("dagster.yaml", "dg.toml", "questions", "rag_pipeline")
"""What lies beside rag.toml without being named in it."""
_MOMENTARY = ("locks", "progress", "serving", "logs", "tmp", CACHES, SHARDS)
_SIDE = (".lock", ".new", "-wal", "-shm", "-journal")
_SECRET = ("secrets.toml",)
_SQLITE = b"SQLite format 3\0"


def files_of(home: Path) -> list[str]:
    """Return the paths of what is copied but versions and pointers, sorted."""
    found = {path for path in _data_files(home) if not path.startswith(f"{VERSIONS}/")}
    own = {f"data/index/{name}" for name in POINTERS} | {FORGOTTEN}
    return sorted((found | set(_settings_files(home))) - own)


def files_of_version(home: Path, version: str) -> list[str]:
    """Return the paths of a version's files; empty when it is gone."""
    found = (path for path in (home / VERSIONS / version).rglob("*") if path.is_file())  # tantivy's have hidden names
    return sorted(
        path.relative_to(home).as_posix() for path in found if path.name != CHECKED and not path.name.endswith(_SIDE)
    )


def is_sqlite(path: Path) -> bool:
    """Return whether a file is a database of SQLite."""
    with path.open("rb") as file:
        return file.read(16) == _SQLITE


def left_out(home: Path) -> list[str]:
    """Say what of this workspace is not copied, and why."""
    said = []
    if (home / "data" / "secrets.enc").exists() or (home / "data" / "sessions.enc").exists():
        said.append("the key of data/*.enc (secrets, sessions), which lies outside the workspace: keep it elsewhere")
    else:
        said.append("secrets in the keyring of the operating system, if there are any")
    if (home / "secrets.toml").exists():
        said.append("secrets.toml, which holds secrets in the clear: keep it elsewhere")
    outside = sorted(text for text in set(_texts(_settings(home))) if _leads_outside(home, text))
    return [*said, *(f"{path}, which lies outside the workspace" for path in outside)]


def _data_files(home: Path) -> Iterator[str]:
    for path in _below(home, home / DATA):
        parts = path.split("/")
        if parts[1] not in _MOMENTARY:
            yield path


def _settings_files(home: Path) -> Iterator[str]:
    """Yield rag.toml and the files that it refers to in the workspace."""
    named = {home / FILE, *(home / name for name in _ALONGSIDE)}
    for text in _texts(_settings(home)):
        path = _path(home, text)
        if path is not None and path.is_relative_to(home):
            named.add(path)
    for path in named:
        if path.is_dir():
            yield from _below(home, path, without=home / DATA)
        elif path.is_file() and path.name not in _SECRET and not path.is_relative_to(home / DATA):
            yield path.relative_to(home).as_posix()


def _below(home: Path, folder: Path, without: Path | None = None) -> Iterator[str]:
    """Yield the files below a folder; links are not followed, hidden ones not copied but .gitignore."""
    for inside, folders, names in os.walk(folder):
        here = Path(inside)
        folders[:] = [one for one in folders if not one.startswith(".") and here / one != without]
        for name in names:
            path = here / name
            hidden = name.startswith(".") and name != ".gitignore"
            if not (hidden or name in _SECRET or name.endswith(_SIDE) or path.is_symlink()) and path.is_file():
                yield path.relative_to(home).as_posix()


def _settings(home: Path) -> Any:
    try:
        return tomllib.loads((home / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(inner)


def _path(home: Path, text: str) -> Path | None:
    """Return what a text of the settings refers to in the file system; None: nothing that is there."""
    text = text.partition(":///")[2] if text.startswith(("sqlite:", "duckdb:")) else text
    if not text or len(text) > 1000 or "\0" in text or "\n" in text:
        return None
    try:
        path = Path(os.path.normpath(home / Path(text).expanduser()))
        return path if path.exists() else None
    except (OSError, RuntimeError, ValueError):
        return None


def _leads_outside(home: Path, text: str) -> bool:
    path = _path(home, text) if ("/" in text or os.sep in text) else None
    return path is not None and not path.is_relative_to(home)
