"""What a converter is: a program, the files that it is given, and what it makes of them."""

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

SYSTEM = ("/dev/null", "/dev/urandom", "/etc/localtime", "/usr/share")
FOLDER, PRINTED = "made", "printed"
"""Below the folder of a conversion: what a converter writes that makes several files, and what any one prints."""


@dataclass(frozen=True, slots=True)
class Converter:
    """A program of last resort."""

    name: str
    """What the document's record calls it."""
    purpose: str
    """What it reads, in words."""
    install: str
    """The command that installs it."""
    programs: tuple[str, ...]
    """What it may be called; the first that is found is run."""
    targets: Mapping[str, str]
    """The type that `extraction` reads of what it makes of files of each suffix; "tar": of several files."""
    command: Callable[[Path, Path, Path, str], list[str]]
    """(program, folder to write in, file, target) -> its command."""
    marks: Mapping[bytes, str] = field(default_factory=dict)
    """How files begin that need not be called by a suffix."""
    streams: Mapping[str, str] = field(default_factory=dict)
    """The same of compound files, by a stream in them."""
    prints: bool = False
    """What it makes is what it prints."""
    data: Callable[[Path], tuple[str, ...]] = lambda _program: SYSTEM
    """What the program may read beside the system's libraries."""
    asks_version: tuple[str, ...] = ()
    """Arguments with which it tells its version."""
    found: Callable[[Path], Path] = Path
    """Where the program lies that its launcher starts."""

    def suffix_for(self, content: bytes, suffix: str) -> str | None:
        """Return the suffix under which it may know a file; None: it is of no kind that it reads."""
        if suffix in self.targets:
            return suffix
        marked = (found for mark, found in self.marks.items() if content.startswith(mark))
        named = (found for name, found in self.streams.items() if name.encode("utf-16-le") in content[: 1 << 20])
        return next(marked, None) or next(named, None)

    def program(self) -> Path | None:
        """Return the program; None: it is not installed."""
        launcher = next(filter(None, map(shutil.which, self.programs)), None)
        return self.found(Path(launcher).resolve()) if launcher else None

    def version(self) -> str:
        """Return its name and version, such as "LibreOffice 7.4"; empty: it is not installed."""
        program = self.program()
        told = _told((str(program), *self.asks_version)) if program else ""
        match = re.search(r"\d+\.\d+(?:\.\d+)?", told)
        return f"{self.name} {match[0]}" if match else ""


@cache
def _told(command: tuple[str, ...]) -> str:
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ""
    return asked.stdout + asked.stderr
