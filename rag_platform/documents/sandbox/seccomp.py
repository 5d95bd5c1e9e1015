"""A filter of system calls: what reading needs is let through, all else is refused (man 2 seccomp).

The filter is a program of the kernel's classic BPF, which runs before each call of this process and its threads, for
good. PyPI's `pyseccomp` (last released in 2020) needs a C library that many systems lack, for a hundred numbers.
"""

import ctypes
import errno
import os
import socket
import struct
from collections.abc import Iterator

from rag_platform.documents.sandbox.linux import ARM, MACHINE, X86, system_call

_SECCOMP = {X86: 317, ARM: 277}
_AUDIT_ARCH = {X86: 0xC000003E, ARM: 0xC00000B7}
_SET_MODE_FILTER, _ALL_THREADS = 1, 1

# Name: number on x86_64, on aarch64. What a new C library tries first and reading can do without (clone3, close_range,
# openat2 …) is left out, and answered as an older kernel would: see `_RECENT`.
_CALLS: dict[str, tuple[int | None, int | None]] = {
    # files: reading what is open, opening to read (see `_conditions`), looking; Landlock says which
    "read": (0, 63), "readv": (19, 65), "pread64": (17, 67), "write": (1, 64), "writev": (20, 66), "lseek": (8, 62),
    "close": (3, 57), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "fcntl": (72, 25), "ioctl": (16, 29),
    "open": (2, None), "openat": (257, 56), "stat": (4, None), "fstat": (5, 80), "lstat": (6, None),
    "newfstatat": (262, 79), "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44), "access": (21, None),
    "faccessat": (269, 48), "faccessat2": (439, 439), "readlink": (89, None), "readlinkat": (267, 78),
    "getdents64": (217, 61), "getcwd": (79, 17), "fadvise64": (221, 223),
    # memory
    "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216), "madvise": (28, 233),
    "mincore": (27, 232), "brk": (12, 214), "membarrier": (324, 283),
    # threads, and the process itself; no other process
    "clone": (56, 220), "exit": (60, 93), "exit_group": (231, 94), "futex": (202, 98), "set_robust_list": (273, 99),
    "set_tid_address": (218, 96), "rseq": (334, 293), "arch_prctl": (158, None), "gettid": (186, 178),
    "getpid": (39, 172), "getppid": (110, 173), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176),
    "getegid": (108, 177), "getpgrp": (111, None), "getgroups": (115, 158), "prctl": (157, 167),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigsuspend": (130, 133), "rt_sigtimedwait": (128, 137), "sigaltstack": (131, 132),
    "restart_syscall": (219, 128), "kill": (62, 129), "tgkill": (234, 131), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126), "getcpu": (309, 168),
    "getpriority": (140, 141),
    # waiting
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22), "pipe": (22, None),
    "pipe2": (293, 59), "eventfd2": (290, 19), "clock_nanosleep": (230, 115), "nanosleep": (35, 101),
    # asking
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "gettimeofday": (96, 169), "time": (201, None),
    "times": (100, 153), "getitimer": (36, 102), "getrusage": (98, 165), "getrlimit": (97, 163),
    "prlimit64": (302, 261), "sysinfo": (99, 179), "uname": (63, 160), "getrandom": (318, 278),
}  # fmt: skip
# What a program needs beside them that writes its result into a folder; Landlock says into which. LibreOffice ends
# unless it can wait on a local socket for orders of another: it gets one, and binding and listening only seem to work.
_WRITING_CALLS: dict[str, tuple[int | None, int | None]] = {
    "pwrite64": (18, 68), "ftruncate": (77, 46), "fallocate": (285, 47), "fsync": (74, 82), "fdatasync": (75, 83),
    "mkdir": (83, None), "mkdirat": (258, 34), "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276),
    "unlink": (87, None), "unlinkat": (263, 35), "rmdir": (84, None), "chmod": (90, None), "fchmod": (91, 52),
    "fchmodat": (268, 53), "chdir": (80, 49), "umask": (95, 166), "socket": (41, 198), "bind": (49, 200),
    "listen": (50, 201),
}  # fmt: skip
_EXECVE = {X86: 59, ARM: 221}
_RECENT = 424
"""From here calls have one number on all machines. A C library does without those that it is told do not exist."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
"""BPF: load a word; jump if it is k, at least k, has a bit of k; return."""
_KILL, _ALLOW, _ERRNO = 0x80000000, 0x7FFF0000, 0x00050000
_REFUSE = _ERRNO | errno.EPERM
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
"""Where in `struct seccomp_data` they stand; each argument has eight bytes, the lower word first."""

_CLONE_THREAD = 0x10000
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_FCNTL = (0, 1, 2, 3, 4, 5, 1030, 1032)
"""Duplicate, flags, locks asked for, size of a pipe. Not who gets a signal when something comes (F_SETOWN)."""
_IOCTL = (0x5401, 0x5421, 0x541B, 0x5450, 0x5451)
"""Is it a terminal, blocking, bytes that wait, close on exec."""
_PRCTL = (15, 16, 0x53564D41)
"""The name of a thread and of a part of memory."""

Instruction = tuple[int, int, int, int]
"""Code, how far to jump if true and if false, k."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def supported() -> bool:
    """Return whether the filter is known for this machine."""
    return MACHINE in _SECCOMP


