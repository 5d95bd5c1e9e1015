"""The cell: a process gives up everything but what it needs to read a document, before it has seen one.

Each layer holds by itself, and more than one stands before each thing that matters. A layer that the system does not
have is left out, and `enter` says what that leaves open: the owner decides whether to read all the same.
"""

import os
import sys
import sysconfig
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from rag_platform.documents.sandbox import landlock, linux, seccomp
from rag_platform.documents.sandbox.resource_limits import LIMITED_BY_KERNEL, limit_resources

GUARDED = ("network", "files", "other processes", "privileges", "memory")
"""What a document must not reach, or take without limit."""
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/nix/store")
_SYSTEM = ("/dev/null", "/dev/urandom", "/etc/localtime", "/etc/mime.types", "/proc/cpuinfo", "/proc/meminfo")
_SHARED = ("/sys/devices/system/cpu", "/usr/share/zoneinfo", "/usr/share/fonts", "/usr/share/locale")


def enter(memory: int, owner: int) -> dict[str, str]:
    """Go into the cell, for good; to be called before the process has a second thread.

    Args:
        memory: bytes of address space that it may take.
        owner: the process that started it, with which it ends.

    Returns:
        What holds each of `GUARDED`; empty where nothing does.
    """
    os.chdir("/")
    limit_resources(memory)
    return _confined(owner, _needed_by_python())


def enter_for(
    program: str,
    data: Iterable[str],
    memory: int,
    seconds: int,
    owner: int,
    folder: str | None = None,
    file_bytes: int = 0,
) -> dict[str, str]:
    """Go into a cell in which one program can be executed, which can start no other; otherwise as `enter`.

    Args:
        program: the only one that it may execute.
        data: what it may read beside the system's libraries.
        memory: bytes of address space that it may take.
        seconds: of processor time.
        owner: the process that started it.
        folder: the only one in which it may write; None: nowhere.
        file_bytes: most bytes of each file there.
    """
    os.chdir(folder or "/")
    limit_resources(memory, seconds, file_bytes)
    # the kernel executes the loader of its libraries too
    return _confined(owner, map(Path, data), [Path(program), *_libraries()], [Path(folder)] if folder else [])


def _confined(
    owner: int, readable: Iterable[Path], runnable: Iterable[Path] = (), writable: Sequence[Path] = ()
) -> dict[str, str]:
    readable, runnable = list(readable), list(runnable)
    known = linux.ON_LINUX and seccomp.supported()
    version = landlock.abi()
    done = {
        "namespace": known and _done(linux.leave_network),
        "capabilities": known and _done(linux.drop_capabilities),
        "no new privileges": known and _done(linux.gain_no_privileges),
        "Landlock": version > 0 and _done(lambda: landlock.restrict(readable, runnable, writable)),
        "parent": known and _done(lambda: linux.end_with(owner)),  # a change of credentials would have undone it
        "seccomp": known and _done(lambda: seccomp.restrict(execute=bool(runnable), write=bool(writable))),
    }
    holders = {
        "network": ("seccomp", "namespace"),
        "files": ("Landlock",),
        "other processes": ("seccomp",),
        "privileges": ("no new privileges", "capabilities"),
    }
    held = {what: ", ".join(name for name in names if done[name]) for what, names in holders.items()}
    return held | {"memory": "rlimit" if LIMITED_BY_KERNEL else ""}


def _done(step: Callable[[], None]) -> bool:
    try:
        step()
    except OSError:
        return False
    return True


def _needed_by_python() -> set[Path]:
    """Return the folders that modules and libraries are loaded from, and of ours, the package alone."""
    package = Path(__file__).parents[2]
    own = {path for path in map(Path, sys.path) if path.is_dir() and path.name in ("site-packages", "dist-packages")}
    own |= {Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    fixed = {*_libraries(), *map(Path, _SYSTEM), *map(Path, _SHARED)}
    with suppress(TypeError):  # of an interpreter without a shared library
        fixed.add(Path(sysconfig.get_config_var("LIBDIR")))
    return own | fixed | {package}


def _libraries() -> list[Path]:
    """Return where the system, and whoever set LD_LIBRARY_PATH, keep their libraries."""
    own = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    return [Path(folder) for folder in (*_LIBRARIES, *own) if folder]
