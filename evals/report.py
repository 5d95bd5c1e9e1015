"""Scores and verdict as Markdown, for people who decide: in Dagster, in the terminal, in a release note."""

from collections.abc import Iterator, Sequence

import polars as pl

from evals.comparison import Comparison
from evals.gate import Verdict, comparable
from evals.scoring import MEASURES, Scores

_LISTED = 10
"""Questions named per list."""
_HEADINGS = {
    "passed": "Passed: may be published",
    "refused": "Refused: the live version stays",
    "rescore": "Not compared: the live version must be scored on the same questions",
}


def report(candidate: Scores, live: Scores | None, verdict: Verdict) -> str:
    """Return the summary of an evaluation."""
    sections = [
        f"## {_HEADINGS[verdict.outcome]}",
        "\n".join(f"- {_plain(reason)}" for reason in verdict.reasons),
        _means(candidate, live if comparable(candidate, live) else None),
    ]
    if verdict.comparison and live:
        sections += _changes(candidate, live, verdict.comparison)
    for title, entries in (
        ("Quotes that are not in the documents", candidate.unlocated),
        ("Questions that could not be asked", candidate.failed),
        ("Leaks", candidate.leaks),
    ):
        sections.append(_list(title, entries))
    return "\n\n".join(section for section in sections if section)


def _means(candidate: Scores, live: Scores | None) -> str:
    """Draw one row per measure; with a live version, also its value and the difference."""
    if not candidate.means:
        return ""
    order = [*MEASURES, *(name for name in candidate.means if name not in MEASURES)]
    header = ["measure", candidate.version, *([live.version, "change"] if live else []), "missing"]
    lines = [_row(header), _row(["---", *["---:"] * (len(header) - 1)])]
    for name in (name for name in order if name in candidate.means):
        value, before = candidate.means[name], live.means.get(name) if live else None
        digits = 1 if name.startswith("ms_") else 3
        cells = [name, f"{value:.{digits}f}"]
        if live:
            cells += ["", ""] if before is None else [f"{before:.{digits}f}", f"{value - before:+.{digits}f}"]
        lines.append(_row([*cells, str(candidate.missing.get(name, ""))]))
    return "\n".join(lines)


def _changes(candidate: Scores, live: Scores, comparison: Comparison) -> Iterator[str]:
    """Name the questions that changed most, with their scores before and after."""
    asked = pl.concat([candidate.questions, live.questions]).unique("id", keep="first", maintain_order=True)
    texts = dict(asked.select("id", "question").iter_rows())
    now = dict(candidate.questions.select("id", comparison.metric).iter_rows())
    before = dict(live.questions.select("id", comparison.metric).iter_rows())
    for title, ids in (("Got worse", comparison.worse), ("Got better", comparison.better)):
        entries = [f"{key} ({before.get(key) or 0:.2f} → {now.get(key) or 0:.2f}): {texts[key]}" for key in ids]
        yield _list(f"{title} in {comparison.metric}", entries)


def _list(title: str, entries: Sequence[str]) -> str:
    if not entries:
        return ""
    more = [f"- … and {len(entries) - _LISTED} more"] if len(entries) > _LISTED else []
    return "\n".join(
        [f"### {title}: {len(entries)}", "", *(f"- {_plain(entry)}" for entry in entries[:_LISTED]), *more]
    )


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_plain(cell) for cell in cells)} |"


def _plain(text: str) -> str:
    """Keep foreign text on its line and from being read as Markdown or HTML."""
    text = " ".join(text.split())
    for char in "\\`*_[]<>|#":
        text = text.replace(char, f"\\{char}")
    return text
