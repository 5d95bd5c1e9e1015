"""Programs that convert a file that a reader asks for: in a cell of their own, with a folder of their own."""

import io
import os
import signal
import stat
import tarfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from subprocess import TimeoutExpired
from tempfile import TemporaryDirectory

from rag_platform.core.errors import ExtractionError, ReadingStopped
from rag_platform.documents.formats.converters.converter import FOLDER, PRINTED, Converter
from rag_platform.documents.formats.converters.libreoffice import LIBREOFFICE, command
from rag_platform.documents.formats.converters.registry import BY_SUFFIX
from rag_platform.documents.options import Limits
from rag_platform.documents.sandbox.meter import INTERVAL, Meter
from rag_platform.documents.sandbox.programs import started
from rag_platform.documents.sandbox.protocol import Message, decoded, encoded
from rag_platform.documents.sandbox.starting import Process

_IDLE_SECONDS = 60.0
"""In which it does nothing: it waits for somebody to answer a question."""
_FOLDER_BYTES = 1 << 30
"""Of everything that it may write: its profile, what it keeps in between, and the result."""
_FILES = 20_000
"""Of what it makes of one file, at most."""
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
"""Of LibreOffice: no macros, no links that are followed, and nothing that is unknown is taken for text."""


def convert(content: str, suffix: str, limits: Limits) -> Message:
    """Let the converter for a suffix convert a file, as the reply that a reader waits for."""
    given, spent, converter = decoded(content), 0.0, BY_SUFFIX.get(suffix)
    program = converter.program() if converter else None
    if converter is None or program is None:
        return {"problem": "there is no program that converts it", "seconds": spent}
    limits = replace(limits, idle_seconds=min(limits.idle_seconds, _IDLE_SECONDS))
    with TemporaryDirectory(prefix="rag-convert-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        try:
            code, spent = _run(converter, program, folder, f"given/document{suffix}", given, limits)
            place = _place(converter, converter.targets[suffix])
            result = _made(code, folder / place, limits.member_bytes)
        except ReadingStopped as error:
            return {"problem": str(error), "seconds": limits.seconds}
        except (ExtractionError, OSError) as error:
            return {"problem": str(error), "seconds": spent}
    return {"converted": encoded(result), "code": code, "seconds": spent}


def _run(
    converter: Converter, program: Path, folder: Path, name: str, given: bytes, limits: Limits
) -> tuple[int, float]:
    """Convert a file in a folder of its own, and return the exit code and the seconds of processor time.

    Raises:
        ReadingStopped: it took too long, or wrote too much.
    """
    _write(folder, {name: given} | (_profile(program, limits) if converter is LIBREOFFICE else {}))
    (folder / FOLDER).mkdir()
    line = converter.command(program, folder, folder / name, converter.targets[Path(name).suffix])
    return _ended(_start(line, folder, limits, converter.data(program)), folder, limits)


@cache
def _profile(program: Path, limits: Limits) -> dict[str, bytes]:
    """Return the files of a profile, which the first start makes and then ends, before there is any document."""
    with TemporaryDirectory(prefix="rag-profile-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        _write(folder, {"profile/user/registrymodifications.xcu": _SETTINGS.encode()})
        line = command(program, folder, None, "odt")
        _ended(_start(line, folder, limits, LIBREOFFICE.data(program)), folder, limits)
        files = [one for one in (folder / "profile").rglob("*") if one.is_file()]
        return {str(one.relative_to(folder)): one.read_bytes() for one in files}


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _start(line: list[str], folder: Path, limits: Limits, data: Sequence[str]) -> Process:
    return started(
        line,
        data=data,
        memory=limits.memory,
        seconds=int(limits.seconds) + 1,
        folder=str(folder),
        file_bytes=limits.member_bytes,
        environment={"HOME": str(folder), "TMPDIR": str(folder), "SAL_USE_VCLPLUGIN": "svp", "LC_ALL": "C.UTF-8"},
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


def _place(converter: Converter, target: str) -> str:
    """Return where a converter leaves what it makes, below the folder of a conversion."""
    several = FOLDER if target == "tar" else f"document.{target}"
    return PRINTED if converter.prints else several


def _made(code: int, place: Path, most: int) -> bytes:
    """Return what a converter made: one file, or those of a folder as a tar archive.

    Raises:
        ExtractionError: it died, or made nothing, or too much.
    """
    if code < 0:
        raise ExtractionError(f"it died on it (signal {signal.Signals(-code).name})")
    found = _packed(place, most) if place.name == FOLDER else _file(place, most)
    if not found:
        raise ExtractionError("it is damaged, protected by a password, or of no kind that it knows")
    return found


def _packed(folder: Path, most: int) -> bytes | None:
    """Return the files below a folder as a tar archive, those that are no files left out; None: there are none.

    Raises:
        ExtractionError: they are more, or have more bytes, than is allowed.
    """
    packed, left, count = io.BytesIO(), most, 0
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for place, _, names in os.walk(folder):
            for path in sorted(Path(place, name) for name in names):
                content = _file(path, left)
                if content is None and stat.S_ISREG(path.lstat().st_mode):
                    raise ExtractionError(f"what is in it has more than {most >> 20} MB")
                if content:
                    entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
                    entry.size = len(content)
                    archive.addfile(entry, io.BytesIO(content))
                    left, count = left - len(content), count + 1
                if count > _FILES:
                    raise ExtractionError(f"there are more than {_FILES} files in it")
    return packed.getvalue() if count else None


def _file(place: Path, most: int) -> bytes | None:
    """Return the content of a file; None: it is too large, a link to another one, or a pipe."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with suppress(OSError), os.fdopen(os.open(place, flags), "rb") as file:
        about = os.fstat(file.fileno())
        if stat.S_ISREG(about.st_mode) and about.st_size <= most:
            return file.read(most)
    return None
