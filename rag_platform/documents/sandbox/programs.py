"""A program that a reader asks for, in a cell of its own: a reader can start none, and that program no other."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.images.tesseract import SECONDS, command, data_folders
from rag_platform.documents.sandbox.meter import after
from rag_platform.documents.sandbox.protocol import Message, decoded
from rag_platform.documents.sandbox.starting import Process, start

_START = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from rag_platform.documents.sandbox.confinement import enter_for
about, program = json.loads(sys.argv[2]), sys.argv[3]
os.environ.update(about.pop("environment"))
if about["folder"]:
    os.dup2(os.open(os.path.join(about["folder"], "printed"), os.O_WRONLY | os.O_CREAT, 0o600), 1)
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)
enter_for(program, **about)
os.execv(program, sys.argv[3:])
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


def started(
    command: Sequence[str],
    *,
    data: Sequence[str],
    memory: int,
    seconds: int,
    folder: str | None = None,
    file_bytes: int = 0,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Process:
    """Start a program in a cell of its own, see `confinement.enter_for`; one with a folder prints to a file there.

    It leads a process group of its own.
    """
    about = {"data": data, "memory": memory, "seconds": seconds, "owner": os.getpid()}
    about |= {"folder": folder, "file_bytes": file_bytes, "environment": dict(environment)}
    return start(_START, json.dumps(about), *command)


def _output(arguments: list[str], standard_input: bytes) -> str:
    """Return what a program prints.

    Raises:
        ExtractionError: it failed, or took too long.
    """
    process = started(arguments, data=list(map(str, data_folders())), memory=_MEMORY, seconds=SECONDS)
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
