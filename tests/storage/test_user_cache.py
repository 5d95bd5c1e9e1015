"""What was hashed is not hashed again while nobody has written to it."""

import os

import pytest

from rag_platform.storage import user_cache
from rag_platform.storage.atomic import file_sha256


@pytest.fixture(autouse=True)
def hashed(tmp_path, monkeypatch):
    """The paths that are read to be hashed."""
    monkeypatch.setenv("RAG_MODEL_CACHE", str(tmp_path / "cache"))
    paths = []
    monkeypatch.setattr(user_cache, "file_sha256", lambda path: paths.append(path) or file_sha256(path))
    return paths


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "weights"
    path.write_bytes(b"good")
    return path


def test_a_file_is_hashed_once(path, hashed):
    first = [user_cache.noted_sha256(path) for _ in range(3)]
    assert first == [file_sha256(path)] * 3
    assert hashed == [path]


def test_a_file_of_the_same_size_and_time_is_hashed_when_it_was_written_to(path):
    user_cache.noted_sha256(path)
    before = path.stat()
    path.write_bytes(b"evil")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert user_cache.noted_sha256(path) == file_sha256(path)


def test_a_file_that_takes_the_place_of_another_is_hashed(path, tmp_path):
    user_cache.noted_sha256(path)
    other = tmp_path / "other"
    other.write_bytes(b"evil")
    other.replace(path)
    assert user_cache.noted_sha256(path) == file_sha256(path)


def test_a_copy_is_hashed_whatever_is_noted_of_the_first(path, tmp_path, hashed):
    user_cache.noted_sha256(path)
    copy = tmp_path / "copy"
    copy.write_bytes(path.read_bytes())
    user_cache.noted_sha256(copy)
    assert hashed == [path, copy]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"sha256": 7}'])
def test_a_damaged_note_is_written_anew(path, tmp_path, hashed, content):
    user_cache.noted_sha256(path)
    (note,) = (tmp_path / "cache" / user_cache.NOTES).iterdir()
    note.write_text(content)
    assert {user_cache.noted_sha256(path) for _ in range(2)} == {file_sha256(path)}
    assert len(hashed) == 2


def test_where_no_note_can_be_written_a_file_is_hashed_each_time(path, tmp_path, hashed):
    (tmp_path / "cache").write_text("a file where the folder would be")
    assert {user_cache.noted_sha256(path) for _ in range(2)} == {file_sha256(path)}
    assert len(hashed) == 2
