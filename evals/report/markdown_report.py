"""Findings as Markdown, for people who decide: in Dagster, in the terminal, in a release note."""

from collections.abc import Iterator, Sequence

from evals.gate.verdict import comparable
from evals.measures.scoring import MEASURES, Scores
from evals.report.attribution import QuestionChange
from evals.report.release_report import ReleaseReport
from evals.report.summary import CAUSE_NAMES, summary_sentences

_LISTED = 10
"""Questions named per list."""
_HEADINGS = {
    "passed": "Passed: may be published",
    "refused": "Refused: the live version stays",
    "rescore": "Not compared: the live version must be scored on the same questions",
}


def render_markdown(report: ReleaseReport) -> str:
    """Return the summary of an evaluation."""
    candidate, live, verdict = report.candidate, report.live, report.verdict
    sections = [
        f"## {_HEADINGS[verdict.outcome]}",
        "\n".join(f"- {_plain(reason)}" for reason in verdict.reasons),
        " ".join(_plain(sentence) for sentence in summary_sentences(report)),
        _means(candidate, live if comparable(candidate, live) else None),
        *_moved(report),
        _making(report),
    ]
    sections += [_list(title, entries) for title, entries in report.problems.items()]
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


def _moved(report: ReleaseReport) -> Iterator[str]:
    """Name the questions that changed most, with their scores before and after, and the stage responsible."""
    for title, changes in (("Got worse", report.worse), ("Got better", report.better)):
        yield _list(f"{title} in {report.metric}", [_entry(change) for change in changes])


def _entry(change: QuestionChange) -> str:
    ranks = " → ".join("none" if rank is None else str(rank) for rank in (change.rank_before, change.rank_after))
    cause = f"; {CAUSE_NAMES[change.cause]}{' (competition)' if change.competition else ''}" if change.cause else ""
    scores = f"{change.before or 0:.2f} → {change.after or 0:.2f}"
    return f"{change.id} ({scores}, rank {ranks}{cause}): {change.question}"


def _making(report: ReleaseReport) -> str:
    if report.difference is None or not report.difference.making:
        return ""
    made = report.difference
    lines = [_row(["made with", made.before, made.after]), _row(["---"] * 3)]
    return "\n".join([*lines, *(_row([key, *map(str, pair)]) for key, pair in made.making.items())])


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
