import gzip
import os
from pathlib import Path

import pytest

from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Item, Validators
from rag_platform.sources.files.folder import Folder, FolderSource
from rag_platform.sources.files.globs import matches
from rag_platform.storage.files.regular_files import read_regular


@pytest.fixture
def make(tmp_path):
    def make(files, **options):
        for name, content in files.items():
            path = tmp_path / "docs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return Folder(FolderSource(id="handbook", kind="folder", path="docs", **options), tmp_path)

    return make


def uris(folder):
    return [item.uri for item in folder.list().items]


def read(folder, uri):
    return folder.fetch(Item(uri), Validators())


def test_uris_are_paths_in_the_folder_wherever_it_lies(make):
    folder = make({"top.md": b"1", "guide/deep/install.md": b"2", ".git/config": b"3", "guide/.hidden": b"4"})
    assert uris(folder) == ["handbook/guide/deep/install.md", "handbook/top.md"]
    fetched = read(folder, "handbook/guide/deep/install.md")
    assert (fetched.content, fetched.content_type) == (b"2", "text/markdown")


def test_a_touched_file_is_looked_at_again_but_is_the_same_document(make, tmp_path):
    folder = make({"a.md": b"1"})
    (before,) = folder.list().items
    os.utime(tmp_path / "docs" / "a.md", (1, 1))
    (after,) = folder.list().items
    assert after.fingerprint != before.fingerprint
    assert after.metadata == before.metadata == {}


def test_a_file_moved_over_another_is_noticed_though_size_and_time_are_the_same(make, tmp_path):
    folder, place = make({"a.md": b"first", "b.md": b"other"}), tmp_path / "docs"
    for name in ("a.md", "b.md"):  # as files have that are written at the same moment
        os.utime(place / name, (1, 1))
    before = folder.list().items[0]
    (place / "b.md").replace(place / "a.md")
    (after,) = folder.list().items
    assert (after.uri, read(folder, after.uri).content) == (before.uri, b"other")
    assert after.fingerprint != before.fingerprint


def test_include_and_exclude(make):
    files = dict.fromkeys(("a.md", "a.txt", "drafts/b.md", "x/drafts/c.md", "x/d.md", "x/d.log"), b"1")
    assert uris(make(files, include=["*.md"], exclude=["drafts/"])) == ["handbook/a.md", "handbook/x/d.md"]
    assert uris(make(files, include=["x/**"], exclude=["**/*.log"])) == ["handbook/x/d.md", "handbook/x/drafts/c.md"]


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("a.md", "**/*", True),
        ("x/y/a.md", "**/*", True),
        ("x/a.md", "/*.md", False),
        ("a.md", "/*.md", True),
        ("x/a.md", "*.md", True),
        ("x/a.md", "x/*.md", True),
        ("x/y/a.md", "x/*.md", False),
        ("x/y/a.md", "x/**/*.md", True),
        ("x/a.md", "x/**/*.md", True),
        ("xx/a.md", "x/**", False),
        ("x", "x/**", True),
        ("a1.md", "a[0-9].md", True),
        ("ab.md", "a[!0-9].md", True),
        ("a+b (1).md", "a+b (1).md", True),
        ("a.md", "a?md", True),
        ("x/md", "x?md", False),
        ("a\nb.md", "*.md", True),
        ("[z-a]", "[z-a]", True),
    ],
)
def test_globs(path, pattern, expected):
    assert matches(path, [pattern]) is expected


PACKED = gzip.compress(b"<p>hello")


def test_a_compressed_file_is_declared_as_what_it_holds(make):
    folder = make({"page.html.gz": PACKED})
    fetched = read(folder, "handbook/page.html.gz")
    assert (fetched.content, fetched.content_type) == (PACKED, "text/html")


def test_a_file_that_is_too_large_fails_alone(make):
    folder = make({"a.txt": b"x" * 11, "b.txt": b"x"}, max_bytes=10)
    with pytest.raises(FetchError, match="11 bytes, more than max_bytes = 10"):
        read(folder, "handbook/a.txt")
    assert read(folder, "handbook/b.txt").content == b"x"


