"""LibreOffice, which converts a file that a reader asks for: in a cell of its own, with a folder of its own."""

import os
import signal
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from subprocess import TimeoutExpired
from tempfile import TemporaryDirectory

from rag_platform.core.errors import ExtractionError, ReadingStopped
from rag_platform.documents.formats.libreoffice import TARGETS, program
from rag_platform.documents.options import Limits
from rag_platform.documents.sandbox.meter import INTERVAL, Meter
from rag_platform.documents.sandbox.programs import started
from rag_platform.documents.sandbox.protocol import Message, decoded, encoded
from rag_platform.documents.sandbox.starting import Process

_ARGUMENTS = ("--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck", "--convert-to")
_DATA = ("/usr/share", "/etc/libreoffice", "/var/lib/libreoffice", "/var/spool/libreoffice", "/etc/fonts")
_DEVICES = ("/dev/null", "/dev/urandom", "/var/cache/fontconfig", "/proc/stat", "/sys/devices/system/cpu")
_IDLE_SECONDS = 60.0
"""In which it does nothing: it waits for somebody to answer a question."""
_FOLDER_BYTES = 1 << 30
"""Of everything that it may write: its profile, what it keeps in between, and the result."""
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop>
<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>
<prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update">
<prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update">
<prop oor:name="Link" oor:op="fuse"><value>2</value></prop></item>
<item oor:path="/org.openoffice.TypeDetection.Filter/Filters">
<node oor:name="Text" oor:op="remove"/><node oor:name="Text (encoded)" oor:op="remove"/>
<node oor:name="Text - txt - csv (StarCalc)" oor:op="remove"/></item>
</oor:items>
"""
"""No macros, no links that are followed, and nothing that is unknown is taken for text."""


def convert(content: str, suffix: str, limits: Limits) -> Message:
    """Let LibreOffice convert a file, as the reply that a reader waits for."""
    given, spent = decoded(content), 0.0
    if suffix not in TARGETS or program() is None:
        return {"problem": "there is no program that converts it", "seconds": spent}
    limits = replace(limits, idle_seconds=min(limits.idle_seconds, _IDLE_SECONDS))
    with TemporaryDirectory(prefix="rag-convert-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        try:
            code, spent = _run(folder, f"given/document{suffix}", given, TARGETS[suffix], limits)
            result = _result(code, folder / f"document.{TARGETS[suffix]}", limits.member_bytes)
        except ReadingStopped as error:
            return {"problem": str(error), "seconds": limits.seconds}
        except (ExtractionError, OSError) as error:
            return {"problem": str(error), "seconds": spent}
    return {"converted": encoded(result), "seconds": spent}


def _run(folder: Path, name: str, given: bytes, target: str, limits: Limits) -> tuple[int, float]:
    """Convert a file in a folder of its own, and return the exit code and the seconds of processor time.

    Raises:
        ReadingStopped: it took too long, or wrote too much.
    """
    _write(folder, {**_profile(limits), name: given})
    return _ended(_start(_command(folder, target, folder / name), folder, limits), folder, limits)


@cache
def _profile(limits: Limits) -> dict[str, bytes]:
    """Return the files of a profile, which the first start makes and then ends, before there is any document."""
    with TemporaryDirectory(prefix="rag-profile-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        _write(folder, {"profile/user/registrymodifications.xcu": _SETTINGS.encode()})
        _ended(_start(_command(folder, "odt"), folder, limits), folder, limits)
        files = [one for one in (folder / "profile").rglob("*") if one.is_file()]
        return {str(one.relative_to(folder)): one.read_bytes() for one in files}


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _command(folder: Path, target: str, *given: Path) -> list[str]:
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    return [str(program()), profile, *_ARGUMENTS, target, "--outdir", str(folder), *map(str, given)]


def _start(command: list[str], folder: Path, limits: Limits) -> Process:
    return started(
        command,
        data=[*_DATA, *_DEVICES, str(Path(command[0]).parents[1])],
        memory=limits.memory,
        seconds=int(limits.seconds) + 1,
        folder=str(folder),
        file_bytes=limits.member_bytes,
        environment={"HOME": str(folder), "TMPDIR": str(folder), "SAL_USE_VCLPLUGIN": "svp"},
    )


def _ended(process: Process, folder: Path, limits: Limits) -> tuple[int, float]:
    """Wait for the end, and return the exit code and the seconds of processor time.

    Raises:
        ReadingStopped: it took too long, or wrote too much.
    """
    watch = Meter(process.pid, limits)
    try:
        while True:
            with suppress(TimeoutExpired):
                return process.wait(INTERVAL), watch.seconds
            watch.check()
            if _size(folder) > _FOLDER_BYTES:
                raise ReadingStopped(f"stopped: it wrote more than {_FOLDER_BYTES >> 20} MB")
    finally:
        _end(process)


def _end(process: Process) -> None:
    """End a process and those that it started, where the system lets it start any."""
    if hasattr(os, "killpg"):
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.communicate()


def _size(folder: Path) -> int:
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # it is gone by now
                total += Path(place, name).lstat().st_size
    return total


def _result(code: int, place: Path, most: int) -> bytes:
    """Return what was written: a file, no link to another one and no pipe.

    Raises:
        ExtractionError: nothing was, or too much.
    """
    if code < 0:
        raise ExtractionError(f"it died on it (signal {signal.Signals(-code).name})")
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(place, flags), "rb") as file:
            about = os.fstat(file.fileno())
            if stat.S_ISREG(about.st_mode) and about.st_size <= most:
                return file.read(most)
    except OSError:
        pass
    raise ExtractionError("it is damaged, protected by a password, or of no kind that it knows")
