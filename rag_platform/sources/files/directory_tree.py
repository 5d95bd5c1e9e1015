"""A tree of directories that is looked at often: only the directories that changed are listed again.

A directory's own time changes when a file in it appears, goes, is renamed or is replaced (as most editors save), not
when a file's bytes are overwritten in place. So the whole tree is listed at times too: as often as it can be while that
takes at most `SHARE` of the time, and at least every `LONGEST` seconds.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rag_platform.core.ids import digest
from rag_platform.core.ports import Item

SHARE = 0.01
"""Of the time that listings of the whole tree may take: one of 0.3 s comes every 30 s, one of 3 s every 5 minutes."""
LONGEST = 900.0
"""Seconds between two listings of the whole tree, however long one takes."""
_GRANULARITY = 2_000_000_000
"""Nanoseconds within which two changes may bear the same time: the coarsest file system's (FAT)."""


@dataclass(frozen=True, slots=True)
class Directory:
    """One directory. Paths are those in the tree."""

    folders: tuple[Path, ...]
    """Directories in it that are entered."""
    items: tuple[Item, ...]
    failed: tuple[tuple[str, str], ...]
    """(uri, reason) of files that cannot be read."""


@dataclass(frozen=True, slots=True)
class _Seen:
    stamp: tuple[int, ...]
    """Changes when the directory does."""
    settled: bool
    """It was listed long enough after its last change that a later one must bear another time."""
    folders: tuple[Path, ...]
    mark: str


class TreeWatch:
    """Remembers what a tree was like. Keep the object between two looks: a new one begins with a whole listing.

    A look stats each directory once and lists those that changed; memory is about 300 bytes a directory.
    """

    def __init__(
        self,
        root: Path,
        listing: Callable[[Path], Directory],
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], int] = time.time_ns,
    ) -> None:
        """Look at nothing yet.

        Args:
            root: the tree's top.
            listing: lists one directory, given its path in the tree; OSError when it cannot.
            clock: seconds, for how long listings take.
            wall: nanoseconds since 1970, as files bear them.
        """
        self._root = root
        self._listing = listing
        self._clock = clock
        self._wall = wall
        self._seen: dict[Path, _Seen] = {}
        self._whole_at = clock()

    def fingerprint(self) -> str:
        """Return a mark that is the same while the files are, also that of another object for the same tree."""
        began = self._clock()
        whole = began >= self._whole_at
        seen: dict[Path, _Seen] = {}
        pending = [Path()]
        while pending:
            inside = pending.pop()
            seen[inside] = self._look(inside, None if whole else self._seen.get(inside))
            pending += seen[inside].folders
        self._seen = seen
        if whole:
            ended = self._clock()
            self._whole_at = ended + min((ended - began) / SHARE, LONGEST)
        return digest(*(part for inside in sorted(seen) for part in (inside.as_posix(), seen[inside].mark)))

    def _look(self, inside: Path, before: _Seen | None) -> _Seen:
        now = self._wall()
        try:
            about = (self._root / inside).stat()
            stamp = (about.st_mtime_ns, about.st_ctime_ns, about.st_ino)
            if before is not None and before.settled and before.stamp == stamp:
                return before
            found = self._listing(inside)
        except OSError as error:
            return _Seen((), settled=False, folders=(), mark=f"cannot be listed: {error.strerror}")
        settled = now - max(about.st_mtime_ns, about.st_ctime_ns) > _GRANULARITY
        files = (part for item in found.items for part in (item.uri, item.fingerprint or ""))
        return _Seen(stamp, settled, found.folders, digest(*files, *(uri for uri, _ in found.failed)))
