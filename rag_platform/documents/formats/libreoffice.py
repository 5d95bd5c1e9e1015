"""The program LibreOffice, the converter of last resort: which files it is given, and what it makes of each.

A process that reads documents may start no program: its owner runs this one for it, see `sandbox/conversion.py`.
"""

import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

from rag_platform.core.errors import ExtractionError

INSTALL = "apt-get install libreoffice-nogui"

_TEXTS = ".602 .cwk .doc .hwp .lrf .lwp .mcw .mw .pages .pdb .stw .sxw .sdw .tcr .wp .wpd .wps .wpt .wri"
_SHEETS = ".123 .numbers .qpw .sdc .stc .sxc .wb1 .wb2 .wb3 .wdb .wk1 .wk3 .wk4 .wks .wq1 .wq2 .xls"
_SLIDES = ".key .pps .ppt .sdd .sti .sxi"
_DRAWINGS = ".cdr .cmx .fh7 .fh8 .fh9 .p65 .pm6 .pmd .pub .qxd .qxp .sda .std .sxd .vsd .vsdm .vsdx .vss .vst .wpg .zmf"
TARGETS = {
    **dict.fromkeys(_TEXTS.split(), "odt"),
    **dict.fromkeys(_SHEETS.split(), "ods"),
    **dict.fromkeys(_SLIDES.split(), "odp"),
    **dict.fromkeys(_DRAWINGS.split(), "odg"),
}
"""What is made of files of each suffix: what keeps most of them, and a reader here reads."""
_MARKS = {
    b"\xffWPC": ".wpd",
    b"\xdb\xa5": ".doc",
    b"\x31\xbe\x00\x00": ".wri",
    b"\x00\x00\x02\x00\x06\x04\x06\x00": ".wk1",
    b"\x00\x00\x1a\x00": ".wk3",
    b"HWP Document File": ".hwp",
}
"""How files begin that need not be called by a suffix."""
_STREAMS = {
    "VisioDocument": ".vsd",
    "Quill": ".pub",
    "MatOST": ".wps",
    "StarWriterDocument": ".sdw",
    "StarCalcDocument": ".sdc",
    "StarDrawDocument3": ".sdd",
}
"""The same of compound files, by a stream in them."""


def suffix_for(content: bytes, suffix: str) -> str | None:
    """Return the suffix under which LibreOffice may know a file; None: it is of no kind that it reads."""
    if suffix in TARGETS:
        return suffix
    marked = (found for mark, found in _MARKS.items() if content.startswith(mark))
    named = (found for name, found in _STREAMS.items() if name.encode("utf-16-le") in content[: 1 << 20])
    return next(marked, None) or next(named, None)


@cache
def program() -> Path | None:
    """Return the program that converts; None: it is not installed."""
    found = shutil.which("soffice") or shutil.which("libreoffice")
    if not found:
        return None
    launcher = Path(found).resolve()
    binary = launcher.with_name("soffice.bin")  # the launcher starts it in a process of its own, which the cell refuses
    return binary if binary.is_file() else launcher


@cache
def converter() -> str:
    """Return the name and version of what converts here, such as "LibreOffice 7.4"; empty: nothing does."""
    found = program()
    if found is None:
        return ""
    try:
        told = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ""
    match = re.search(r"\d+\.\d+", told.stdout)
    return f"LibreOffice {match[0]}" if match else ""


def converted(content: bytes, suffix: str) -> bytes:
    """Return a file as an OpenDocument file of the kind that `TARGETS` says.

    Raises:
        ExtractionError: LibreOffice does not read it, or took too much.
    """
    return _run(content, suffix)


def run_by(run: Callable[[bytes, str], bytes]) -> None:
    """Let this run the program from now on, in place of this process."""
    global _run  # noqa: PLW0603 (a process has one way)
    _run = run


def count(seconds: float) -> None:
    """Count processor time that the program took."""
    global _seconds  # noqa: PLW0603 (as above)
    _seconds += seconds


def seconds() -> float:
    """Return the processor time that the program took for this process in all."""
    return _seconds


def _refused(_content: bytes, _suffix: str) -> bytes:
    raise ExtractionError("files are converted in the cell alone")


_run: Callable[[bytes, str], bytes] = _refused
_seconds = 0.0
