import threading
import time

import pytest

from rag_platform.core.threads.host_queues import map_by_host


def test_a_host_is_in_order_and_never_in_parallel():
    running, most, order = {}, [], []

    def work(job):
        host, number = job
        running[host] = running.get(host, 0) + 1
        most.append(running[host])
        order.append(job)
        time.sleep(0.002)
        running[host] -= 1
        return number * 2

    jobs = [(host, number) for number in range(10) for host in "abc"]
    done = dict(map_by_host(jobs, lambda job: job[0], work, 4))
    assert done == {job: job[1] * 2 for job in jobs}
    assert max(most) == 1
    for host in "abc":
        assert [job for job in order if job[0] == host] == [(host, number) for number in range(10)]


def test_hosts_run_side_by_side():
    barrier = threading.Barrier(3, timeout=60)
    assert len(list(map_by_host(["a", "b", "c"], str, lambda job: barrier.wait(), 3))) == 3


def test_free_jobs_run_side_by_side():
    barrier = threading.Barrier(3, timeout=60)
    assert len(list(map_by_host([1, 2, 3], lambda job: None, lambda job: barrier.wait(), 3))) == 3


def test_an_exception_reaches_the_one_who_asked():
    with pytest.raises(ZeroDivisionError):
        list(map_by_host([1, 0], str, lambda job: 1 / job, 2))


def test_a_consumer_that_leaves_stops_the_workers():
    started = []
    work = map_by_host(list(range(1000)), lambda job: None, started.append, 2)
    next(work)
    work.close()
    time.sleep(0.3)
    count = len(started)
    assert count < 20
    time.sleep(0.2)
    assert len(started) == count


def test_no_jobs():
    assert list(map_by_host([], str, str, 4)) == []
