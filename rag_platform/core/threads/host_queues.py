"""Work in parallel, but one at a time towards each host."""

import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def map_by_host(
    jobs: Sequence[Job], host: Callable[[Job], str | None], work: Callable[[Job], Result], workers: int
) -> Generator[tuple[Job, Result], None, None]:
    """Yield (job, result) as they get ready; jobs of one host run one after the other, in order.

    Jobs whose host is None run beside each other. The threads are daemons and look for a stop between two jobs, so an
    interrupt or a closed generator ends promptly and never waits for a slow host. An exception of `work` is raised
    here.
    """
    groups = _by_host(jobs, host)
    results: queue.Queue[_Outcome[Job, Result]] = queue.Queue(maxsize=2 * workers)  # fetched bytes must not pile up
    stop = threading.Event()
    for _ in range(min(workers, groups.qsize())):
        threading.Thread(target=_worker, args=(groups, work, results, stop), daemon=True).start()
    try:
        for _ in range(len(jobs)):
            outcome = results.get()
            if outcome.error is not None:
                raise outcome.error
            yield outcome.job, outcome.results[0]
    finally:
        stop.set()


@dataclass(frozen=True, slots=True)
class _Outcome(Generic[Job, Result]):
    job: Job
    results: tuple[Result, ...] = ()
    """The one result; none after an error."""
    error: BaseException | None = None


def _by_host(jobs: Sequence[Job], host: Callable[[Job], str | None]) -> "queue.SimpleQueue[list[Job]]":
    named: dict[str, list[Job]] = defaultdict(list)
    free: list[list[Job]] = []
    for job in jobs:
        name = host(job)
        (free.append([job]) if name is None else named[name].append(job))
    groups: queue.SimpleQueue[list[Job]] = queue.SimpleQueue()
    for group in [*sorted(named.values(), key=len, reverse=True), *free]:  # the longest first: it ends last
        groups.put(group)
    return groups


def _worker(
    groups: "queue.SimpleQueue[list[Job]]",
    work: Callable[[Job], Result],
    results: "queue.Queue[_Outcome[Job, Result]]",
    stop: threading.Event,
) -> None:
    while True:
        try:
            group = groups.get_nowait()
        except queue.Empty:
            return
        for job in group:
            if stop.is_set():
                return
            _hand_over(results, _attempt(job, work), stop)


def _attempt(job: Job, work: Callable[[Job], Result]) -> _Outcome[Job, Result]:
    try:
        return _Outcome(job, (work(job),))
    except BaseException as error:  # noqa: BLE001  raised again in the thread that called
        return _Outcome(job, error=error)


def _hand_over(
    results: "queue.Queue[_Outcome[Job, Result]]", outcome: _Outcome[Job, Result], stop: threading.Event
) -> None:
    while not stop.is_set():
        try:
            results.put(outcome, timeout=0.1)
            return
        except queue.Full:
            continue
