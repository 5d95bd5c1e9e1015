"""What is stored belongs to its owner alone, whatever the umask, also in workspaces that are there already."""

import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from rag_platform.operations.doctor import diagnose
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.files.private import make_private, open_to_others
from rag_platform.storage.locks import LockFile
from rag_platform.storage.sqlite import SqliteFile
from rag_platform.workspace import open_workspace

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
ROOT = Path(__file__).resolve().parents[3]
SETTINGS = '[[sources]]\nid = "teaching"\nkind = "upload"\n'


@pytest.fixture
def umask():
    """The most generous umask there is."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_tree_that_was_open_is_mended_and_links_are_left_alone(tmp_path, umask):
    outside = tmp_path / "outside"
    outside.write_text("others'")
    data = tmp_path / "data"
    (data / "index" / "versions").mkdir(parents=True)
    (data / "index" / "CURRENT").write_text("v1")
    (data / "script").touch(0o777)
    (data / "link").symlink_to(outside)
    assert make_private(data) == 5
    assert (mode(data), mode(data / "index" / "CURRENT"), mode(data / "script")) == (0o700, 0o600, 0o700)
    assert mode(outside) == 0o666 and not [*open_to_others(data)] and make_private(data) == 0


def test_what_a_workspace_writes_is_its_owners_alone(tmp_path, umask):
    (tmp_path / "rag.toml").write_text(SETTINGS)
    workspace = open_workspace(tmp_path)
    assert mode(workspace.settings.data) == 0o700
    with workspace.journal.writing() as connection:
        connection.execute("insert into uses values ('2026-11-22', 'searches', 1)")
        beside = [path for path in workspace.settings.data.iterdir() if path.name.startswith("app.sqlite")]
        assert len(beside) == 3 and {mode(path) for path in beside} == {0o600}
    with LockFile(workspace.settings.data / "lock"):
        assert mode(workspace.settings.data / "lock") == 0o600


def test_a_workspace_that_is_there_already_is_mended_when_it_is_opened_and_that_is_said_once(tmp_path, umask, caplog):
    (tmp_path / "rag.toml").write_text(SETTINGS)
    (tmp_path / "data" / "raw").mkdir(parents=True)
    (tmp_path / "data" / "raw" / "table.parquet").write_text("secret")
    with caplog.at_level(logging.WARNING):
        open_workspace(tmp_path)
        open_workspace(tmp_path)
    assert caplog.text.count("now their owner's alone") == 1
    assert not [*open_to_others(tmp_path / "data")]


def test_an_old_database_is_mended_too(tmp_path, umask):
    path = tmp_path / "app.sqlite"
    path.touch(0o666)
    SqliteFile(path, ("create table a (b)",))
    assert mode(path) == 0o600


def test_who_may_read_a_file_stays_when_it_is_replaced(tmp_path):
    path = tmp_path / "rag.toml"
    path.write_text("a")
    path.chmod(0o640)
    write_bytes(path, b"b")
    assert mode(path) == 0o640 and path.read_text() == "b"


def test_doctor_names_what_is_open(tmp_path, umask):
    (tmp_path / "rag.toml").write_text(SETTINGS)
    data = open_workspace(tmp_path).settings.data
    (data / "late").touch(0o644)
    (found,) = [one for one in diagnose(tmp_path) if one.what == "privacy"]
    assert found.level == "wrong" and str(data / "late") in found.found and "chmod" in found.mend
    make_private(data)
    (found,) = [one for one in diagnose(tmp_path) if one.what == "privacy"]
    assert found.level == "ok"


def test_what_a_command_writes_is_its_users_alone(tmp_path, umask):
    (tmp_path / "rag.toml").write_text(SETTINGS)
    command = [sys.executable, "-m", "rag_platform", "--home", str(tmp_path), "collection", "create", "Course"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert len([*(tmp_path / "data").rglob("*")]) > 2 and not [*open_to_others(tmp_path / "data")]
