"""A source's documents before and after, as the brake on change reads them."""

from datetime import UTC, datetime
from typing import Any

import polars as pl

from rag_platform.core.ids import digest
from rag_platform.core.principals import PUBLIC
from rag_platform.core.schemas import DOCUMENTS
from rag_platform.text.shingles import signature
from rag_platform.validation.change_report import ChangeReport
from rag_platform.validation.changes import compare
from rag_platform.validation.document_pairs import COLUMNS, Reading
from rag_platform.validation.past import Past

DAY = datetime(2026, 5, 4, tzinfo=UTC)
_NAMES = ("pump", "valve", "boiler", "meter", "filter", "motor", "sensor", "tank", "hose", "gauge", "relay", "switch")


def article(number: int) -> str:
    """Return a text that is like no other."""
    name, other = _NAMES[number % 12], _NAMES[(5 * number + 3) % 12]
    steps = "\n".join(f"- Step {number * 7 + place}: loosen the {name} {place}" for place in range(4))
    return (
        f"# The {name} of line {number}\n\nIn hall {number * 3} the {name} feeds the {other}, which was mounted in "
        f"{1960 + number}. Whoever opens the {other} closes tap {number + 11} first and waits {number + 2} minutes.\n\n"
        f"## Service of the {name}\n\n{steps}\n\n## Parts\n\nOrder number {number * 9173} of the {other} fits, "
        f"and costs {number + 40} euros. The supplier of the {name} delivers within {number + 3} days."
    )


def row(number: int, **changes: Any) -> dict[str, Any]:
    """Return a row of the documents table."""
    made = dict.fromkeys(DOCUMENTS) | {
        "doc_id": digest("doc", str(number)),
        "uri": f"https://works.example/{number}",
        "status": "ok",
        "title": f"Page {number}",
        "language": "en",
        "type": "html",
        "format": "html",
        "principals": [PUBLIC],
        "published_at": DAY,
        "updated_at": DAY,
        "text": article(number),
    }
    made |= changes
    return made | {"revision": digest("text", made["text"])}


def table(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Return the rows as a documents table."""
    return pl.DataFrame(rows, schema=DOCUMENTS)


def judged(before: list[dict[str, Any]], now: list[dict[str, Any]], past: Past = Past()) -> ChangeReport:  # noqa: B008 (frozen)
    """Compare what was live with what is there."""
    then_texts, texts = ({one["doc_id"]: one["text"] for one in rows} for rows in (before, now))
    reading = Reading(
        lambda ids: {one: then_texts[one] for one in ids},
        lambda ids: {one: texts[one] for one in ids},
        lambda ids: {one: signature(texts[one]) for one in ids},
    )
    return compare("works", table(before).select(COLUMNS), table(now).select(COLUMNS), reading, past)


def names(report: ChangeReport) -> list[str]:
    """Return what stops the source."""
    return [anomaly.name for anomaly in report.anomalies]
