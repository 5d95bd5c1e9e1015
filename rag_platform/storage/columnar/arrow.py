"""Results of DuckDB as frames of Polars, without PyArrow, whose import takes 0.3 s.

Polars keeps the class of what it was given until the process has ended. Were that DuckDB's, DuckDB would complain at
the end, on stderr, that its objects are still there; so this module must not know DuckDB.
"""

from collections.abc import Callable
from typing import Protocol

import polars as pl


class ArrowStream(Protocol):
    """What can be read as a stream of Arrow's, such as a relation of DuckDB's."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class _Stream:
    """A stream of Arrow's whose class is ours."""

    def __init__(self, opened: Callable[[], object]) -> None:
        self._opened = opened

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._opened()


def frame_of(result: ArrowStream) -> pl.DataFrame:
    """Read all rows of a result; moments are UTC's, where DuckDB gives them the time zone of the machine."""
    moments = pl.selectors.datetime(time_zone="*")
    return pl.DataFrame(_Stream(result.__arrow_c_stream__)).with_columns(moments.dt.convert_time_zone("UTC"))
