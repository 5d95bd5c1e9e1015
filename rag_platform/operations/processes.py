"""Does a process that was noted down still run? Numbers of processes are given again, so its age is looked at too."""

import psutil

SLACK = 10.0
"""Seconds by which clocks and notes may differ."""


def is_alive(pid: int, noted_at: float) -> bool:
    """Return whether the process that had that number at a moment (seconds since 1970) still runs."""
    try:
        process = psutil.Process(pid)
        return bool(process.status() != psutil.STATUS_ZOMBIE and process.create_time() <= noted_at + SLACK)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True  # somebody else's