def test_a_missing_folder_is_an_error_and_an_empty_one_is_not(make, tmp_path):
    with pytest.raises(SourceError, match="does not exist"):
        make({}).list()
    (tmp_path / "docs").mkdir()
    listing = make({}).list()
    assert (len(listing.items), listing.complete) == (0, True)


def test_a_file_instead_of_a_folder_is_an_error(make, tmp_path):
    (tmp_path / "docs").write_text("x")
    with pytest.raises(SourceError, match="no folder"):
        make({}).list()


def test_links_stay_in_the_folder(make, tmp_path):
    folder = make({"a/real.md": b"1"})
    (tmp_path / "secret.md").write_bytes(b"s3cret")
    docs = tmp_path / "docs"
    (docs / "inside.md").symlink_to(docs / "a/real.md")
    (docs / "outside.md").symlink_to(tmp_path / "secret.md")
    (docs / "dangling.md").symlink_to(docs / "nothing.md")
    (docs / "a/loop").symlink_to(docs)
    (docs / "self.md").symlink_to(docs / "self.md")
    listing = folder.list()
    assert [item.uri for item in listing.items] == ["handbook/a/real.md", "handbook/inside.md"]
    assert [uri for uri, _ in listing.failed] == ["handbook/dangling.md", "handbook/outside.md", "handbook/self.md"]
    with pytest.raises(FetchError, match="leaves the folder"):
        read(folder, "handbook/outside.md")
    with pytest.raises(FetchError, match="leaves the folder"):
        read(folder, "handbook/../secret.md")


def test_what_is_no_regular_file_is_not_opened(make, tmp_path):
    folder = make({"a.md": b"1"})
    os.mkfifo(tmp_path / "docs" / "pipe.md")
    assert folder.list().failed == [("handbook/pipe.md", "not a regular file")]


def test_a_file_that_vanishes_fails_alone(make, tmp_path):
    folder = make({"a.md": b"1"})
    item = folder.list().items[0]
    (tmp_path / "docs" / "a.md").unlink()
    with pytest.raises(FetchError, match=r"a\.md cannot be read: No such file"):
        folder.fetch(item, Validators())


def test_a_folder_that_cannot_be_listed_makes_the_listing_incomplete(make, tmp_path, monkeypatch):
    folder = make({"a.md": b"1", "closed/b.md": b"2"})
    real = os.open

    def closed(path, flags, **options):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, flags, **options)

    monkeypatch.setattr(os, "open", closed)
    listing = folder.list()
    assert not listing.complete
    assert listing.failed == [("handbook/closed", "cannot be listed: Permission denied")]
    assert [item.uri for item in listing.items] == ["handbook/a.md"]


def test_names_of_any_bytes_can_be_listed_and_read(make, tmp_path):
    folder = make({"naïve ü 日本.md": b"1", "100%.md": b"2"})
    (tmp_path / "docs" / os.fsdecode(b"latin-\xe9.md")).write_bytes(b"3")
    items = {item.uri: folder.fetch(item, Validators()).content for item in folder.list().items}
    assert items == {"handbook/naïve ü 日本.md": b"1", "handbook/100%.md": b"2", "handbook/latin-%E9.md": b"3"}


