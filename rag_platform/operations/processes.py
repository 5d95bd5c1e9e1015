"""Does a process that was noted down still run? Numbers of processes are given again, so its age is looked at too."""

import os
from functools import cache
from pathlib import Path

SLACK = 10.0
"""Seconds by which clocks and notes may differ."""


def is_alive(pid: int, noted_at: float) -> bool:
    """Tell whether the process that had that number at a moment (seconds since 1970) runs still.

    Where that cannot be told, such as of a system without /proc, a process that there is counts as the same one.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # somebody else's
    try:
        state, *numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        began = _booted_at() + int(numbers[18]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return True
    return state != "Z" and began <= noted_at + SLACK


@cache
def _booted_at() -> float:
    lines = Path("/proc/stat").read_text().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("btime")))
