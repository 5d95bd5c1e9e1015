"""What an upgrade changes is kept as it was, and a file that a newer release wrote is refused with the way back."""

import shutil
import sqlite3
from pathlib import Path

import polars as pl
import pytest

from rag_platform.core.errors import StorageError
from rag_platform.core.schemas import RAW
from rag_platform.storage import migrations
from rag_platform.storage.sqlite import SqliteFile
from rag_platform.storage.tables import Store
from rag_platform.storage.upgrades import upgrade_copies, upgrade_copy

OLDER = ("create table words (word text)",)
NEWER = (*OLDER, "alter table words add column weight real")


def test_a_database_is_kept_before_its_tables_change_and_leads_back(tmp_path: Path) -> None:
    path = tmp_path / "app.sqlite"
    with SqliteFile(path, OLDER).writing() as connection:
        connection.execute("insert into words values ('ferry')")
    assert upgrade_copies(tmp_path) == []  # nothing was there before its first tables
    with SqliteFile(path, NEWER).writing() as connection:
        connection.execute("insert into words values ('gauge', 2)")
    kept = upgrade_copy(path, 1)
    with pytest.raises(StorageError, match=f"step 2, expected at most 1.*copy {kept}.*to its place"):
        SqliteFile(path, OLDER)
    with sqlite3.connect(path) as connection:
        assert connection.execute("select count(*) from words").fetchone() == (2,)  # it was not touched
    path.rename(tmp_path / "aside")  # what the sentence says
    shutil.copyfile(kept, path)
    with SqliteFile(path, OLDER).reading() as connection:
        assert [row[0] for row in connection.execute("select word from words")] == ["ferry"]
    with SqliteFile(path, NEWER).reading() as connection:
        assert connection.execute("select * from words").fetchone()["weight"] is None


def test_a_newer_database_without_a_kept_copy_says_restore(tmp_path: Path) -> None:
    SqliteFile(tmp_path / "app.sqlite", NEWER)
    with pytest.raises(StorageError, match="rag restore"):
        SqliteFile(tmp_path / "app.sqlite", OLDER)


def test_a_raw_table_is_kept_before_its_columns_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, older = Store(tmp_path), pl.DataFrame([{"uri": "a", "status": "ok"}], schema=RAW)
    store.write("raw", "docs", older)
    path = store.path("raw", "docs")
    with monkeypatch.context() as newer:
        newer.setitem(migrations.STEPS, "raw", (lambda frame: frame,))
        store.write("raw", "docs", older.with_columns(uri=pl.lit("b")))
    with pytest.raises(StorageError, match=f"copy {upgrade_copy(path, 1)}"):
        store.read("raw", "docs")
    shutil.copyfile(upgrade_copy(path, 1), path)
    assert store.read("raw", "docs").equals(older)
    assert store.sources("raw") == ["docs"]
