"""What was stopped is read again: later each time, and not for ever.

A reader that died or passed a limit may get through when the machine is less busy or has more memory. Everything here
depends on the clock that it is given, and on the row that the last attempt left.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import polars as pl

from rag_platform.core.ids import digest
from rag_platform.documents.document_rows import Row
from rag_platform.documents.extracted import Part
from rag_platform.documents.options import Limits


@dataclass(frozen=True, slots=True)
class Retries:
    """When and how often."""

    attempts: int = 5
    """Of one document in all, until it, its reader or the limits change, or somebody asks for everything anew."""
    pause: timedelta = timedelta(hours=1)
    """After the first attempt; twice as long after each further one."""

    def columns(self, part: Part, attempt: int, now: datetime) -> Row:
        """Return the columns of a document that say when it is read again; `attempt` is the number of this one."""
        if not part.stopped:
            return {"attempts": 0, "next_try": None}
        said = f"{part.reason}; attempt {attempt} of {self.attempts}"
        if attempt >= self.attempts:
            return {"attempts": attempt, "next_try": None, "reason": f"{said}: `rag sync --full` tries again"}
        moment = now + self.pause * 2 ** (attempt - 1)
        return {
            "attempts": attempt,
            "next_try": moment,
            "reason": f"{said}; will be tried again at {moment:%Y-%m-%d %H:%M} UTC or later",
        }

    def is_due(self, rows: Iterable[Row], now: datetime) -> bool:
        """Return whether what was stopped in a raw file, of which these are the rows, is to be tried now."""
        stopped = [row for row in rows if row["attempts"]]
        return any(
            row["attempts"] < self.attempts and (row["next_try"] is None or row["next_try"] <= now) for row in stopped
        )


def stopped_key(key: str, limits: Limits) -> str:
    """Return the stage key of what was stopped: with other limits it is tried at once."""
    return digest("stopped", key, repr(limits))


def without_attempts(documents: pl.DataFrame) -> pl.DataFrame:
    """Return a documents table in which everything that was stopped is due, as if it had never been read."""
    raw_uris = documents.filter(pl.col("attempts") > 0)["raw_uri"].implode()
    return documents.with_columns(
        stage_key=pl.when(pl.col("raw_uri").is_in(raw_uris)).then(pl.lit("")).otherwise(pl.col("stage_key"))
    )
