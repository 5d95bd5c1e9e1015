"""A program that a reader asks for, in a cell of its own: a reader can start none, and tesseract no other."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.images.tesseract import SECONDS, command, data_folders
from rag_platform.documents.sandbox.meter import after
from rag_platform.documents.sandbox.protocol import Message, decoded
from rag_platform.documents.sandbox.starting import start

_START = """
import os, sys
sys.path.insert(0, sys.argv[1])
from rag_platform.documents.sandbox.confinement import enter_for
memory, seconds, owner, data, program = *map(int, sys.argv[2:5]), sys.argv[5], sys.argv[6]
enter_for(program, data.split(os.pathsep), memory, seconds, owner)
os.execv(program, sys.argv[6:])
"""
_MEMORY = 2 << 30
_PATIENCE = 10
"""Times the processor time that it may take, in which it must have come to an end."""


def tesseract(languages: str, picture: str) -> Message:
    """Let tesseract read a picture, as the reply that a reader waits for."""
    try:
        program, *given = command(languages)
        found = Path(shutil.which(program) or program).resolve()
        return {"tsv": _output([str(found), *given], decoded(picture))}
    except ExtractionError as error:
        return {"problem": str(error)}


def _output(arguments: list[str], standard_input: bytes) -> str:
    """Return what a program prints.

    Raises:
        ExtractionError: it failed, or took too long.
    """
    data = os.pathsep.join(map(str, data_folders()))
    process = start(_START, _MEMORY, SECONDS, os.getpid(), data, *arguments)
    try:
        printed, _ = process.communicate(standard_input, timeout=_PATIENCE * SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise ExtractionError(f"tesseract did not end within {_PATIENCE * SECONDS} seconds") from None
    if process.returncode == -getattr(signal, "SIGXCPU", 0):
        raise ExtractionError(f"tesseract was {after(SECONDS)}")
    if process.returncode:
        raise ExtractionError(f"tesseract failed (exit code {process.returncode})")
    return printed.decode("utf-8", "replace")
