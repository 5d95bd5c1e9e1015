"""Does a process still run? Process ids are reused, so one that was noted down is known by its age too."""

import psutil

SLACK = 10.0
"""Seconds by which clocks and notes may differ."""


def is_running(process: psutil.Process) -> bool:
    """Return whether a process runs; one that ended and was not yet waited for does not."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def is_alive(pid: int, noted_at: float) -> bool:
    """Return whether the process that had that number at a moment (seconds since 1970) still runs."""
    try:
        process = psutil.Process(pid)
        return is_running(process) and process.create_time() <= noted_at + SLACK
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True  # somebody else's
