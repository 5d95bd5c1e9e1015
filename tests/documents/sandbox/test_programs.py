"""A program that a reader asks for runs in a cell of its own, and can start no other."""

from pathlib import Path

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.sandbox import landlock, programs, seccomp

SHELL = Path("/bin/sh").resolve()
"""Stands for a program that a picture has taken over."""

pytestmark = pytest.mark.skipif(
    not (landlock.abi() and seccomp.supported()), reason="this system has no Landlock or no seccomp"
)


def test_it_reads_and_prints():
    assert programs._output([str(SHELL), "-c", "read x; echo got $x"], b"words\n") == "got words\n"


@pytest.mark.parametrize(
    "code",
    ["(echo forked)", "/bin/echo started", "read x < /etc/passwd && echo $x", "echo x > {mark} && echo written"],
    ids=["fork", "start", "read", "write"],
)
def test_it_reaches_nothing(tmp_path, code):
    mark = tmp_path / "mark"
    try:
        printed = programs._output([str(SHELL), "-c", code.format(mark=mark) + "; true"], b"")
    except ExtractionError as error:
        printed = str(error).partition("tesseract failed")[0]
    assert printed.strip() == "" and not mark.exists()


def test_a_language_that_is_not_here_is_named_and_starts_nothing():
    assert programs.tesseract("xxx --config /etc/passwd", "") == {
        "problem": "install tesseract with its language 'xxx --config /etc/passwd' to read them"
    }
