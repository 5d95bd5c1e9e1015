"""Files that belong to their owner alone: folders 0700, files 0600.

Windows has no such modes: there a file has the rights that its folder passes on.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

OTHERS = 0o077
"""What the group and everybody else may do."""


def keep_new_files() -> None:
    """Make whatever this process and those it starts write from now on their owner's alone, whatever the umask was."""
    os.umask(OTHERS)


def make_private(folder: Path) -> int:
    """Take what is in a folder, and the folder itself, away from others; return how many things were open to them.

    Links are left alone, and so is what belongs to somebody else.
    """
    mended = 0
    for path in open_to_others(folder):
        try:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~OTHERS)
        except OSError:  # somebody else's, gone meanwhile, or on a disk that is only read: `rag doctor` says so
            continue
        mended += 1
    return mended


def open_to_others(folder: Path) -> Iterator[Path]:
    """Return what others than the owner may read, write or enter: the folder first, for then nobody comes further."""
    if os.name == "nt" or not folder.is_dir():
        return
    if is_open(folder):
        yield folder
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            if is_open(path := Path(place, name)):
                yield path


def is_open(path: Path) -> bool:
    """Return whether others than the owner have any right to a file or folder; a link has none of its own."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISLNK(mode) and bool(mode & OTHERS) and os.name != "nt"
