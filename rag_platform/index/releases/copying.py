"""What a copy of the versions needs: that none is removed by age meanwhile, and pointers read at one moment."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rag_platform.index.releases.pointers import CURRENT, LOG
from rag_platform.index.releases.version_folder import VersionFolder

MOVING = "moves"
"""The lock that is held for milliseconds by whoever decides what is live and what goes."""
COPIED = "copied"
_BESIDE = ("CANDIDATE", "pins.json", "pins.copy.json")
POINTERS = (CURRENT, LOG, *_BESIDE)


@contextmanager
def kept_for_copying(versions: VersionFolder) -> Iterator[None]:
    """Let no version be removed by its age while the block runs; one that is forgotten goes all the same."""
    with ExitStack() as held:
        with versions.locks.wait(MOVING):  # after a removal that has begun
            held.enter_context(versions.locks.hold(COPIED))
        yield


def pointers_at_once(versions: VersionFolder) -> dict[str, bytes]:
    """Return the pointers, the pins and the log of moves, by file, as they are at one moment."""
    folder = versions.folder
    with versions.locks.wait(MOVING):
        beside = {name: (folder / name).read_bytes() for name in _BESIDE if (folder / name).exists()}
        return versions.pointer.files() | beside
