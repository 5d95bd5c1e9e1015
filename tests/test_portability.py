"""No system but Linux is needed to import the library, or to make, fill and ask a workspace."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HIDE = """
import os, sys
import filelock, psutil, mcp.server.stdio  # they have a part for each system, and here it is Linux's
for name in ("fcntl", "resource"):
    sys.modules[name] = None  # importing it is a ModuleNotFoundError, as on Windows
for name in ("sched_getaffinity", "killpg", "getpgid", "setsid"):
    vars(os).pop(name, None)
"""
IMPORT_ALL = """
import pkgutil, rag_platform
from importlib import import_module
skipped = ("rag_platform.__main__", "rag_platform.workspace.template.", "rag_platform.workspace.dagster_definitions")
for module in pkgutil.walk_packages(rag_platform.__path__, "rag_platform."):
    if not module.name.startswith(skipped):
        import_module(module.name)
print("imported")
"""
DEMO = """
from rag_platform.cli import app
for arguments in (["init"], ["sync"], ["ask", "How do I add a source?"]):
    code = app(arguments, prog_name="rag", standalone_mode=False)
    assert not code, (arguments, code)
"""


def run(code: str, **variables: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    done = subprocess.run(
        [sys.executable, "-c", HIDE + code], env=environment, capture_output=True, text=True, timeout=280, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_every_module_can_be_imported():
    assert run(IMPORT_ALL) == "imported\n"


@pytest.mark.slow
def test_a_workspace_is_made_filled_and_asked(tmp_path, model_folder):
    assert "[[sources]]" in run(DEMO, RAG_HOME=str(tmp_path / "workspace"))
