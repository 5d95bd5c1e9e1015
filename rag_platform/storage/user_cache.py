"""The user's cache: what can be made or fetched again, shared by all workspaces.

A file there, and a model's weights anywhere, must have the bytes that are expected. Hashing takes a second for each
200 MB, too long for a question from the terminal, so a hash is noted beside what the system says of the file. While
that is the same, nobody has written to the file (docs/decisions/0015).
"""

import contextlib
import hashlib
import json
import os
from pathlib import Path

from rag_platform.core.errors import StorageError
from rag_platform.storage.atomic import file_sha256, write_bytes

NOTES = ".checked"
"""The folder of the hashes that were found, a file for each path."""


def user_cache() -> Path:
    """Return the folder of models: RAG_MODEL_CACHE, else rag-platform/models in the user's cache."""
    if own := os.environ.get("RAG_MODEL_CACHE"):
        return Path(own).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").expanduser() / "rag-platform" / "models"


def file_state(path: Path) -> list[int] | None:
    """Return what changes when a file is replaced or written to; None when there is none."""
    try:
        stat = os.stat(path)  # noqa: PTH116  that of the path takes twice as long
    except FileNotFoundError:
        return None
    return [stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]


def noted_sha256(path: Path) -> str:
    """Return the sha256 of a file, which is read only if it is not the one that was hashed before."""
    state = file_state(path)
    note = user_cache() / NOTES / f"{hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:32]}.json"
    known = _read(note)
    if state is not None and known.get("state") == state:
        return str(known["sha256"])
    found = file_sha256(path)
    if file_state(path) == state:  # else it was written to meanwhile
        with contextlib.suppress(OSError, StorageError):  # where nobody may write, it is hashed each time
            write_bytes(note, json.dumps({"path": str(path), "state": state, "sha256": found}).encode())
    return found


def undamaged(folder: Path, stem: str, suffix: str) -> Path | None:
    """Return the file that `name_by_content` named, if its bytes are still those; a damaged one is removed."""
    for path in folder.glob(f"{stem}-*{suffix}"):
        if path.stem.rpartition("-")[2] == noted_sha256(path)[:16]:
            return path
        path.unlink(missing_ok=True)
    return None


def name_by_content(path: Path) -> Path:
    """Append the beginning of a file's sha256 to its name, and return the new one."""
    return path.replace(path.with_name(f"{path.stem}-{file_sha256(path)[:16]}{path.suffix}"))


def _read(note: Path) -> dict[str, object]:
    try:
        known = json.loads(note.read_bytes())
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) and isinstance(known.get("sha256"), str) else {}
