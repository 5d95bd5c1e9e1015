"""What a cursor column saves: which rows cannot have changed, and reading the others many at a time."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any

from rag_platform.core.errors import FetchError
from rag_platform.core.ports import Fetched, Item
from rag_platform.sources.dates import iso_utc

TOGETHER = 200
"""Rows that one query reads."""
BYTES_TOGETHER = 64_000_000
"""Of what has a size, such as files."""

Outcome = Fetched | str
"""A row that was read, or why it could not be."""


def still_moving(cursors: Iterable[Any], overlap: float) -> Callable[[Any], bool]:
    """Tell of which rows the cursor is too new to be relied on.

    A second edit within the same tick of the database's clock leaves the cursor as it is. So rows whose time is less
    than `overlap` seconds before the newest (or before now, if that is earlier) count as moving; of version numbers
    and other marks, the greatest. A row without a cursor always does.
    """
    places = [_place(cursor) for cursor in cursors if cursor is not None]
    try:
        newest = max(places, default=None)
        if isinstance(newest, datetime):
            newest = min(newest, datetime.now(UTC)) - timedelta(seconds=overlap)
    except (TypeError, OverflowError):  # dates beside other things: none can be relied on
        return lambda _: True
    return lambda cursor: cursor is None or _place(cursor) >= newest


def shown(cursor: Any) -> str:
    """Write a cursor so that two are equal when they are written the same."""
    return bytes(cursor).hex() if isinstance(cursor, bytes | bytearray | memoryview) else str(cursor)


def _place(cursor: Any) -> Any:
    if isinstance(cursor, bytearray | memoryview):
        return bytes(cursor)
    moment = iso_utc(cursor) if isinstance(cursor, date | str) else None
    return datetime.fromisoformat(moment) if moment else cursor


class Waiting:
    """Rows that are asked for one by one, from several threads, and read many at a time."""

    def __init__(
        self,
        keys: Mapping[str, Any] | None = None,
        sizes: Mapping[str, int] | None = None,
        most: int = BYTES_TOGETHER,
    ) -> None:
        """Read nothing yet; keys and sizes in bytes are by uri, and `most` bytes are read together, or one alone."""
        self._keys = keys or {}
        self._sizes = sizes or {}
        self._most = most
        self._expected: dict[str, None] = {}
        self._read: dict[str, Outcome] = {}
        self._lock = threading.Lock()

    def expect(self, items: Sequence[Item]) -> None:
        """Note which rows will be asked for."""
        self._expected = {item.uri: None for item in items if item.uri in self._keys}

    def take(self, uri: str, read: Callable[[Mapping[str, Any]], Mapping[str, Outcome]]) -> Outcome:
        """Return one row, reading it together with the next of those that are expected."""
        with self._lock:
            if uri not in self._read:
                self._read.update(read(self._next(uri)))
            return self._read.pop(uri)

    def _next(self, uri: str) -> dict[str, Any]:
        if uri not in self._keys:
            raise FetchError(f"{uri}: only rows of the last listing can be read; list the source again")
        self._expected.pop(uri, None)
        together, left = [uri], self._most - self._sizes.get(uri, 0)
        for other in islice(self._expected, TOGETHER - 1):
            if (left := left - self._sizes.get(other, 0)) < 0:
                break
            together.append(other)
        for taken in together[1:]:
            del self._expected[taken]
        return {taken: self._keys[taken] for taken in together}
