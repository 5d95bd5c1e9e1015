"""A kind of source of one's own: the package that is written works, and keeps to the contract of all kinds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rag_platform.core.errors import AlreadyThere, SettingsError
from rag_platform.workspace.kind_template import write_kind

ROOT = Path(__file__).resolve().parents[2]


def test_the_written_kind_keeps_to_the_contract(tmp_path):
    folder = write_kind("desk_notes", tmp_path)
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*")) == [
        "pyproject.toml",
        "rag_source_desk_notes.py",
        "tests/test_desk_notes.py",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", folder],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "9 passed" in done.stdout, done.stdout + done.stderr


def test_it_is_clean_code(tmp_path):
    folder = write_kind("desk_notes", tmp_path)
    for command in (["check", "--ignore", "ANN,ARG,D,I,S,INP"], ["format", "--check"]):
        subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--config", ROOT / "pyproject.toml", folder],
            check=True,
            timeout=240,
        )


@pytest.mark.parametrize("name", ["Notes", "9notes", "a-b", ""])
def test_a_name_that_cannot_be_one_is_refused(tmp_path, name):
    with pytest.raises(SettingsError, match="expected lower-case letters"):
        write_kind(name, tmp_path)


def test_nothing_is_overwritten(tmp_path):
    write_kind("notes", tmp_path)
    with pytest.raises(AlreadyThere):
        write_kind("notes", tmp_path)
    with pytest.raises(SettingsError, match="there is a kind 'folder' already"):
        write_kind("folder", tmp_path)
