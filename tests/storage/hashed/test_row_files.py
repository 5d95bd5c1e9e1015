"""Rows of bytes in files that folders share."""

import numpy as np
import pytest

from rag_platform.storage.hashed.row_files import INDEX, RowFiles, open_rows, write_rows


def keys_of(*keys: int) -> np.ndarray:
    return np.array(keys, np.uint64)


def some(count: int, size: int = 3000, seed: int = 0) -> dict[int, bytes]:
    random = np.random.default_rng(seed)
    keys = np.unique(random.integers(0, 2**63, count, dtype=np.uint64))
    return {int(key): random.bytes(size) for key in keys}


def held(rows: RowFiles) -> dict[int, bytes | None]:
    return dict(zip(rows.keys.tolist(), rows.read(rows.keys.tolist()), strict=True))


def files(folder) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in folder.glob("*.rows")}


def test_what_is_written_is_read(tmp_path) -> None:
    rows = {3: b"three", 1: b"", 2**64 - 1: b"last"}
    made = write_rows(tmp_path / "a", keys_of(1, 3, 2**64 - 1), (), rows)
    for opened in (made, open_rows(tmp_path / "a")):
        assert held(opened) == rows
        assert opened.read([2**64 - 1, 2, 3]) == [b"last", None, b"three"]
        assert opened.problems() == {}


def test_a_folder_that_is_not_there_holds_nothing(tmp_path) -> None:
    nothing = open_rows(tmp_path / "none")
    assert len(nothing) == 0 and nothing.read([1, 2]) == [None, None]
    assert len(write_rows(tmp_path / "a", keys_of(1), [nothing])) == 0
    assert len(write_rows(tmp_path / "b", keys_of(), [nothing], {1: b"not wanted"})) == 0


def test_only_what_is_wanted_is_kept_and_the_first_giver_counts(tmp_path) -> None:
    one = write_rows(tmp_path / "one", keys_of(1, 2), (), {1: b"a", 2: b"b"})
    two = write_rows(tmp_path / "two", keys_of(2, 3), (), {2: b"other", 3: b"c"})
    made = write_rows(tmp_path / "three", keys_of(2, 3, 4, 5), [one, two], {4: b"d", 9: b"unwanted"})
    assert held(made) == {2: b"b", 3: b"c", 4: b"d"}


def test_a_small_change_shares_nearly_all_files(tmp_path) -> None:
    rows = some(2000)
    wanted = keys_of(*sorted(rows))
    first = write_rows(tmp_path / "first", wanted, (), rows)
    gone, fresh = wanted[7], {int(wanted[7]) + 1: b"new"}
    left = keys_of(*sorted({*rows, *fresh} - {int(gone)}))
    second = write_rows(tmp_path / "second", left, [first], fresh)
    assert held(second) == {key: row for key, row in (rows | fresh).items() if key != gone}
    before, after = files(tmp_path / "first"), files(tmp_path / "second")
    assert len(before) > 15 and len(before.items() & after.items()) == len(before) - 1


def test_a_folder_is_brought_up_to_date_in_its_place(tmp_path) -> None:
    folder, rows = tmp_path / "a", {}
    for turn in range(6):
        fresh = some(40, seed=turn)
        rows = {key: row for place, (key, row) in enumerate(sorted((rows | fresh).items())) if place % 7 != turn}
        write_rows(folder, keys_of(*sorted(rows)), [open_rows(folder)], fresh)
        assert held(open_rows(folder)) == rows
    assert set(files(folder)) == set(open_rows(folder).names.tolist())


def test_many_small_additions_do_not_leave_many_files(tmp_path) -> None:
    folder, rows = tmp_path / "a", {}
    for turn in range(50):
        rows |= {turn: bytes([turn]) * 100}
        write_rows(folder, keys_of(*rows), [open_rows(folder)], {turn: rows[turn]})
    assert held(open_rows(folder)) == rows and len(files(folder)) == 1


def test_a_damaged_row_is_as_good_as_missing(tmp_path) -> None:
    rows = write_rows(tmp_path / "a", keys_of(1, 2), (), {1: b"x" * 50, 2: b"y" * 50})
    (path,) = (tmp_path / "a").glob("*.rows")
    content = bytearray(path.read_bytes())
    content[3] ^= 1
    path.write_bytes(content)
    assert rows.read([1, 2]) == [None, b"y" * 50]
    assert rows.problems() == {path.name: f"{path.name} is not the file that was written"}
    made = write_rows(tmp_path / "b", keys_of(1, 2), [rows])  # small files are written anew
    assert held(made) == {2: b"y" * 50}
    path.unlink()
    assert rows.read([1, 2]) == [None, None] and rows.problems() == {path.name: f"{path.name} is missing"}
    assert len(write_rows(tmp_path / "c", keys_of(1, 2), [rows])) == 0


@pytest.mark.parametrize("content", [b"", b"no archive", None])
def test_a_damaged_index_holds_nothing(tmp_path, content) -> None:
    write_rows(tmp_path / "a", keys_of(1), (), {1: b"x" * 50})
    index = tmp_path / "a" / INDEX
    index.write_bytes(index.read_bytes()[:-30] if content is None else content)
    assert len(open_rows(tmp_path / "a")) == 0


def test_a_file_is_copied_where_there_are_no_links(tmp_path, monkeypatch) -> None:
    def refused(*_: object) -> None:
        raise OSError("this disk has no links")

    rows = some(200)
    first = write_rows(tmp_path / "first", keys_of(*sorted(rows)), (), rows)
    monkeypatch.setattr("os.link", refused)
    assert held(write_rows(tmp_path / "second", first.keys, [first])) == rows
    assert not set(files(tmp_path / "first").values()) & set(files(tmp_path / "second").values())


def test_a_file_that_is_written_again_is_no_more_the_one_that_others_share(tmp_path) -> None:
    rows = {1: b"x" * 50}
    first = write_rows(tmp_path / "first", keys_of(1), (), rows)
    (path,) = (tmp_path / "first").glob("*.rows")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / path.name).hardlink_to(path)
    write_rows(tmp_path / "other", keys_of(1), (), rows)
    assert files(tmp_path / "first").keys() == files(tmp_path / "other").keys()
    assert files(tmp_path / "first") != files(tmp_path / "other") and held(first) == rows
