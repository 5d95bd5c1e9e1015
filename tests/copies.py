"""Copies of a workspace that a connection may still have open: its databases are whole."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path


def copy_of(home: Path, to: Path) -> Path:
    """Copy a workspace into a folder; a log of SQLite, which can vanish amid it, goes into the database's copy."""
    logs = shutil.ignore_patterns("*.sqlite-wal", "*.sqlite-shm")
    return Path(shutil.copytree(home, to, ignore=logs, copy_function=_copy, dirs_exist_ok=True))


def _copy(file: str, to: str) -> None:
    if not file.endswith(".sqlite"):
        shutil.copy2(file, to)
        return
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(to)) as copy:
        source.backup(copy)
    shutil.copymode(file, to)
