"""`rag index diff` and `rag index report`: the differences of two versions, and the evaluation of one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import JsonOption, out, print_json, progress_bars, workspace
from rag_platform.core.errors import NothingPublished, VersionError
from rag_platform.index.releases.version_diff import Difference, difference
from rag_platform.index.releases.versions import Versions
from rag_platform.workspace import Workspace
from rag_platform.workspace.applications import load_application


class Evidence(Protocol):
    """A document whose place among the hits changed, as `evals.report.attribution` finds it."""

    role: str
    uri: str
    before: int | None
    after: int | None
    why: str


class QuestionChange(Protocol):
    """How one question fares in two versions, and why, as `evals.report.attribution` finds it."""

    __dataclass_fields__: dict[str, Any]
    question: str
    rank_before: int | None
    rank_after: int | None
    cause: str | None
    competition: bool
    evidence: tuple[Evidence, ...]

    @property
    def gain(self) -> float:
        """How much the metric rose."""
        ...


_KINDS = {
    "added": ("came", "green"),
    "removed": ("went", "red"),
    "source": ("changed at the source", "yellow"),
    "extractor": ("read differently", "yellow"),
    "description": ("described differently", "yellow"),
}
_COLUMNS = ("came", "went", "edited", "reread", "described", "same", "cut anew")
"""Of `CHANGES` and of what was cut anew, short enough for a narrow terminal."""


def diff(
    before: Annotated[str | None, typer.Argument(metavar="[A]", help="A version; default: the live one.")] = None,
    after: Annotated[
        str | None, typer.Argument(metavar="[B]", help="A version; default: the candidate, or A against the live one.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="Maximum entries of each list.")] = 10,
    questions: Annotated[
        bool, typer.Option("--questions/--no-questions", help="Also compare the results of the questions.")
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Compare two versions: documents, chunks, parameters, and the questions whose ranks changed, with the cause."""
    opened = workspace()
    one, two = _pair(opened.versions, before, after)
    made = difference(opened.versions.open(one), opened.versions.open(two))
    changes = _questions(opened, one, two, made, show=not as_json) if questions else []
    if as_json:
        print_json(made.to_dict() | {"questions": [_described(change) for change in changes]})
        return
    _show(made, limit)
    if questions:
        _show_questions(changes, limit)


def report(
    version: Annotated[str | None, typer.Argument(metavar="[V]", help="A version; default: the candidate.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the summary of a version's evaluation, and the path of its report."""
    opened = workspace()
    chosen = opened.versions.resolve(version) if version else opened.versions.candidate_id()
    if chosen is None:
        raise NothingPublished("no index version has been built yet; run `rag sync`")
    release = _evals("candidate_evaluation")
    path: Path = release.report_path(opened, chosen)
    page = path.with_suffix(".html")
    if not (path.exists() and page.exists()):
        release.report_again(opened, chosen)
    text = path.read_text(encoding="utf-8")
    if as_json:
        print_json({"version": chosen, "html": str(page), "markdown": str(path), "summary": text})
    else:
        out.print(Text(text), soft_wrap=True)
        out.print(Text.assemble(("The whole report: ", "bold"), str(page)), soft_wrap=True)


def _pair(versions: Versions, before: str | None, after: str | None) -> tuple[str, str]:
    """Return what is compared: A with B, the live version with A, or the live version with the candidate."""
    if before and after:
        return versions.resolve(before), versions.resolve(after)
    live = versions.live_id()
    if live is None:
        raise NothingPublished("no index version has been published yet, so name two versions, or run `rag sync`")
    other = versions.resolve(before) if before else versions.candidate_id()
    if other is None or other == live:
        raise VersionError(
            f"{live} is live, and there is no other version to compare it with by itself; "
            "name two of those that `rag index list` shows"
        )
    return live, other


def _questions(opened: Workspace, before: str, after: str, made: Difference, *, show: bool) -> list[QuestionChange]:
    changes = _evals("commands.question_changes")
    with progress_bars(show=show) as reporter:
        found: list[QuestionChange] = changes.question_changes(
            opened, before, after, made, progress=reporter("questions")
        )
    return found


def _described(change: QuestionChange) -> dict[str, Any]:
    return {name: getattr(change, name) for name in change.__dataclass_fields__} | {"gain": change.gain}


def _show(made: Difference, limit: int) -> None:
    """Print counts first, then the first few of each list."""
    counts = Table("source", *_COLUMNS)
    for source, *numbers in made.by_source().iter_rows():
        counts.add_row(source, *(f"{number:,}" for number in numbers))
    out.print(Text(f"{made.before} → {made.after}", style="bold"))
    out.print(counts)
    out.print(_sizes(made))
    for key, (then, now) in made.making.items():
        out.print(Text.assemble(f"{key}: {then} → ", (str(now), "bold")), soft_wrap=True)
    for change, (title, colour) in _KINDS.items():
        rows = made.changed(change)
        if rows.height:
            out.print(Text(f"\n{title}: {rows.height:,}", style=f"bold {colour}"))
            _list([f"{row['uri']}  {row['title']}" + _fields(row) for row in rows.head(limit).to_dicts()])
            _more(rows.height - limit)


def _sizes(made: Difference) -> Text:
    chunks = made.chunk_counts
    reheaded = f", {chunks['reheaded']:,} under another heading" if chunks["reheaded"] else ""
    total = " → ".join(f"{size:,}" for size in made.sizes["chunks"])
    disk = " → ".join(f"{size / 1e6:,.1f} MB" for size in made.sizes["bytes"])
    counted = f"{chunks['kept']:,} stayed, {chunks['new']:,} new, {chunks['gone']:,} gone{reheaded}"
    return Text(f"chunks: {total} ({counted}); on disk: {disk}")


def _fields(row: dict[str, Any]) -> str:
    return f"  ({', '.join(row['fields'])})" if row["fields"] else ""


def _show_questions(changes: Sequence[QuestionChange], limit: int) -> None:
    findings = _evals("report.release_report")
    if not changes:
        out.print("\nThe workspace has no questions, so their results were not compared.")
        return
    for title, moved in (("worse", findings.worse(changes)), ("better", findings.better(changes))):
        out.print(Text(f"\nquestions that got {title}: {len(moved)} of {len(changes)}", style="bold"))
        for change in moved[:limit]:
            out.print(_question(change), soft_wrap=True)
            _list([_evidence(one) for one in change.evidence[:3]], indent=4)
        _more(len(moved) - limit)


def _question(change: QuestionChange) -> Text:
    ranks = f"rank {change.rank_before or '–'} → {change.rank_after or '–'}"
    cause = f"{change.cause or 'unknown'}{', by competition' if change.competition else ''}"
    return Text.assemble("  ", (ranks, "bold"), f"  {change.gain:+.2f}  ", (cause, "cyan"), f"  {change.question}")


def _evidence(one: Evidence) -> str:
    role = _evals("report.summary").ROLES[one.role]
    return f"{role}{one.uri}: {one.before or '–'} → {one.after or '–'}, {one.why}"


def _list(lines: Sequence[str], indent: int = 2) -> None:
    for line in lines:
        out.print(Text(" " * indent + line), soft_wrap=True)


def _more(count: int) -> None:
    if count > 0:
        out.print(f"  … and {count:,} more (--limit, or --json for all)")


def _evals(module: str) -> Any:
    return load_application(f"evals.{module}", extra="eval", purpose="comparing what questions find")