@pytest.fixture
def workspace(tmp_path):
    """A workspace in a folder of documents, with what a sync left in its data."""
    home = tmp_path / "docs" / "search"
    for path in ("docs/a.md", "docs/data/b.md", "docs/search/c.md", "docs/search/data/raw/blobs/d.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("text")
    return home


def around(home, path=".."):
    return Folder(FolderSource(id="handbook", kind="folder", path=path), home)


def test_the_workspaces_own_data_is_no_document(workspace):
    assert uris(around(workspace)) == ["handbook/a.md", "handbook/data/b.md", "handbook/search/c.md"]


def test_the_workspaces_own_data_is_known_through_links(workspace, tmp_path):
    (tmp_path / "elsewhere").symlink_to(tmp_path / "docs")
    linked = tmp_path / "elsewhere" / "search"
    assert uris(around(linked, tmp_path / "docs")) == uris(around(workspace, "../../elsewhere"))
    assert uris(around(linked)) == ["handbook/a.md", "handbook/data/b.md", "handbook/search/c.md"]
    (workspace / "data").rename(tmp_path / "docs" / "made")
    (workspace / "data").symlink_to(tmp_path / "docs" / "made")
    (tmp_path / "docs" / "blob.md").symlink_to(workspace / "data" / "raw" / "blobs" / "d.md")
    listing = around(workspace).list()
    assert [item.uri for item in listing.items] == ["handbook/a.md", "handbook/data/b.md", "handbook/search/c.md"]
    ((uri, reason),) = listing.failed
    assert uri == "handbook/blob.md"
    assert "leads to the workspace's own data" in reason


def test_the_workspaces_own_data_cannot_be_a_source_and_a_folder_in_it_can(workspace):
    with pytest.raises(SourceError, match="workspace's own data; expected a folder of documents"):
        around(workspace, "data").list()
    assert uris(around(workspace, "data/raw")) == ["handbook/blobs/d.md"]


# --- what changes between listing and fetching --------------------------------------------------------


def swap(path, make):
    """Replace a file or folder, as somebody might between two looks."""
    path.rename(path.with_name(".was"))
    make(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFO here")
def test_a_file_that_becomes_a_fifo_or_a_device_is_refused_at_once(make, tmp_path):
    folder = make({"a.md": b"1", "b.md": b"2", "c.md": b"3"})
    items = {item.uri: item for item in folder.list().items}
    swap(tmp_path / "docs" / "a.md", os.mkfifo)
    with pytest.raises(FetchError, match="not a regular file"):
        folder.fetch(items["handbook/a.md"], Validators())
    (tmp_path / "docs" / "b.md").unlink()
    (tmp_path / "docs" / "b.md").symlink_to("/dev/zero")
    with pytest.raises(FetchError, match="link that leaves the folder"):
        folder.fetch(items["handbook/b.md"], Validators())
    assert next(reason for _, reason in folder.list().failed) == "not a regular file"


def test_a_device_itself_is_not_read(tmp_path):
    with pytest.raises(OSError, match="not a regular file"):
        read_regular(Path("/dev"), Path("zero"), 1000)


def test_a_folder_that_becomes_a_link_leads_nowhere(make, tmp_path, monkeypatch):
    folder = make({"sub/a.md": b"ours", "b.md": b"1"})
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_bytes(b"theirs")
    (outside / "secret-name.md").write_bytes(b"theirs")
    (item,) = [item for item in folder.list().items if "sub" in item.uri]
    # the moment after the path was looked at, and before the file is opened
    looked = folder._followed(tmp_path / "docs" / "sub" / "a.md")
    monkeypatch.setattr(folder, "_followed", lambda path: looked)
    swap(tmp_path / "docs" / "sub", lambda path: path.symlink_to(outside))
    with pytest.raises(FetchError, match="cannot be read"):
        folder.fetch(item, Validators())
    with pytest.raises(OSError, match=r"(?i)directory|symbolic"):  # the same moment of a listing
        folder._directory(Path("sub"))


def test_a_file_that_grows_while_it_is_read_is_read_no_further(make, tmp_path, monkeypatch):
    folder = make({"a.md": b"x" * 10}, max_bytes=100)
    path, read = tmp_path / "docs" / "a.md", os.read

    def growing(descriptor, size):
        with path.open("ab") as file:
            file.write(b"x" * 10)
        return read(descriptor, min(size, 10))

    monkeypatch.setattr(os, "read", growing)
    with pytest.raises(FetchError, match="more than max_bytes = 100"):
        read_it(folder)


def read_it(folder):
    return read(folder, "handbook/a.md")


def test_links_that_leave_the_folder_are_reported_those_that_stay_are_not(make, tmp_path):
    folder = make({"a.md": b"1", "sub/b.md": b"2"}, exclude=["venv"])
    docs, outside = tmp_path / "docs", tmp_path / "outside"
    outside.mkdir()
    for name, target in (("out", outside), ("venv", outside), ("stays", "sub"), ("loop", "loop"), ("c.md", "a.md")):
        (docs / name).symlink_to(target)
    listing = folder.list()
    assert [item.uri for item in listing.items] == ["handbook/a.md", "handbook/c.md", "handbook/sub/b.md"]
    reasons = dict(listing.failed)
    assert list(reasons) == ["handbook/loop", "handbook/out"]
    assert reasons["handbook/out"].endswith("is a link that leaves the folder; it is not followed")
