"""The converters of last resort: which there are, and which is for a file.

A process that reads documents may start no program: its owner runs these for it, see `sandbox/conversion.py`.
"""

from collections.abc import Callable

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.converters.converter import Converter
from rag_platform.documents.formats.converters.libreoffice import LIBREOFFICE
from rag_platform.documents.formats.converters.unpackers import DJVULIBRE, READPST, SEVEN_ZIP

CONVERTERS = (READPST, SEVEN_ZIP, DJVULIBRE, LIBREOFFICE)
BY_SUFFIX = {suffix: one for one in reversed(CONVERTERS) for suffix in one.targets}
_BETWEEN = ", "


def converter_for(content: bytes, suffix: str) -> tuple[Converter, str] | None:
    """Return what may convert a file, and the suffix under which it knows it; None: nothing does."""
    known = ((one, one.suffix_for(content, suffix)) for one in CONVERTERS)
    return next(((one, found) for one, found in known if found), None)


def installed() -> str:
    """Return the names and versions of what converts here, such as "readpst 0.6.76, LibreOffice 7.4"."""
    return _BETWEEN.join(filter(None, (one.version() for one in CONVERTERS)))


def named(converter: Converter, among: str) -> str:
    """Return the name and version of a converter as `installed` told them; empty: it was not there."""
    return next((one for one in among.split(_BETWEEN) if one.startswith(f"{converter.name} ")), "")


def converted(content: bytes, suffix: str) -> tuple[bytes, int]:
    """Return what the converter for a suffix makes of a file, of the type that its `targets` say, and its exit code.

    Raises:
        ExtractionError: It does not read it, or took too much.
    """
    return _run(content, suffix)


def run_by(run: Callable[[bytes, str], tuple[bytes, int]]) -> None:
    """Let this run the programs from now on, in place of this process."""
    global _run  # noqa: PLW0603 (a process has one way)
    _run = run


def count(seconds: float) -> None:
    """Count processor time that a program took."""
    global _seconds  # noqa: PLW0603 (as above)
    _seconds += seconds


def seconds() -> float:
    """Return the processor time that the programs took for this process in all."""
    return _seconds


def _refused(_content: bytes, _suffix: str) -> tuple[bytes, int]:
    raise ExtractionError("files are converted in the cell alone")


_run: Callable[[bytes, str], tuple[bytes, int]] = _refused
_seconds = 0.0
