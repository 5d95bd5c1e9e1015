"""The command that installs an extra names what was installed, never the bare name."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rag_platform.core import installation
from rag_platform.core.installation import install_command

ROOT = Path(__file__).resolve().parents[2]
INSTALLS = re.compile(r"install\s+(-\S+\s+)*['\"]?rag.platform(\[|['\"`\s)]|$)")

RECORDS = {
    "wheel": (
        {"url": "file:///my%20files/rag_platform-0.1.0-py3-none-any.whl", "archive_info": {}},
        ["/my files/rag_platform-0.1.0-py3-none-any.whl[ocr]"],
    ),
    "folder": ({"url": "file:///src/rag", "dir_info": {}}, ["/src/rag[ocr]"]),
    "editable": ({"url": "file:///src/rag", "dir_info": {"editable": True}}, ["--editable", "/src/rag[ocr]"]),
    "address": (
        {"url": "https://user:word@files.example.org/rag.whl", "archive_info": {}},
        ["rag-platform[ocr] @ https://files.example.org/rag.whl"],
    ),
    "repository": (
        {"url": "https://git.example.org/rag", "vcs_info": {"vcs": "git", "commit_id": "ab12"}},
        ["rag-platform[ocr] @ git+https://git.example.org/rag@ab12"],
    ),
}


@pytest.mark.parametrize("kind", RECORDS)
def test_the_command_names_where_it_was_installed_from(kind, monkeypatch):
    record, expected = RECORDS[kind]
    monkeypatch.setattr(installation, "_record", lambda: record)
    assert shlex.split(install_command("ocr")) == [sys.executable, "-m", "pip", "install", *expected]


def test_without_a_record_the_command_says_what_stands_in_it(monkeypatch):
    monkeypatch.setattr(installation, "_record", dict)
    command = install_command("page")
    assert "install 'WHEEL[page]', where WHEEL is the wheel or folder that you installed rag_platform from" in command


def test_the_record_of_pip_is_read(tmp_path):
    """A package of our name with pip's record, in an interpreter that knows nothing else."""
    known = tmp_path / "rag_platform-9.dist-info"
    known.mkdir()
    (known / "METADATA").write_text("Metadata-Version: 2.1\nName: rag-platform\nVersion: 9\n")
    (known / "direct_url.json").write_text(json.dumps({"url": (tmp_path / "rag.whl").as_uri(), "archive_info": {}}))
    code = "from rag_platform.core.installation import *; print(install_command('s3')); print(platform_version())"
    paths = {"PYTHONPATH": f"{tmp_path}:{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env=paths, capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout == f"{sys.executable} -m pip install '{tmp_path}/rag.whl[s3]'\n9\n"


def test_nobody_is_told_to_install_the_bare_name():
    """Nobody has registered it: whoever does would serve our users."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    told = []
    for name in listed.splitlines():
        path = ROOT / name
        if path.suffix in (".py", ".md", ".ftl", ".toml", ".sh", "") and path != Path(__file__) and path.is_file():
            text = path.read_text(encoding="utf-8", errors="ignore")
            told += [f"{name}: {line}" for line in text.splitlines() if INSTALLS.search(line)]
    assert told == []
