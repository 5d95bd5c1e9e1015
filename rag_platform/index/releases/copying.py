"""What a copy of the versions needs: that none is removed by age meanwhile, and pointers read at one moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rag_platform.storage.locks import LockFile, is_locked, locked

MOVING = "moves.lock"
"""Held for milliseconds by whoever decides what is live and what goes."""
_COPIED = "copied.lock"
POINTERS = ("CURRENT", "CANDIDATE", "pins.json", "pins.copy.json", "log.jsonl")


@contextmanager
def kept_for_copying(folder: Path) -> Iterator[None]:
    """Let no version be removed by its age while the block runs; one that is forgotten goes all the same."""
    with LockFile(folder / _COPIED) as file:
        with locked(folder / MOVING):  # after a removal that has begun
            file.wait()
        yield


def being_copied(folder: Path) -> bool:
    """Return whether versions are being copied."""
    return is_locked(folder / _COPIED)


def pointers_at_once(folder: Path) -> dict[str, bytes]:
    """Return the pointers, the pins and the log of moves, by file, as they are at one moment."""
    with locked(folder / MOVING):
        return {name: (folder / name).read_bytes() for name in POINTERS if (folder / name).exists()}
