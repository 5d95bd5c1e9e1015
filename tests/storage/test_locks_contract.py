"""What a workspace's locks promise, whether files or a PostgreSQL server keep them."""

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from rag_platform.core.errors import DatabaseUnavailable, LockLost, WorkspaceBusy
from rag_platform.core.ports import Locks
from rag_platform.core.schemas import RAW
from rag_platform.storage.locks import FileLocks
from rag_platform.storage.relational.postgres_locks import PostgresLocks
from rag_platform.storage.tables import Store
from tests.postgres_server import start, stop

pytestmark = pytest.mark.scale


@pytest.fixture(params=["files", "postgres"])
def machines(request, tmp_path) -> list[Locks]:
    """Two of the locks of one workspace, as two machines have them."""
    if request.param == "files":
        return [FileLocks(tmp_path / "locks") for _ in range(2)]
    pytest.importorskip("psycopg")
    address, schema = request.getfixturevalue("postgres"), f"l{uuid.uuid4().hex[:12]}"
    return [PostgresLocks(lambda: address, schema, "writers") for _ in range(2)]


def test_who_comes_second_is_told_who_holds_it_and_comes_in_afterwards(machines):
    one, other = machines
    assert not other.is_held("docs")
    with one.hold("docs"):
        assert other.is_held("docs") and one.is_held("docs")
        for second in machines:
            with pytest.raises(WorkspaceBusy, match=r"process \d+.* is writing 'docs'"), second.hold("docs"):
                pass
        with other.hold("news"):
            one.assure()
            other.assure()
    assert not one.is_held("docs")
    with other.hold("docs"), pytest.raises(WorkspaceBusy), one.hold("docs"):
        pass


def test_a_lock_ends_with_its_block_also_when_that_fails(machines):
    one, other = machines
    with pytest.raises(ZeroDivisionError), one.hold("docs"), one.hold("news"):
        raise ZeroDivisionError
    with other.hold("docs"), other.hold("news"):
        assert one.is_held("news")


def test_of_many_that_want_it_at_once_one_gets_it(machines):
    begun = threading.Barrier(8)

    def attempt(number: int) -> bool:
        with ExitStack() as held:
            begun.wait(60)
            try:
                held.enter_context(machines[number % 2].hold("docs"))
                return True
            except WorkspaceBusy:
                return False
            finally:
                begun.wait(60)

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(attempt, range(8))) == [False] * 7 + [True]


def test_who_waits_comes_in_turn(machines):
    with machines[0].wait("moves"):
        assert machines[1].is_held("moves")
    inside, order = [], []

    def enter(number: int) -> None:
        with machines[number % 2].wait("moves"):
            inside.append(number)
            assert len(inside) == 1
            order.append(number)
            inside.remove(number)

    with ThreadPoolExecutor(6) as pool:
        [*pool.map(enter, range(12))]
    assert sorted(order) == [*range(12)]


def test_locks_of_two_purposes_and_schemas_are_not_each_others(postgres):
    pytest.importorskip("psycopg")
    first = PostgresLocks(lambda: postgres, "l_first", "writers")
    with first.hold("docs"):
        for other in (
            PostgresLocks(lambda: postgres, "l_second", "writers"),
            PostgresLocks(lambda: postgres, "l_first", "versions"),
        ):
            with other.hold("docs"):
                assert first.is_held("docs")


def test_a_lost_connection_gives_the_lock_away_says_so_and_nothing_more_is_written(postgres, tmp_path):
    pytest.importorskip("psycopg")
    one, other = (PostgresLocks(lambda: postgres, "l_lost", "writers") for _ in range(2))
    store = Store(tmp_path, one)
    lost = r"held the lock of docs was lost.*another machine may be writing"
    with pytest.raises(LockLost, match=lost), store.lock("docs"):
        store.write("raw", "docs", RAW.to_frame())
        before = store.path("raw", "docs").read_bytes()
        stop(postgres)
        with pytest.raises(DatabaseUnavailable):
            other.is_held("docs")
        start(postgres)
        with other.hold("docs"):
            with pytest.raises(LockLost):
                store.write("raw", "docs", RAW.to_frame())
            with pytest.raises(LockLost):
                store.drop("raw", "docs")
    assert store.path("raw", "docs").read_bytes() == before
    with store.lock("docs"):
        store.drop("raw", "docs")
