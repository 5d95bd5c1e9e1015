"""SQLite files where nothing can be written: they are read, and whoever writes is told."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag_platform.core.errors import StorageError
from rag_platform.storage.sqlite import SqliteFile

STEPS = ("create table notes (text text not null)",)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return a small disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    try:
        if subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("no disk can be mounted here")
    except FileNotFoundError:
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def make_read_only(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)


def fill(disk: Path) -> Path:
    with pytest.raises(OSError, match="No space left"), (disk / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)
    return disk / "filler"


def note(file: SqliteFile, text: str) -> None:
    with file.writing() as connection:
        connection.execute("insert into notes values (?)", (text,))


def notes(file: SqliteFile) -> list[str]:
    with file.reading() as connection:
        return [text for (text,) in connection.execute("select text from notes")]


def test_a_file_on_a_disk_that_is_only_read(disk: Path) -> None:
    note(SqliteFile(disk / "app.sqlite", STEPS), "kept")
    make_read_only(disk)
    for path, there in ((disk / "app.sqlite", ["kept"]), (disk / "none.sqlite", []), (disk / "no" / "x.sqlite", [])):
        file = SqliteFile(path, STEPS)
        assert notes(file) == there
        with pytest.raises(StorageError, match="nothing can be written there"):
            note(file, "lost")


def test_a_file_on_a_full_disk_is_read_and_written_again_when_there_is_space(disk: Path) -> None:
    file = SqliteFile(disk / "app.sqlite", STEPS)
    note(file, "kept")
    filler = fill(disk)
    for opened in (file, SqliteFile(disk / "app.sqlite", STEPS)):
        assert notes(opened) == ["kept"]
        with pytest.raises(StorageError, match="nothing can be written there"):
            note(opened, "x" * 100_000)
    filler.unlink()
    note(file, "again")
    assert notes(file) == ["kept", "again"]
