import os
import shutil
import time

import pytest

from rag_platform.core.errors import SourceError
from rag_platform.core.ports import Watched
from rag_platform.sources.files.directory_tree import LONGEST, SHARE, Directory, TreeWatch
from rag_platform.sources.files.folder import Folder, FolderSource


class Clock:
    """Seconds that pass when a test says so, and one millisecond with each look at it."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 0.001
        return self.now


class Tree:
    """Folders of files, and which of them are listed."""

    def __init__(self, root):
        self.root = root
        self.listed = []
        self.clock = Clock()
        source = FolderSource(id="notes", kind="folder", path=root)
        folder = Folder(source, root.parent)
        self.watch = TreeWatch(root, self._counting(folder._directory), self.clock, self.wall)
        self.folder = folder
        self.later = 3600  # seconds since the files were written

    def wall(self):
        return time.time_ns() + self.later * 10**9

    def _counting(self, listing):
        def counted(inside):
            self.listed.append(inside.as_posix())
            return listing(inside)

        return counted

    def write(self, path, text="text"):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def look(self):
        """Return the mark, and which folders were listed for it."""
        self.listed.clear()
        return self.watch.fingerprint(), sorted(self.listed)


@pytest.fixture
def tree(tmp_path):
    made = Tree(tmp_path / "notes")
    for path in ("a.md", "x/b.md", "x/y/c.md", "z/d.md"):
        made.write(path)
    return made


def test_the_first_look_lists_all_and_the_next_nothing(tree):
    first, listed = tree.look()
    assert listed == [".", "x", "x/y", "z"]
    assert tree.look() == (first, [])


@pytest.mark.parametrize(
    ("change", "listed"),
    [
        (lambda root: (root / "x" / "new.md").write_text("n"), ["x"]),
        (lambda root: (root / "x" / "y" / "c.md").unlink(), ["x/y"]),
        (lambda root: (root / "z" / "d.md").rename(root / "z" / "e.md"), ["z"]),
        (lambda root: (root / "x" / "y").rename(root / "z" / "y"), ["x", "z", "z/y"]),
        (lambda root: shutil.rmtree(root / "x"), ["."]),
    ],
    ids=["added", "removed", "renamed", "folder moved", "folder removed"],
)
def test_a_change_is_seen_by_listing_its_folder_alone(tree, change, listed):
    before, _ = tree.look()
    change(tree.root)
    after, found = tree.look()
    assert (after != before, found) == (True, listed)
    assert TreeWatch(tree.root, tree.folder._directory).fingerprint() == after


def test_a_file_saved_by_replacing_it_is_seen_at_once(tree):
    before, _ = tree.look()
    tree.write("z/.d.md.new", "longer text")
    (tree.root / "z" / ".d.md.new").replace(tree.root / "z" / "d.md")
    assert tree.look()[0] != before


def test_a_file_written_in_place_is_seen_when_all_is_listed_again(tree):
    before, _ = tree.look()
    (tree.root / "z" / "d.md").write_text("longer text")
    assert tree.look() == (before, [])
    tree.clock.now += 0.01 / SHARE
    after, listed = tree.look()
    assert (after != before, listed) == (True, [".", "x", "x/y", "z"])


def test_all_is_listed_again_as_often_as_that_takes_little_of_the_time(tree):
    slow = tree.watch._listing

    def listing(inside):
        tree.clock.now += 1
        return slow(inside)

    tree.watch._listing = listing
    tree.look()
    tree.clock.now += 4 / SHARE - 1
    assert tree.look()[1] == []
    tree.clock.now += 2
    assert len(tree.look()[1]) == 4


def test_a_huge_tree_is_listed_again_all_the_same(tree):
    def listing(inside):
        tree.clock.now += LONGEST
        tree.listed.append(inside.as_posix())
        return Directory((), (), ())

    tree.watch._listing = listing
    tree.look()
    tree.clock.now += LONGEST - 1
    assert tree.look()[1] == []
    tree.clock.now += 1
    assert tree.look()[1] == ["."]


def test_a_folder_that_changed_just_now_is_listed_again(tree):
    """A second change may bear the same time as the first."""
    tree.later = 0
    tree.look()
    assert tree.look()[1] == [".", "x", "x/y", "z"]


def test_a_folder_that_cannot_be_listed_is_a_change_and_is_tried_again(tree, monkeypatch):
    before, _ = tree.look()
    real = os.open

    def closed(path, flags, **options):
        if str(path).endswith("x"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, flags, **options)

    (tree.root / "x" / "new.md").write_text("n")
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", closed)
        without, _ = tree.look()
        assert without != before
        assert tree.look() == (without, ["x"])
    (tree.root / "x" / "new.md").unlink()
    assert tree.look()[0] == before


def test_a_folder_source_is_watched(tree):
    assert isinstance(tree.folder, Watched)
    assert tree.folder.fingerprint() == tree.watch.fingerprint()
    shutil.rmtree(tree.root)
    with pytest.raises(SourceError, match="does not exist"):
        tree.folder.fingerprint()
