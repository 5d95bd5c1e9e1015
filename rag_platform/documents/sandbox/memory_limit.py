"""The memory that a reader's process may take.

On Linux the kernel refuses it more address space. Elsewhere (Windows has no such limit, macOS accepts it and does not
keep to it) the owner looks at the memory in use twice a second and ends a process that exceeds its limit: one that
allocates faster than that can take more for a moment.
"""

import sys

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]  # there is no such module to have a type

LIMITED_BY_KERNEL = resource is not None and sys.platform == "linux"
INTERVAL = 0.5
"""Seconds between two looks, where the kernel does not limit it."""


def limit_memory(size: int) -> None:
    """Limit this process to so many bytes, and let it leave no core dump; does nothing where the system cannot."""
    if LIMITED_BY_KERNEL:
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def exceeds_memory(pid: int, size: int) -> bool:
    """Return whether a process uses more than so many bytes that the kernel did not refuse it."""
    if LIMITED_BY_KERNEL:
        return False
    import psutil

    try:
        return bool(psutil.Process(pid).memory_info().rss > size)
    except psutil.Error:  # it has ended
        return False
