"""How the platform is used: questions by day and how long they took, the slowest, and how many searches there were.

Questions are the journal's receipts, from whichever program they came. All sums are taken in SQLite over an index that
holds what they need, so that they take no longer when receipts hold long answers. Times and days are UTC.
"""

import json
import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl

from rag_platform.core.errors import StorageError
from rag_platform.journal.journal import Journal

STAGES = {"total": "total_ms", "search": "search_ms", "generate": "generate_ms", "verify": "verify_ms"}
"""Of an answer, and the journal's column for the milliseconds of each."""
DAYS = pl.Schema(
    {
        "day": pl.Date,
        "questions": pl.Int64,
        "unanswered": pl.Int64,
        "p50_ms": pl.Float64,
        "p95_ms": pl.Float64,
        "searches": pl.Int64,
    }
)
_FLUSH_AFTER = 20.0
"""Seconds for which counts of searches are kept in memory, so that no search waits for the disk."""


@dataclass(frozen=True, slots=True)
class SlowAnswer:
    """An answer that took long; who asked is not included."""

    receipt_id: str
    asked_at: datetime
    question: str
    model: str
    took_ms: dict[str, float]
    """Milliseconds of each stage and of the "total"."""


@dataclass(frozen=True, slots=True)
class AnswerTotals:
    """How many answers there are receipts of, and how many people judged."""

    answered: int
    abstained: int
    good: int
    bad: int


def answer_totals(journal: Journal) -> AnswerTotals:
    """Count all receipts, and all that people said of them."""
    with journal.reading() as connection:
        receipts = connection.execute(_COUNTED.format("not abstained", "abstained", "receipts")).fetchone()
        said = connection.execute(_COUNTED.format("good", "not good", "feedback")).fetchone()
    return AnswerTotals(*(int(count) for count in (*receipts, *said)))


def per_day(journal: Journal, days: int, now: datetime | None = None) -> pl.DataFrame:
    """Return the last so many days, today last: columns `DAYS`; a day without anything has zeros."""
    today = (now or datetime.now(UTC)).date()
    first = today - timedelta(days=days - 1)
    with journal.reading() as connection:
        asked = connection.execute(_QUESTIONS, {"since": first.isoformat()}).fetchall()
        searched = connection.execute(_SEARCHES, {"since": first.isoformat()}).fetchall()
    every = pl.DataFrame({"day": pl.date_range(first, today, eager=True)})
    columns = list(DAYS)
    answers = _frame(asked, columns[:-1])
    searches = _frame(searched, ["day", "searches"])
    table = every.join(answers, on="day", how="left").join(searches, on="day", how="left")
    return table.with_columns(pl.col("questions", "unanswered", "searches").fill_null(0))


def slowest(
    journal: Journal, days: int, stage: str = "total", limit: int = 20, now: datetime | None = None
) -> list[SlowAnswer]:
    """Return the answers of the last so many days that took longest in a stage of `STAGES`, the slowest first."""
    since = ((now or datetime.now(UTC)) - timedelta(days=days)).isoformat()
    column = STAGES[stage]
    found = (
        f"select rowid from receipts indexed by receipts_usage where asked_at >= :since and {column} > 0 "
        f"order by {column} desc limit :limit"
    )
    sql = f"select id, asked_at, question, model, took_ms from receipts where rowid in ({found}) order by {column} desc"
    with journal.reading() as connection:
        rows = connection.execute(sql, {"since": since, "limit": limit}).fetchall()
    return [
        SlowAnswer(receipt_id, datetime.fromisoformat(asked_at), question, model, json.loads(took_ms))
        for receipt_id, asked_at, question, model, took_ms in rows
    ]


class UsageCounter:
    """Counts what leaves no receipt: how many searches a day, and nothing of what was searched or by whom.

    Counts reach the file some seconds later; those of a process that is killed meanwhile are lost.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._counts: dict[tuple[str, str], int] = {}
        self._timer: threading.Timer | None = None

    def count(self, kind: str, number: int = 1) -> None:
        """Count one more, or several; returns at once."""
        key = (datetime.now(UTC).date().isoformat(), kind)
        with self._lock:
            self._counts[key] = self._counts.get(key, 0) + number
            if self._timer is None:
                self._timer = threading.Timer(_FLUSH_AFTER, self.flush)
                self._timer.daemon = True
                self._timer.start()

    def flush(self) -> None:
        """Write down what was counted; when that cannot be done now, the next time."""
        with self._lock:
            counts, self._counts = self._counts, {}
            if self._timer:
                self._timer.cancel()
            self._timer = None
        if not counts:
            return
        try:
            with self._journal.writing() as connection:
                connection.executemany(_COUNT, [(*key, number) for key, number in counts.items()])
        except StorageError:  # a search never fails for its being counted
            with self._lock:
                self._counts = {key: self._counts.get(key, 0) + counts.get(key, 0) for key in counts | self._counts}


def _frame(rows: list[Any], columns: list[str]) -> pl.DataFrame:
    schema = {name: pl.String if name == "day" else DAYS[name] for name in columns}
    return pl.DataFrame([tuple(row) for row in rows], schema=schema, orient="row").with_columns(
        pl.col("day").str.to_date()
    )


_QUESTIONS = """
with timed as (
    select substr(asked_at, 1, 10) as day, abstained, total_ms,
        row_number() over (partition by substr(asked_at, 1, 10) order by total_ms) as place,
        count(*) over (partition by substr(asked_at, 1, 10)) as questions
    from receipts where asked_at >= :since
)
select day, max(questions), count(*) filter (where abstained),
    max(case when place <= (questions + 1) / 2 then total_ms end),
    max(case when place <= (questions * 95 + 99) / 100 then total_ms end)
from timed group by day
"""
_COUNTED = "select count(*) filter (where {}), count(*) filter (where {}) from {}"
_SEARCHES = "select day, count from uses where kind = 'searches' and day >= :since"
_COUNT = "insert into uses values (?, ?, ?) on conflict (day, kind) do update set count = uses.count + excluded.count"
