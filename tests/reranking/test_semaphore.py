"""Turns at what uses the whole machine."""

import threading
import time

from rag_platform.reranking.semaphore import TimedSemaphore


def test_whoever_would_wait_long_goes_without_and_a_turn_ends_with_its_block():
    turns = TimedSemaphore(most=1, patience=0.02)
    with turns.take() as first, turns.take() as second:
        assert first and not second
    with turns.take() as third:
        assert third, "who had no turn gave none back"
    with turns.take(), turns.take() as again:
        assert not again


def test_a_turn_that_comes_in_time_is_taken():
    turns, had = TimedSemaphore(most=1, patience=5.0), []

    def wait():
        with turns.take() as mine:
            had.append(mine)

    with turns.take():
        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(0.05)
        assert had == []
    waiting.join(5)
    assert had == [True]
