"""Readers open and warm a new version beside the one that answers, and then turn."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.versions import Versions
from tests.index.corpora import document, file_of
from tests.waiting import wait_until

PATIENCE = 120.0
"""Seconds after which a test gives up waiting."""


class Warming:
    """Warms a version by waiting until it is let go on."""

    def __init__(self) -> None:
        self.warmed: list[str] = []
        self.begun, self.go_on = threading.Semaphore(0), threading.Semaphore(0)

    def __call__(self, version: OpenVersion) -> None:
        self.begun.release()
        assert self.go_on.acquire(timeout=PATIENCE)
        self.warmed.append(version.id)

    def let(self) -> None:
        """Wait until a version is being warmed, and let that end."""
        assert self.begun.acquire(timeout=PATIENCE)
        self.go_on.release()


@pytest.fixture
def warming() -> Iterator[Warming]:
    made = Warming()
    yield made
    for _ in range(9):
        made.go_on.release()


@pytest.fixture
def first(publish: Callable[..., str]) -> str:
    return publish(document("a", "first"))


@pytest.fixture
def reader(versions: Versions, first: str, warming: Warming) -> Versions:
    """A reader elsewhere that follows, and has turned to the first version."""
    following = Versions(versions.folder)
    following.follow(warming)
    warming.let()
    wait_until(lambda: warming.warmed == [first])
    return following


def test_the_version_before_answers_until_the_new_one_is_warm(
    reader: Versions, first: str, publish, warming: Warming
) -> None:
    wait_until(lambda: reader.live().id == first)
    second = publish(document("a", "second"))
    assert reader.live().id == first
    assert warming.begun.acquire(timeout=PATIENCE)
    assert reader.live().id == first
    warming.go_on.release()
    wait_until(lambda: reader.live().id == second)
    assert warming.warmed == [first, second]


def test_it_turns_though_nobody_asks(reader: Versions, publish, warming: Warming) -> None:
    second = publish(document("a", "second"))
    warming.let()
    wait_until(lambda: warming.warmed[-1] == second)
    wait_until(lambda: reader.live().id == second)


def test_whoever_moves_the_pointer_sees_it_moved(
    versions: Versions, publish, warming: Warming, first: str, reader: Versions
) -> None:
    second = publish(document("a", "second"))
    warming.let()
    wait_until(lambda: reader.live().id == second)
    reader.rollback(first, why="test")
    assert reader.live().id == first
    assert warming.warmed == [first, second]  # once each, while they are open


def test_a_version_that_was_removed_is_not_read_on(
    reader: Versions, first: str, publish, versions: Versions, warming: Warming
) -> None:
    second = publish(document("a", "second"))
    assert warming.begun.acquire(timeout=PATIENCE)
    versions.remove(first)
    assert reader.live().id == second


def test_what_cannot_be_warmed_answers_cold(versions: Versions, publish) -> None:
    def failing(_: OpenVersion) -> None:
        raise RuntimeError("the model has gone")

    publish(document("a", "first"))
    reader = Versions(versions.folder)
    reader.follow(failing)
    reader.live()
    second = publish(document("a", "second"))
    wait_until(lambda: reader.live().id == second)


def test_what_cannot_be_warmed_can_be_published(versions: Versions, publish) -> None:
    def failing(_: OpenVersion) -> None:
        raise RuntimeError("the model has gone")

    first, second = publish(document("a", "first")), publish(document("a", "second"))
    publisher = Versions(versions.folder)
    publisher.follow(failing)
    publisher.promote(first, why="test")
    assert versions.live_id() == first != second


def test_a_damaged_live_version_is_told_of_and_the_sound_one_answers(
    reader: Versions, first: str, publish, versions: Versions, warming: Warming
) -> None:
    second = publish(document("a", "second"))
    warming.let()
    wait_until(lambda: reader.live().id == second)
    third = publish(document("a", "third"))
    path: Path = file_of(versions.path(third), "vectors.usearch")
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    warming.go_on.release()
    wait_until(lambda: "damaged" in (reader.live_notice() or ""))
    assert reader.live().id == second


def test_who_is_told_of_a_publication_can_wait_for_it(reader: Versions, first: str, publish, warming: Warming) -> None:
    second = publish(document("a", "second"))
    reader.catch_up(0.0)
    assert reader.live().id == first
    warming.let()
    reader.catch_up(PATIENCE)
    assert reader.live().id == second


def test_the_thread_ends_when_nobody_holds_the_versions(versions: Versions, publish) -> None:
    publish(document("a", "first"))
    before = set(threading.enumerate())
    reader = Versions(versions.folder)
    reader.follow(lambda _: None)
    reader.live()
    (thread,) = set(threading.enumerate()) - before
    del reader
    thread.join(PATIENCE)
    assert not thread.is_alive()
