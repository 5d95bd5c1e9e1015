"""What the kernel lets a reader's process take, set from within before it reads.

Its processor time is limited from outside, document by document: see `meter.py`. Windows has no such limits, and macOS
does not keep to that on memory: there the owner looks at the memory in use.
"""

import sys

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]  # there is no such module to have a type

LIMITED_BY_KERNEL = resource is not None and sys.platform == "linux"
_FILES = 256
"""Open at the same time: libraries and models."""


def limit_resources(memory: int, seconds: int | None = None, file_bytes: int = 0) -> None:
    """Limit this process's address space in bytes, its open files and, if given, its processor time.

    It can also write no file of more than so many bytes, and leaves no core dump.
    """
    if resource is None:
        return
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: file_bytes, resource.RLIMIT_NOFILE: _FILES}
    if LIMITED_BY_KERNEL:
        limits[resource.RLIMIT_AS] = memory
    if seconds is not None:
        limits[resource.RLIMIT_CPU] = seconds
    for limit, wanted in limits.items():
        most = resource.getrlimit(limit)[1]
        value = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(limit, (value, value))


def limit_processor_time(pid: int, seconds: float) -> None:
    """Let the kernel end a process that has used so many seconds of processor time, where it can from outside."""
    if LIMITED_BY_KERNEL:
        resource.prlimit(pid, resource.RLIMIT_CPU, (int(seconds) + 1, resource.RLIM_INFINITY))