def restrict(*, execute: bool = False, write: bool = False) -> None:
    """Refuse this process and its threads what reading does not need.

    Args:
        execute: leave it execve.
        write: leave it what changes files.

    Raises:
        OSError: the kernel refused.
    """
    program = list(_program(os.getpid(), execute=execute, write=write))
    packed = b"".join(struct.pack("HBBI", *one) for one in program)
    given = _Program(len(program), packed)
    system_call(_SECCOMP[MACHINE], _SET_MODE_FILTER, _ALL_THREADS, ctypes.byref(given))


def _program(own: int, *, execute: bool = False, write: bool = False) -> Iterator[Instruction]:
    column = (X86, ARM).index(MACHINE)
    conditions = _conditions(own) | (_WRITING_CONDITIONS if write else {})
    yield _LOAD, 0, 0, _ARCH
    yield _EQUAL, 1, 0, _AUDIT_ARCH[MACHINE]
    yield _RETURN, 0, 0, _KILL  # the numbers of another machine's calls, such as those of 32 bits, mean other things
    yield _LOAD, 0, 0, _NUMBER
    for name, numbers in (_CALLS | _WRITING_CALLS if write else _CALLS).items():
        if (number := numbers[column]) is not None:
            body = conditions.get(name, _ALLOWED)
            yield _EQUAL, 0, len(body), number
            yield from body
    if execute:
        yield _EQUAL, 0, 1, _EXECVE[MACHINE]
        yield _RETURN, 0, 0, _ALLOW
    yield _AT_LEAST, 0, 1, _RECENT
    yield _RETURN, 0, 0, _ERRNO | errno.ENOSYS
    yield _RETURN, 0, 0, _REFUSE


def _conditions(own: int) -> dict[str, list[Instruction]]:
    """Return what decides on calls that are let through with some arguments alone."""
    myself = _one_of(0, (own,))
    return {
        "clone": _if_any_bit(0, _CLONE_THREAD, _ALLOW, _REFUSE),  # a thread, not a process
        "open": _if_any_bit(1, _WRITING, _REFUSE, _ALLOW),
        "openat": _if_any_bit(2, _WRITING, _REFUSE, _ALLOW),
        "kill": myself,
        "tgkill": myself,
        "fcntl": _one_of(1, _FCNTL),
        "ioctl": _one_of(1, _IOCTL),
        "prctl": _one_of(0, _PRCTL),
        "prlimit64": [*_zero(2), *_zero(2, upper=True), (_RETURN, 0, 0, _ALLOW)],  # no new limits
    }


_ALLOWED: list[Instruction] = [(_RETURN, 0, 0, _ALLOW)]


def _argument(number: int, *, upper: bool = False) -> Instruction:
    return _LOAD, 0, 0, _ARGUMENTS + 8 * number + 4 * upper


def _if_any_bit(number: int, bits: int, then: int, otherwise: int) -> list[Instruction]:
    return [_argument(number), (_ANY_BIT, 0, 1, bits), (_RETURN, 0, 0, then), (_RETURN, 0, 0, otherwise)]


def _one_of(number: int, values: tuple[int, ...]) -> list[Instruction]:
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_argument(number), *tests, (_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)]


def _zero(number: int, *, upper: bool = False) -> list[Instruction]:
    """Refuse unless the word is zero."""
    return [_argument(number, upper=upper), (_EQUAL, 1, 0, 0), (_RETURN, 0, 0, _REFUSE)]


_PRETENDED: list[Instruction] = [(_RETURN, 0, 0, _ERRNO)]
"""Nothing is done, and the answer is 0."""
_WRITING_CONDITIONS = {
    "open": _ALLOWED,
    "openat": _ALLOWED,
    "socket": _one_of(0, (socket.AF_UNIX,)),
    "bind": _PRETENDED,
    "listen": _PRETENDED,
}
