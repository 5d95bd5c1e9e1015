import threading
import time

import pytest

from rag_platform.core.host_queues import map_by_host
from rag_platform.sources.dates import iso_utc


def test_a_lane_is_in_order_and_never_in_parallel():
    running, most, order = {}, [], []

    def work(job):
        lane, number = job
        running[lane] = running.get(lane, 0) + 1
        most.append(running[lane])
        order.append(job)
        time.sleep(0.002)
        running[lane] -= 1
        return number * 2

    jobs = [(lane, number) for number in range(10) for lane in "abc"]
    done = dict(map_by_host(jobs, lambda job: job[0], work, 4))
    assert done == {job: job[1] * 2 for job in jobs}
    assert max(most) == 1
    for lane in "abc":
        assert [job for job in order if job[0] == lane] == [(lane, number) for number in range(10)]


def test_lanes_run_side_by_side():
    barrier = threading.Barrier(3, timeout=5)
    assert len(list(map_by_host(["a", "b", "c"], str, lambda job: barrier.wait(), 3))) == 3


def test_free_jobs_run_side_by_side():
    barrier = threading.Barrier(3, timeout=5)
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


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-02", "2026-03-02T00:00:00+00:00"),
        ("2026-03-02T10:00:00Z", "2026-03-02T10:00:00+00:00"),
        ("2026-03-02T10:00:00.5+02:00", "2026-03-02T08:00:00.500000+00:00"),
        ("Mon, 02 Mar 2026 10:00:00 +0100", "2026-03-02T09:00:00+00:00"),
        (0, "1970-01-01T00:00:00+00:00"),
        ("yesterday", None),
        ("", None),
        (None, None),
        (True, None),
        (1e300, None),
        ("0001-01-01T00:00:00+14:00", None),
    ],
)
def test_dates(value, expected):
    assert iso_utc(value) == expected
