"""Rows that come within a time, or not at all.

A database's own limit does not hold for every query: some functions of DuckDB and SQLite do not ask whether they were
interrupted, and a server may fall silent. So a thread of its own reads, and is left alone when it cannot be stopped.
"""

import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from itertools import islice
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Engine

from rag_platform.sources.databases.only_reading import only_read

BATCH = 1000
"""Rows that are handed over at a time."""
GRACE = 5.0
"""Seconds that a query has to end after it was told to."""
NAME = "reads a database"
"""Of the threads."""
T = TypeVar("T")


def reading(engine: Engine, seconds: float, work: Callable[[Connection], Generator[T]]) -> Iterator[T]:
    """Yield what `work` reads with a connection that only reads.

    Args:
        engine: From `open_engine`.
        seconds: What all of it may take, from connecting to the last row.
        work: Called in a thread of its own.

    Raises:
        TimeoutError: it took longer.
        Exception: what `work`, or the driver, raised.
    """
    reader = _Reader(engine, seconds, work)
    try:
        while batch := reader.next():
            yield from batch
    finally:
        reader.end()


class _Reader(Generic[T]):
    def __init__(self, engine: Engine, seconds: float, work: Callable[[Connection], Generator[T]]) -> None:
        self._engine, self._seconds, self._work = engine, seconds, work
        self._until = time.monotonic() + seconds
        self._read: queue.Queue[list[T] | BaseException] = queue.Queue(maxsize=2)
        self._ended = threading.Event()
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)
        self._thread.start()

    def next(self) -> list[T]:
        """Wait for the next rows; none: there are no more."""
        left = self._until - time.monotonic()
        try:
            got = self._read.get(timeout=left) if left > 0 else self._stopped()
        except queue.Empty:
            got = self._stopped()
        if isinstance(got, BaseException):
            raise got
        return got

    def end(self) -> None:
        """Stop what goes on still."""
        if not self._ended.is_set() and self._thread.is_alive():
            self._stopped()

    def _stopped(self) -> BaseException:
        """Stop the query, give it time to end, and return what is to be said."""
        self._ended.set()
        self._interrupt()
        self._thread.join(GRACE)
        return TimeoutError(f"reading took longer than `timeout` = {self._seconds:g} seconds and was stopped")

    def _interrupt(self) -> None:
        driver: Any = self._connection and self._connection.connection.driver_connection
        try:
            if hasattr(driver, "interrupt"):  # SQLite, DuckDB
                driver.interrupt()
            elif hasattr(driver, "cancel_safe"):  # psycopg
                driver.cancel_safe(timeout=GRACE)
            elif hasattr(driver, "thread_id"):  # pymysql
                with self._engine.connect() as other:
                    other.exec_driver_sql(f"kill query {int(driver.thread_id())}")
        except Exception:  # noqa: BLE001, S110  it has just ended, or cannot be reached: the thread is left alone then
            pass

    def _run(self) -> None:
        try:
            with self._engine.connect() as connection:
                self._connection = connection
                only_read(connection, self._seconds)
                with closing(self._work(connection)) as rows:
                    while not self._ended.is_set() and (batch := list(islice(rows, BATCH))):
                        self._put(batch)
            self._put([])
        except BaseException as error:  # noqa: BLE001  it is raised where the rows are waited for
            self._put(error)

    def _put(self, batch: list[T] | BaseException) -> None:
        while not self._ended.is_set():
            with suppress(queue.Full):
                self._read.put(batch, timeout=1)
                return
