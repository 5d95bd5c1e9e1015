"""Collections of files: names, revisions, limits, removal, many writers, and kills."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.core.errors import AlreadyThere, MassDeletion, NotFound, SettingsError, TooLarge, UploadRefused
from rag_platform.core.schemas import RAW
from rag_platform.raw.scrape import plan, scrape
from rag_platform.sources.uploads.names import LONGEST, safe_name, slug
from rag_platform.sources.uploads.source import Upload, UploadSource, collections_of
from rag_platform.storage.blobs import Blobs
from rag_platform.workspace import open_workspace

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def make(tmp_path):
    """Collections of the source `teaching`, opened anew as another process would."""
    return lambda **settings: collections_of(UploadSource(id="teaching", kind="upload", **settings), tmp_path / "data")


@pytest.fixture
def physics(make):
    collections = make()
    collections.create("Physics I", language="en", principals=["group:students"], owner="user:ilse")
    return collections


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("notes.md", "notes.md"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\Ω notes.pdf", "Ω notes.pdf"),
        ("..", "unnamed"),
        ("a/b/", "unnamed"),
        ("", "unnamed"),
        (".bashrc", "bashrc"),
        ("cafe\u0301.txt", "caf\u00e9.txt"),
        ("invoice\u202efdp.exe", "invoice fdp.exe"),
        ("two\nlines\x00.md", "two lines.md"),
        ("क्\u200dष.md", "क्\u200dष.md"),
        ("lone\udcff.md", "lone?.md"),
        ("क्वाण्टम.pdf", "क्वाण्टम.pdf"),
    ],
)
def test_a_name_is_made_safe(name, kept):
    assert safe_name(name) == kept


@given(st.text(max_size=400))
def test_a_safe_name_is_one_visible_part_of_a_path_and_stays_as_it_is(name):
    kept = safe_name(name)
    assert kept not in ("", ".", "..") and not {"/", "\\", "\0"} & set(kept) and not kept.startswith((".", " "))
    assert len(kept.encode()) <= LONGEST
    assert safe_name(kept) == kept


def test_a_long_name_keeps_its_kind():
    assert safe_name("y" * 300 + ".pdf") == "y" * (LONGEST - 4) + ".pdf"


def test_an_id_is_made_of_the_title_or_given(make):
    collections = make()
    assert slug("Física Cuántica: Übung 3!") == "fisica-cuantica-ubung-3"
    assert collections.create("Física Cuántica").id == "fisica-cuantica"
    assert collections.create("量子力学", id="quantum").id == "quantum"
    for title, given_id in [("量子力学", None), ("x", "No Spaces"), ("x", "../up"), ("x", "-a"), ("  ", "blank")]:
        with pytest.raises(UploadRefused):
            collections.create(title, id=given_id)
    with pytest.raises(AlreadyThere, match="quantum"):
        collections.create("Quantum")
    assert [one.id for one in collections.list()] == ["fisica-cuantica", "quantum"]


def test_a_collection_is_described_changed_and_seen_by_those_who_may(physics):
    made = physics.create("Open")
    assert made.principals == ("*",)
    assert [one.id for one in physics.list(["user:bob"])] == ["open"]
    assert [one.id for one in physics.list(["group:students"])] == ["open", "physics-i"]
    with pytest.raises(NotFound, match=r"there are: open$"):
        physics.show("physics-i", ["user:bob"])
    changed = physics.change("physics-i", title="Physics", principals=[], language=None)
    assert (changed.title, changed.principals, changed.language, changed.owner) == (
        "Physics",
        ("*",),
        None,
        "user:ilse",
    )
    with pytest.raises(UploadRefused, match="owner"):
        physics.change("physics-i", owner="user:bob")
    with pytest.raises(UploadRefused, match="language"):
        physics.change("physics-i", language="english")


def test_a_collection_has_fewer_readers_than_its_source_and_never_others(make):
    staff = make(principals=["group:staff", "group:students"])
    assert staff.create("All of them").principals == ("group:staff", "group:students")
    assert staff.create("Some", principals=["group:students"]).principals == ("group:students",)
    for other in ("*", "user:bob"):
        with pytest.raises(UploadRefused, match="may not read"):
            staff.create("Leak", principals=[other])
        with pytest.raises(UploadRefused, match="may not read"):
            staff.change("some", principals=[other])
    narrower = make(principals=["group:staff"])
    assert narrower.show("all-of-them").principals == ("group:staff",)
    assert narrower.list(["group:students", "group:staff"]) == [narrower.show("all-of-them")]


def test_the_same_name_is_the_next_revision_and_the_same_bytes_are_not(physics):
    first = physics.add("physics-i", "a/notes.md", [b"on", b"e"], title="Notes", tags=["exam", "exam"], who="ilse")
    assert (first.uri, first.revision, first.size) == ("teaching/physics-i/notes.md", 1, 3)
    assert (first.sha256, first.tags) == (hashlib.sha256(b"one").hexdigest(), ("exam",))
    assert physics.add("physics-i", "notes.md", [b"one"]).revision == 1
    second = physics.add("physics-i", "notes.md", [b"two"])
    assert second.revision == 2
    assert physics.path(second).read_bytes() == b"two"
    assert not physics.path(first).exists()
    assert physics.show("physics-i").files == 1


def test_two_files_of_the_same_bytes_do_not_lose_them_when_one_goes(physics):
    kept = [physics.add("physics-i", name, [b"same"]) for name in ("a.md", "b.md")][1]
    physics.remove("physics-i", "a.md")
    assert physics.path(kept).read_bytes() == b"same"
    physics.remove("physics-i", "b.md")
    assert not physics.path(kept).exists()


def test_too_large_and_too_many_are_refused_while_reading_and_leave_nothing(make, physics):
    small = make(max_bytes=10, max_files=2)
    read = []

    def pieces():
        for number in range(100):
            read.append(number)
            yield b"abcd"

    with pytest.raises(TooLarge, match="max_bytes = 10"):
        small.add("physics-i", "big.bin", pieces())
    assert len(read) == 3
    small.add("physics-i", "a", [b"1"])
    small.add("physics-i", "b", [b"2"])
    small.add("physics-i", "b", [b"3"])  # not one more
    with pytest.raises(TooLarge, match="max_files = 2"):
        small.add("physics-i", "c", [b"4"])
    assert len(list((small.folder / "physics-i").iterdir())) == 2


def test_an_upload_that_ends_in_the_middle_leaves_the_revision_before(physics):
    kept = physics.add("physics-i", "notes.md", [b"one"])

    def broken():
        yield b"tw"
        raise ConnectionError

    with pytest.raises(ConnectionError):
        physics.add("physics-i", "notes.md", broken())
    assert physics.path(physics.file("physics-i", "notes.md")).read_bytes() == b"one"
    assert [path.name for path in (physics.folder / "physics-i").iterdir()] == [kept.sha256]


WRITER = """
import sys
from pathlib import Path
from rag_platform.sources.uploads.source import UploadSource, collections_of
collections = collections_of(UploadSource(id="teaching", kind="upload"), Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    collections.add("physics-i", f"{sys.argv[2]}-{number % 20}.md", [f"{sys.argv[2]} {number}".encode() * 50])
    print(number, flush=True)
"""


def _writer(data, name, count):
    command = [sys.executable, "-c", WRITER, str(data), name, str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_many_processes_write_at_a_time(physics, tmp_path):
    writers = [_writer(tmp_path / "data", name, 20) for name in "abc"]
    assert [writer.communicate(timeout=60) and writer.returncode for writer in writers] == [0, 0, 0]
    assert len(physics.files("physics-i")) == 60
    _whole(physics)


def test_a_killed_writer_leaves_whole_files_only_and_its_rests_are_removed(physics, tmp_path):
    for _ in range(3):
        with _writer(tmp_path / "data", "k", 10_000) as writer:
            for _ in range(5):
                writer.stdout.readline()
            writer.send_signal(signal.SIGKILL)
        _whole(physics)
    rest = physics.folder / "physics-i" / ".rest.new"
    rest.write_bytes(b"half")
    os.utime(rest, (time.time() - 7200,) * 2)
    physics.remove("physics-i", "k-0.md")
    named = {file.sha256 for file in physics.files("physics-i")}
    arriving = {path.name for path in (physics.folder / "physics-i").iterdir()} - named
    assert ".rest.new" not in arriving and all(name.startswith(".") for name in arriving)


def _whole(collections):
    for file in collections.files("physics-i"):
        assert hashlib.sha256(collections.path(file).read_bytes()).hexdigest() == file.sha256


def _sync(collections, before, tmp_path, share=0.2):
    done = scrape(
        Upload(collections),
        before,
        Blobs(tmp_path / "blobs"),
        source_id="teaching",
        now=datetime(2026, 3, 2, tzinfo=UTC),
        run_id="r",
        max_deleted_share=share,
    )
    return done.table, done.tally


def test_the_source_tells_what_the_collection_says_and_notices_when_it_changes(physics, tmp_path):
    physics.add("physics-i", "100% sure?.md", [b"text"], title="Sure", tags=["exam"], who="user:ilse")
    (item,) = Upload(physics).list().items
    assert item.uri == "teaching/physics-i/100%25 sure%3F.md"
    assert item.metadata == {
        "title": "Sure",
        "collection": "physics-i",
        "language": "en",
        "principals": ["group:students"],
        "owner": "user:ilse",
        "tags": ["exam"],
    }
    table, _ = _sync(physics, pl.DataFrame(schema=RAW), tmp_path)
    physics.change("physics-i", principals=["group:teachers"])
    table, tally = _sync(physics, table, tmp_path)
    assert tally.unchanged == 1
    assert '"group:teachers"' in table["metadata"][0]


def test_what_a_person_removes_goes_without_being_asked_for(physics, tmp_path):
    for number in range(10):
        physics.add("physics-i", f"{number}.md", [b"text %d" % number])
    table, _ = _sync(physics, pl.DataFrame(schema=RAW), tmp_path)
    physics.delete("physics-i", who="ilse")
    known = plan(Upload(physics).list(), table, source_id="teaching", max_deleted_share=0.2)
    assert (known.gone, known.stops) == (10, None)
    table, tally = _sync(physics, table, tmp_path)
    assert tally.gone == 10
    assert table["reason"].str.starts_with("removed by ilse on 2").all()
    assert not (physics.folder / "physics-i").exists()
    assert _sync(physics, table, tmp_path)[1].to_dict() == {
        "seen": 0, "new": 0, "changed": 0, "unchanged": 0, "gone": 0, "failed": [],
    }  # fmt: skip


def test_what_vanishes_without_a_person_is_still_asked_about(physics, tmp_path):
    for number in range(10):
        physics.add("physics-i", f"{number}.md", [b"text %d" % number])
    table, _ = _sync(physics, pl.DataFrame(schema=RAW), tmp_path)
    physics.remove("physics-i", "0.md", who="ilse")
    for path in physics.folder.glob("collections.sqlite*"):
        path.unlink()
    with pytest.raises(MassDeletion):
        _sync(collections_of(UploadSource(id="teaching", kind="upload"), tmp_path / "data"), table, tmp_path)


def test_a_file_that_comes_back_is_a_document_again(physics, tmp_path):
    physics.add("physics-i", "a.md", [b"text"])
    physics.add("physics-i", "b.md", [b"text b"])
    table, _ = _sync(physics, pl.DataFrame(schema=RAW), tmp_path)
    physics.remove("physics-i", "a.md")
    physics.add("physics-i", "a.md", [b"text"])
    table, tally = _sync(physics, table, tmp_path)
    assert (tally.gone, tally.unchanged) == (0, 2)


def test_damaged_bytes_are_a_failure_of_one_file_and_keep_the_last_good_ones(physics, tmp_path):
    kept = physics.add("physics-i", "a.md", [b"text"])
    physics.add("physics-i", "b.md", [b"text b"])
    physics.path(kept).write_bytes(b"other")
    _, tally = _sync(physics, pl.DataFrame(schema=RAW), tmp_path)
    assert tally.new == 1
    assert [(uri, "upload it again" in reason) for uri, reason in tally.failed] == [("teaching/physics-i/a.md", True)]


def test_the_source_is_found_by_itself_or_by_name(tmp_path):
    (tmp_path / "rag.toml").write_text(
        '[[sources]]\nid = "a"\nkind = "upload"\n[[sources]]\nid = "b"\nkind = "upload"\n'
    )
    workspace = open_workspace(tmp_path)
    assert workspace.collections("b").source == "b"
    with pytest.raises(SettingsError, match="Expected one of: a, b"):
        workspace.collections()
    (tmp_path / "rag.toml").write_text("")
    with pytest.raises(SettingsError, match="kind = 'upload'"):
        open_workspace(tmp_path).collections()
    assert not [*(tmp_path / "data").iterdir()]
