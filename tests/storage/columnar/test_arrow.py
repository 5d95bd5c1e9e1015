"""Results of DuckDB as frames."""

from datetime import UTC, datetime

import duckdb

from rag_platform.storage.columnar.arrow import frame_of


def test_moments_are_of_utc_wherever_the_machine_stands() -> None:
    with duckdb.connect() as connection:
        connection.execute("set TimeZone = 'Asia/Kathmandu'").fetchall()
        frame = frame_of(connection.sql("select timestamptz '2026-05-01 12:00:00+05:45' as moment, 'a' as name"))
    assert frame.rows() == [(datetime(2026, 5, 1, 6, 15, tzinfo=UTC), "a")]
    assert frame.schema["moment"].time_zone == "UTC"
