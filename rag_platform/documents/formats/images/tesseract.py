"""The program tesseract: which languages it has here, and what it reads on a picture.

A process that reads documents may start no program: its owner runs this one for it, see `sandbox/programs.py`.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

from rag_platform.core.errors import ExtractionError

SECONDS = 50
"""For one page."""
DOTS = 200
"""Per inch, at which pages are drawn."""


@cache
def tesseract_languages() -> tuple[str, ...]:
    """Name the languages that the program has here; none when it is not installed."""
    if shutil.which("tesseract") is None:
        return ()
    listed = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True, timeout=20, check=False)  # noqa: S607
    return tuple(sorted(set(listed.stdout.split("\n")[1:]) - {"", "osd"}))


def command(languages: str) -> list[str]:
    """Return what reads a PNG from standard input and writes a table of its words, such as for "hin+eng".

    Raises:
        ExtractionError: there is no such language here.
    """
    if not set(languages.split("+")) <= set(tesseract_languages()):
        raise ExtractionError(f"install tesseract with its language {languages!r} to read them")
    return ["tesseract", "stdin", "stdout", "-l", languages, "--dpi", str(DOTS), "tsv"]


def data_folders() -> list[Path]:
    """Return where its languages may lie."""
    own = os.environ.get("TESSDATA_PREFIX")
    return [
        Path(folder) for folder in (*([own] if own else []), "/usr/share", "/usr/local/share", "/opt/homebrew/share")
    ]


def words_of_page(png: bytes, languages: str) -> str:
    """Return the words of a picture with their places, as tesseract's table.

    Raises:
        ExtractionError: it took too long, or there is no such language here.
    """
    return _run(languages, png)


def run_by(run: Callable[[str, bytes], str]) -> None:
    """Let this run the program from now on, in place of this process."""
    global _run  # noqa: PLW0603 (a process has one way)
    _run = run


def _directly(languages: str, png: bytes) -> str:
    try:
        done = subprocess.run(command(languages), input=png, capture_output=True, timeout=SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise ExtractionError(f"tesseract took longer than {SECONDS} seconds for one page") from None
    return done.stdout.decode("utf-8", "replace")


_run: Callable[[str, bytes], str] = _directly
