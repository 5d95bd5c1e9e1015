"""Parts that are built when they are first asked for."""

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from rag_platform.core.lazy import locked_cached_property

THREADS = 4


class Parts:
    """Counts how often each part is built."""

    def __init__(self):
        self.built = []

    @locked_cached_property
    def slow(self):
        """A part that takes its time: all who were let in meet here."""
        self.built.append("slow")
        meeting = self.__dict__.get("meeting")
        with suppress(threading.BrokenBarrierError):
            if meeting:
                meeting.wait(0.3)
        return object()

    @locked_cached_property
    def above(self):
        """A part that needs another."""
        return [self.slow]

    @locked_cached_property
    def fails_first(self):
        """A part that cannot be built at once."""
        self.built.append("try")
        if len(self.built) == 1:
            raise OSError("not yet")
        return "here"


def test_threads_that_ask_at_one_moment_share_one_part():
    parts, start = Parts(), threading.Barrier(THREADS)
    parts.meeting = threading.Barrier(THREADS)

    def ask(name):
        start.wait(60)
        return getattr(parts, name)

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(ask, ["slow", "above"] * (THREADS // 2)))
    assert parts.built == ["slow"]
    assert {id(one[0] if isinstance(one, list) else one) for one in found} == {id(parts.slow)}


def test_a_part_that_failed_is_tried_again_and_leaves_no_lock_behind():
    parts = Parts()
    with pytest.raises(OSError, match="not yet"):
        _ = parts.fails_first
    assert parts.fails_first == parts.fails_first == "here"
    assert parts.built == ["try", "try"]
    assert set(parts.__dict__) == {"built", "fails_first"}
    assert pickle.loads(pickle.dumps(parts)).fails_first == "here"


def test_the_class_shows_what_a_part_is():
    assert Parts.slow.__doc__.startswith("A part that takes its time")
