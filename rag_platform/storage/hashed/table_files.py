"""The file of a table, whose hash is noted beside it, so that damage is known from a table that says something else."""

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.core.errors import StorageError
from rag_platform.storage.atomic import atomic_write, file_sha256, write_bytes
from rag_platform.storage.upgrades import UPGRADES
from rag_platform.storage.user_cache import file_state

QUARANTINE = "damaged"
"""The folder of a workspace's data where damaged files are kept, each below the moment at which it was set aside."""
_NOTES = ".sums"
_PREVIOUS = ".previous"


@contextmanager
def table_write(path: Path) -> Iterator[Path]:
    """Replace a table as `atomic_write` does, and note its hash.

    The hashes of the old file and of the new one are noted before the exchange, so that no kill makes either a damage.
    """
    with atomic_write(path) as beside:
        yield beside
        new = file_sha256(beside)
        _note(path, [*_noted(path).get("hashes", ())[-1:], new], None)
    _note(path, [new], file_state(path))


def table_problem(path: Path, *, thorough: bool = False) -> str | None:
    """Say what is wrong with a table's file; None: nothing, or it was never written.

    A file that was found sound and to which nobody has written since is read again only if `thorough`.
    """
    noted = _noted(path)
    problem = _problem(path, noted, thorough)
    while problem and (meanwhile := _noted(path)) != noted:  # somebody wrote it while it was read
        noted = meanwhile
        problem = _problem(path, noted, thorough)
    return problem


def _problem(path: Path, noted: dict[str, Any], thorough: bool) -> str | None:
    try:
        state = file_state(path)
        if not noted or (state is not None and noted.get("state") == state and not thorough):
            return None
        if state is None:
            return "it is missing"
        found = file_sha256(path)
    except OSError as error:
        return f"it cannot be read ({error.strerror or error})"
    kept = path.parent.glob(f"{UPGRADES}/{path.stem}-*{path.suffix}")  # an older release may go on with these
    if found not in noted["hashes"] and found not in map(file_sha256, kept):
        return "it is not what was written"
    with contextlib.suppress(OSError, StorageError):
        if noted.get("state") != state and _noted(path) == noted:
            _note(path, [found], state)
    return None


def forget_table(path: Path) -> None:
    """Remove a table with what is noted of it."""
    for each in (path, _note_of(path), previous_table(path)):
        each.unlink(missing_ok=True)


def keep_previous(path: Path) -> None:
    """Keep a sound table as it is beside the one that takes its place: what a source said cannot be computed again."""
    if path.exists() and table_problem(path) is None:
        previous_table(path).parent.mkdir(exist_ok=True)
        fresh = previous_table(path).with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # a file system without links, or a full one: then there is none
            os.link(path, fresh)
            os.replace(fresh, previous_table(path))


def forget_previous(folder: Path) -> None:
    """Remove the tables before the last ones of a stage: they hold what is to be forgotten."""
    shutil.rmtree(folder / _PREVIOUS, ignore_errors=True)


def set_aside(path: Path, data: Path) -> Path:
    """Move a damaged file or folder of `data` to where such are kept, and return its new path."""
    moment = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S.%f")
    kept = data / QUARANTINE / moment / path.relative_to(data)
    kept.parent.mkdir(parents=True, exist_ok=True)
    os.replace(path, kept)
    return kept


def noted_tables(folder: Path) -> list[Path]:
    """Return the tables of a stage that were written, whether they are there or not."""
    return sorted(folder / f"{note.stem}.parquet" for note in (folder / _NOTES).glob("*.json"))


def previous_table(path: Path) -> Path:
    """Return where the table before the last one is kept, if it is."""
    return path.parent / _PREVIOUS / path.name


def _note_of(path: Path) -> Path:
    return path.parent / _NOTES / f"{path.stem}.json"


def _noted(path: Path) -> dict[str, Any]:
    try:
        noted = json.loads(_note_of(path).read_bytes())
    except (OSError, ValueError):
        return {}
    return noted if isinstance(noted, dict) and isinstance(noted.get("hashes"), list) else {}


def _note(path: Path, hashes: list[str], state: list[int] | None) -> None:
    write_bytes(_note_of(path), json.dumps({"hashes": hashes, "state": state}).encode())
