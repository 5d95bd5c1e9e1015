"""Turns at what uses the whole machine."""

import threading
import time

from rag_platform.reranking.semaphore import TimedSemaphore


def test_whoever_would_wait_long_goes_without_and_a_turn_ends_with_its_block():
    semaphore = TimedSemaphore(most=1, patience=0.02)
    with semaphore.acquire() as first, semaphore.acquire() as second:
        assert first and not second
    with semaphore.acquire() as third:
        assert third, "who had no turn gave none back"
    with semaphore.acquire(), semaphore.acquire() as again:
        assert not again


def test_a_turn_that_comes_in_time_is_taken():
    semaphore, had = TimedSemaphore(most=1, patience=60.0), []

    def wait():
        with semaphore.acquire() as mine:
            had.append(mine)

    with semaphore.acquire():
        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(0.05)
        assert had == []
    waiting.join(60)
    assert had == [True]
