"""No program of ours lets NumPy start threads beside those that each work on a text or a question of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

LIBRARY = next((Path(sys.prefix).glob("lib/python*/site-packages/numpy.libs/libscipy_openblas64*.so")), None)
COUNT = f"""
import ctypes, numpy
print(ctypes.CDLL({str(LIBRARY)!r}).scipy_openblas_get_num_threads64_())
"""


def threads(beginning: str, **variables: str) -> int:
    """Return how many threads multiply matrices in a program that begins so."""
    given = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"} | variables
    ran = subprocess.run([sys.executable, "-c", beginning + COUNT], env=given, capture_output=True, check=True)
    return int(ran.stdout)


@pytest.mark.skipif(LIBRARY is None, reason="this NumPy brings no OpenBLAS")
@pytest.mark.parametrize("program", ["app", "assets", "benchmarks", "rag_platform.__main__"])
def test_a_program_multiplies_in_the_thread_that_asks(program):
    assert threads(f"import {program}") == 1


@pytest.mark.skipif(LIBRARY is None, reason="this NumPy brings no OpenBLAS")
def test_who_imports_the_library_alone_and_who_says_otherwise_is_left_alone():
    cores = len(os.sched_getaffinity(0))
    assert threads("import rag_platform, rag_platform.python_api") == threads("") == cores
    assert threads("import app", OPENBLAS_NUM_THREADS="2") == min(2, cores)
