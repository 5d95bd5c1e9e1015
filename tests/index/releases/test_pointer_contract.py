"""What the pointer to the live version promises, whether a file or a PostgreSQL server keeps it."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from rag_platform.core.errors import VersionError
from rag_platform.index.build.builder import build
from rag_platform.index.releases import pointers
from rag_platform.index.releases.pointers import MIGRATIONS, FilePointer, PostgresPointer
from rag_platform.index.releases.release_log import entry_of
from rag_platform.index.releases.versions import Versions
from rag_platform.storage.relational.postgres import PostgresDatabase
from rag_platform.storage.relational.postgres_locks import PostgresLocks
from tests.index.corpora import corpus, document
from tests.postgres_server import start, stop

pytestmark = pytest.mark.scale


def entry(version, before):
    return entry_of("promote", version=version, before=before, why="test", run_id=None, who="ann")


@pytest.fixture(params=["file", "postgres"])
def opened(request, tmp_path):
    """Return what opens the pointer once more, as another process does."""
    if request.param == "file":
        return lambda: FilePointer(tmp_path)
    pytest.importorskip("psycopg")
    address, schema = request.getfixturevalue("postgres"), f"p{uuid.uuid4().hex[:12]}"
    return lambda: PostgresPointer(lambda: PostgresDatabase(address, schema, MIGRATIONS), tmp_path)


def test_a_move_is_seen_by_all_with_its_entry(opened):
    one, other = opened(), opened()
    assert one.read() is None and one.entries() == []
    one.move(entry("v1", None), None)
    assert other.read(fresh=True) == "v1" and other.entries() == one.entries() == [one.entries()[0]]
    assert other.entries()[0]["who"] == "ann"
    other.move(entry(None, "v1"), "v1")
    assert one.read(fresh=True) is None and [one["version"] for one in one.entries()] == ["v1", None]


def test_who_decided_by_what_is_live_no_more_moves_nothing(opened):
    one, other = opened(), opened()
    one.move(entry("v1", None), None)
    for stale in (None, "v0"):
        with pytest.raises(VersionError, match="v1 is live by now"):
            other.move(entry("v2", stale), stale)
    assert other.read(fresh=True) == "v1" and len(one.entries()) == 1


def test_the_files_say_what_a_copy_of_the_workspace_needs(opened, tmp_path):
    pointer = opened()
    pointer.move(entry("v1", None), None)
    pointer.move(entry("v2", "v1"), "v1")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name, content in pointer.files().items():
        (elsewhere / name).write_bytes(content)
    copy = FilePointer(elsewhere)
    assert copy.read() == "v2" and copy.entries() == pointer.entries()


@pytest.fixture
def two_machines(tmp_path, postgres):
    """The versions of one workspace in a folder that two machines mount, with their locks and pointer in PostgreSQL."""
    pytest.importorskip("psycopg")
    schema = f"p{uuid.uuid4().hex[:12]}"

    def machine():
        database = lambda: PostgresDatabase(postgres, schema, MIGRATIONS)  # noqa: E731
        locks = PostgresLocks(lambda: postgres, schema, "versions")
        return Versions(tmp_path, locks=locks, pointer=PostgresPointer(database, tmp_path))

    return machine(), machine()


def built(versions, text):
    return build(corpus(document("a", text)), versions, partitions={}).version


def test_of_two_machines_that_judged_against_one_version_one_publishes_and_both_see_it(two_machines):
    one, other = two_machines
    live = built(one, "first")
    one.promote(live, why="the gate passed", judged_against=None)
    candidates = [built(one, f"candidate {number}") for number in range(4)]

    def publish(number):
        try:
            two_machines[number % 2].promote(candidates[number], why="the gate passed", judged_against=live)
        except VersionError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(publish, range(4))) == 1
    assert one.pointer.read(fresh=True) == other.pointer.read(fresh=True) != live
    assert [move["kind"] for move in other.moves()] == ["promote", "promote"]
    assert other.rollback(why="bad dates") == live and one.pointer.read(fresh=True) == live and one.held()


def test_a_workspace_takes_its_pointer_along_and_answers_while_the_server_is_gone(tmp_path, postgres, two_machines):
    files = Versions(tmp_path)
    made = [built(files, text) for text in ("first", "second")]
    for version in made:
        files.promote(version, why="before the database")
    one, other = two_machines
    assert one.live_id() == made[1] and [move["version"] for move in one.moves()] == made
    one.rollback(why="test")
    stop(postgres)
    try:
        other.pointer._last = None
        assert other.live_id() == made[0] and len(other.moves()) == 3
    finally:
        start(postgres)
    assert Versions(tmp_path).live_id() == made[0], "who goes back to files goes on from there"


def test_a_killed_move_leaves_neither_pointer_nor_entry(two_machines, monkeypatch):
    one, other = two_machines
    first, second = built(one, "first"), built(one, "second")
    one.promote(first, why="test")

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(pointers, "_write", killed)
        with pytest.raises(KeyboardInterrupt):
            one.promote(second, why="never came")
    assert other.live_id() == first and len(other.moves()) == 1
