"""A folder's content exchanged for other content that was made ready beside it, and kept.

What is ready lies in ``.restore`` with a note of what is to be done. The exchange is a rename for each name, and
whoever comes after a kill finishes it: nobody works with half of the old and half of the new.
"""

import itertools
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from rag_platform.storage.atomic import fsync, write_bytes
from rag_platform.storage.locks import locked

READY = ".restore"
_PLAN = "exchange.json"
_CONTENT = "content"
KEPT = ".before-restore-"
"""How the folder begins in which what was there is kept."""


def prepare(home: Path) -> Path:
    """Return an empty folder in which the new content is made."""
    shutil.rmtree(home / READY, ignore_errors=True)
    content = home / READY / _CONTENT
    content.mkdir(parents=True, mode=0o700)
    return content


def exchange(home: Path, mark: str) -> Path | None:
    """Put what was made ready in its place; returns where what was there is kept, None when there was nothing."""
    names = sorted(path.name for path in (home / READY / _CONTENT).iterdir())
    places = itertools.chain([f"{KEPT}{mark}"], (f"{KEPT}{mark}-{number}" for number in itertools.count(2)))
    kept = next(home / place for place in places if not (home / place).exists())  # a backup may be restored twice
    write_bytes(home / READY / _PLAN, json.dumps({"kept": kept.name, "names": names}).encode())
    finish_exchange(home)
    return kept if kept.exists() else None


def finish_exchange(home: Path) -> None:
    """Finish an exchange that began, if one did."""
    if not (home / READY / _PLAN).exists():
        return
    with locked(home / ".restore.lock"):
        try:
            plan = json.loads((home / READY / _PLAN).read_bytes())
        except FileNotFoundError:  # another process has finished it
            return
        _exchange(home, home / plan["kept"], plan["names"])
        (home / READY / _PLAN).unlink()
    shutil.rmtree(home / READY, ignore_errors=True)


def _exchange(home: Path, kept: Path, names: Sequence[str]) -> None:
    for name in names:
        new = home / READY / _CONTENT / name
        if not new.exists():  # it is in its place since before a kill
            continue
        if (home / name).exists():
            if not kept.exists():
                kept.mkdir(mode=0o700)
                write_bytes(kept / ".gitignore", b"*\n")
            os.replace(home / name, kept / name)
        os.replace(new, home / name)
    fsync(home)
