"""Calls of the Linux kernel that Python does not have: prctl, capset, unshare, and system calls by number."""

import ctypes
import os
import platform
import sys
from functools import cache

ON_LINUX = sys.platform == "linux"
X86, ARM = "x86_64", "aarch64"
MACHINE = {"AMD64": X86, "arm64": ARM}.get(platform.machine(), platform.machine())

_SET_PDEATHSIG, _CAPBSET_DROP, _SET_NO_NEW_PRIVS, _CAP_AMBIENT, _AMBIENT_CLEAR_ALL = 1, 24, 38, 47, 4
_CAPSET = {X86: 126, ARM: 91}
_UNSHARE = {X86: 272, ARM: 97}
_NEW_USER, _NEW_NETWORK, _NEW_IPC = 0x10000000, 0x40000000, 0x08000000
_CAPABILITIES_VERSION_3 = 0x20080522
_CAPABILITIES = 64
"""As many as a set has room for."""
_SIGKILL = 9


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def system_call(number: int, *arguments: object) -> int:
    """Call the kernel; a plain integer is passed as a C long.

    Raises:
        OSError: it refused.
    """
    given = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    result = int(_libc().syscall(ctypes.c_long(number), *given))
    if result < 0:
        raise OSError(error := ctypes.get_errno(), os.strerror(error))
    return result


def prctl(option: int, *arguments: int) -> None:
    """Change an attribute of this process; raises `OSError` where the kernel refuses."""
    given = [ctypes.c_ulong(one) for one in (*arguments, 0, 0, 0, 0)[:4]]
    if _libc().prctl(ctypes.c_int(option), *given) < 0:
        raise OSError(error := ctypes.get_errno(), os.strerror(error))


def end_with(parent: int) -> None:
    """Let the kernel kill this process when the thread that started it ends; at once, if its parent has gone."""
    prctl(_SET_PDEATHSIG, _SIGKILL)
    if os.getppid() != parent:  # it died before the line above
        os._exit(0)


def gain_no_privileges() -> None:
    """Let no program that this process starts gain any."""
    prctl(_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> None:
    """Give up all capabilities, also those that a program started by root would get."""
    for number in range(_CAPABILITIES):
        try:
            prctl(_CAPBSET_DROP, number)
        except OSError:  # there are not so many, or it has none that could be dropped
            break
    prctl(_CAP_AMBIENT, _AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION_3, 0)
    system_call(_CAPSET[MACHINE], header, (ctypes.c_uint32 * 6)())


def leave_network() -> None:
    """Go into a network namespace without any device, as root or, where the system lets everybody, without.

    Raises:
        OSError: this user may not.
    """
    own = _NEW_NETWORK | _NEW_IPC
    try:
        system_call(_UNSHARE[MACHINE], own)
    except PermissionError:
        system_call(_UNSHARE[MACHINE], own | _NEW_USER)
