"""Landlock: this process gives up files, TCP and signals to others, for good (man 7 landlock).

Three system calls, which no C library wraps. PyPI's `landlock` is a development release that knows files alone and
takes a stale errno for a failure. A right that the kernel does not know yet is not asked for.
"""

import ctypes
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from rag_platform.documents.sandbox.linux import ON_LINUX, system_call

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_CHANGE = _WRITE_FILE | _READ_FILE | 0b11_1011_0000 | 1 << 13 | 1 << 14
"""Files and folders, to remove and to make; local sockets; to move and to cut off. No links, pipes and devices."""
_RIGHTS_BY_ABI = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
"""Rights to files by the version that brought them: all of the first, refer, truncate, ioctl of devices."""
_TCP = 0b11
"""To bind and to connect; known from version 4."""
_SCOPES = 0b11
"""Abstract sockets and signals of processes outside; known from version 6."""
TCP_ABI, SCOPES_ABI = 4, 6


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


@cache
def abi() -> int:
    """Return the version of Landlock that this kernel has; 0: none, or it is not switched on."""
    if not ON_LINUX:
        return 0
    try:
        return system_call(_CREATE_RULESET, None, 0, _VERSION)
    except OSError:
        return 0


def restrict(readable: Iterable[Path], runnable: Iterable[Path] = (), writable: Iterable[Path] = ()) -> None:
    """Leave this thread, and those that it starts, only these to read, to execute, and to read and write.

    It may write nowhere else, but goes on with what is open. Privileges must have been given up (`gain_no_privileges`).

    Raises:
        OSError: the kernel refused.
    """
    version = abi()
    files = sum(rights for since, rights in _RIGHTS_BY_ABI.items() if version >= since)
    attributes = _Ruleset(files, _TCP if version >= TCP_ABI else 0, _SCOPES if version >= SCOPES_ABI else 0)
    ruleset = system_call(_CREATE_RULESET, ctypes.byref(attributes), ctypes.sizeof(attributes), 0)
    try:
        for path in readable:
            _allow(ruleset, path, _READ_FILE)
        for path in runnable:
            _allow(ruleset, path, _READ_FILE | _EXECUTE)
        for path in writable:
            _allow(ruleset, path, _CHANGE & files)
        system_call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    """Allow what lies at or below a path, if there is anything."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rule = _PathBeneath(rights | (_READ_DIR if path.is_dir() else 0), place)
        system_call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(place)
