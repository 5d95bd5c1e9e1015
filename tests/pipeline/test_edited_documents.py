"""Which documents `benchmarks.incremental` edits."""

import pytest

from benchmarks.incremental import edit


@pytest.fixture
def home(tmp_path):
    """A hundred documents, one a line longer than the next, one of them without a suffix."""
    (tmp_path / "docs").mkdir()
    for lines in range(100):
        (tmp_path / "docs" / ("LICENSE" if lines == 7 else f"{lines}.md")).write_text("line\n" * lines)
    return tmp_path


@pytest.mark.parametrize(("count", "expected"), [(1, [50]), (4, [12, 37, 62, 87]), (100, [*range(100)])])
def test_so_many_documents_of_all_lengths_are_edited_once(home, count, expected):
    before = {path: path.read_text() for path in (home / "docs").iterdir()}
    edited, share = edit(home, count)
    assert sorted(before[path].count("line") for path in edited) == expected and share == count / 100
    assert {path for path, text in before.items() if path.read_text() != text} == {*edited}
    assert all(path.read_text().count("This sentence was added") == 1 for path in edited)


@pytest.mark.parametrize("count", [0, 101])
def test_none_or_more_than_there_are_cannot_be_edited(home, count):
    with pytest.raises(SystemExit, match=f"--edits {count}: expected 1 to 100"):
        edit(home, count)
