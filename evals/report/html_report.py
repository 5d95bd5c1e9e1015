"""Findings as one self-contained HTML page: no script, no network, nothing that is not escaped."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from evals.measures.ragas_llm_metrics import JUDGED
from evals.report import svg as plot
from evals.report.attribution import QuestionChange
from evals.report.release_report import ReleaseReport
from evals.report.summary import (
    CAUSE_NAMES,
    CAUSE_PLAIN,
    ROLES,
    VERDICTS,
    difference_sentence,
    size_words,
    summary_sentences,
)

_FOLDER = Path(__file__).parent / "templates"
_QUESTIONS, _DOCUMENTS = 20, 8
"""Listed in full per list; a page that nobody reads to its end helps nobody."""
_KINDS = {
    "added": "Came",
    "removed": "Went",
    "source": "Changed at the source",
    "extractor": "Read differently (same bytes)",
    "description": "Described differently (same text)",
}


def render_html(report: ReleaseReport) -> str:
    """Return the report as HTML."""
    return (
        _environment()
        .get_template("report.html")
        .render(
            f=report,
            css=Markup((_FOLDER / "report.css").read_text(encoding="utf-8")),  # noqa: S704  our own file
            verdict=VERDICTS[report.verdict.outcome],
            words=summary_sentences(report),
            content=difference_sentence(report.difference.document_counts) if report.difference else "",
            line=plot.line(report.past, report.metric),
            reach=_reach(report),
            kinds=_documents(report),
            shown=_QUESTIONS,
            ledger=_ledger(report.ledger),
            judges=JUDGED,
        )
    )


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    made.filters |= {
        "score": _score, "gain": _gain, "ends": _ends, "rank": _rank, "count": lambda number: f"{number:,}",
        "bytes": size_words, "short": plot.short, "cause": CAUSE_NAMES.get, "plain": CAUSE_PLAIN.get,
        "moved": _rank_change, "day": lambda moment: str(moment or "")[:10], "value": _value,
        "role": ROLES.get,
        "breakable": lambda name: escape(name).replace("_", Markup("_<wbr>")),
    }  # fmt: skip
    made.globals["whisker"] = plot.whisker
    return made


def _score(value: float | None, name: str = "") -> str:
    if value is None:
        return "–"
    return f"{value:.1f}" if name.startswith("ms_") else f"{value:.3f}"


def _gain(value: float | None, name: str = "") -> str:
    """Write a difference with its sign; a true minus, and no sign where it rounds to nothing."""
    if value is None:
        return ""
    text = f"{value:+.1f}" if name.startswith("ms_") else f"{value:+.3f}"
    return text.lstrip("+-") if not float(text) else text.replace("-", "−")


def _ends(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f"{_bare(ends[0])} to {_bare(ends[1])}"


def _bare(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def _rank(rank: int | None) -> str:
    return "not found" if rank is None else f"rank {rank}"


def _rank_change(change: QuestionChange) -> str:
    if change.rank_before == change.rank_after:
        return _rank(change.rank_after)
    return f"{_rank(change.rank_before)} → {_rank(change.rank_after)}"


def _value(value: Any) -> str:
    return "not stated" if value is None else str(value)


def _reach(report: ReleaseReport) -> float:
    """Return what half the width of a whisker stands for: the farthest end of any interval."""
    rows = [row for rows in [*report.families.values(), *report.groups.values()] for row in rows]
    ends = [abs(end) for row in rows if row.gain_interval for end in row.gain_interval]
    return max([*ends, 0.02])


def _documents(report: ReleaseReport) -> list[dict[str, Any]]:
    """Return the documents that differ, kind by kind, the first few of each source named."""
    if report.difference is None:
        return []
    made = []
    for change, title in _KINDS.items():
        rows = report.difference.changed(change)
        if rows.height:
            sources = [
                {"id": source, "count": part.height, "named": part.head(_DOCUMENTS).to_dicts()}
                for (source,), part in rows.partition_by("source", as_dict=True).items()
            ]
            made.append({"title": title, "count": rows.height, "sources": sources, "same": _same(rows)})
    return made


def _same(rows: pl.DataFrame) -> int:
    """Count changed documents whose text is the same all the same."""
    return int(rows.filter(pl.col("change") == "source")["same_text"].sum())


def _ledger(ledger: Mapping[str, Any]) -> dict[str, Any]:
    """Return what making the version cost: seconds per stage with their share, chunks, other numbers."""
    seconds = {stage: float(value) for stage, value in (ledger.get("seconds") or {}).items()}
    most = max(seconds.values(), default=0.0) or 1.0
    stages = [{"name": stage, "seconds": value, "share": value / most} for stage, value in seconds.items()]
    others = {
        name.replace("_", " "): size_words(value) if name.startswith("bytes") else f"{value:,}"
        for name, value in ledger.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    return {"stages": stages, "total": sum(seconds.values()), "chunks": ledger.get("chunks") or {}, "others": others}
