"""Work in parallel, but one at a time towards each host."""

import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

Job = TypeVar("Job")


def map_by_host(
    jobs: Sequence[Job], lane: Callable[[Job], str | None], work: Callable[[Job], Any], workers: int
) -> Iterator[tuple[Job, Any]]:
    """Yield (job, result) as they get ready; jobs of one lane run one after the other, in order.

    A lane of None is free: such jobs run beside each other. The threads are daemons and look for a stop between
    two jobs, so an interrupt or a closed iterator ends promptly and never waits for a slow host. An exception of
    `work` is raised here.
    """
    lanes = _lanes(jobs, lane)
    results: queue.Queue[Any] = queue.Queue(maxsize=2 * workers)  # bounded: fetched bytes must not pile up
    stop = threading.Event()
    for _ in range(min(workers, lanes.qsize())):
        threading.Thread(target=_worker, args=(lanes, work, results, stop), daemon=True).start()
    try:
        for _ in range(len(jobs)):
            job, result, error = results.get()
            if error is not None:
                raise error
            yield job, result
    finally:
        stop.set()


def _lanes(jobs: Sequence[Job], lane: Callable[[Job], str | None]) -> queue.SimpleQueue[Any]:
    named, free = defaultdict(list), []
    for job in jobs:
        name = lane(job)
        (free.append([job]) if name is None else named[name].append(job))
    lanes: queue.SimpleQueue[Any] = queue.SimpleQueue()
    for group in [*sorted(named.values(), key=len, reverse=True), *free]:  # the longest first: it ends last
        lanes.put(group)
    return lanes


def _worker(
    lanes: queue.SimpleQueue[Any], work: Callable[[Job], Any], results: queue.Queue[Any], stop: threading.Event
) -> None:
    while True:
        try:
            group = lanes.get_nowait()
        except queue.Empty:
            return
        for job in group:
            if stop.is_set():
                return
            _hand_over(results, _attempt(job, work), stop)


def _attempt(job: Job, work: Callable[[Job], Any]) -> tuple[Job, Any, BaseException | None]:
    try:
        return job, work(job), None
    except BaseException as error:  # noqa: BLE001  raised again in the thread that asked
        return job, None, error


def _hand_over(results: queue.Queue[Any], result: tuple[Any, ...], stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            results.put(result, timeout=0.1)
            return
        except queue.Full:
            continue
