"""`rag check`: a file of claims, judged as the sentences of answers are."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.answering.claim_files.claim_judging import JudgedRow, Search, judge_rows
from rag_platform.answering.claim_files.claim_measures import balanced_accuracy, measure_labels
from rag_platform.answering.claim_files.claim_rows import read_claims
from rag_platform.cli.ask.answers import Principal
from rag_platform.cli.console import JsonOption, out, print_error, print_json, workspace
from rag_platform.core.answers import STATE_WORDS
from rag_platform.core.hits import Filters
from rag_platform.workspace import Workspace

ClaimFile = Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines of claims and sources.")]


def check(file: ClaimFile, principal: Principal = None, as_json: JsonOption = False) -> None:
    """Judge a file of claims by their sources, or by the documents."""
    opened = workspace()
    rows, problems = read_claims(file)
    judged = judge_rows(rows, opened.embedder, opened.check, _search(opened, principal or []))
    for problem in problems:
        print_error(problem)
    if as_json:
        print_json(_document(judged, problems))
        return
    _show_claims(judged)
    _show_labels(judged)


def _search(opened: Workspace, principals: Sequence[str]) -> Search:
    """Return what searches the live version for a claim that has no source."""
    filters = Filters(principals=tuple(principals))

    def search(question: str) -> tuple[Any, Any]:
        result = opened.retriever.search(question, k=opened.settings.answer.sources, filters=filters)
        return result.hits, opened.versions.open(result.version).view(filters.principals).word_weight

    return search


def _document(judged: Sequence[JudgedRow], problems: Sequence[str]) -> dict[str, Any]:
    claims = [
        {
            "line": one.row.line,
            "claim": one.row.claim,
            "state": one.state,
            "probability": one.probability,
            "check": one.check,
            "label": one.row.label,
            "quotes": one.quotes,
            "warnings": one.warnings,
        }
        for one in judged
    ]
    accuracy = balanced_accuracy(judged)
    return {
        "claims": claims,
        "labels": [of._asdict() | {"accepted": of.accepted._asdict()} for of in measure_labels(judged)],
        "balanced_accuracy": accuracy._asdict() if accuracy else None,
        "problems": list(problems),
    }


def _show_claims(judged: Sequence[JudgedRow]) -> None:
    table = Table("line", "state", "probability", "check", "claim")
    for one in judged:
        sure = "" if one.probability is None else f"{one.probability:.2f}"
        table.add_row(str(one.row.line), STATE_WORDS[one.state], sure, Text(one.check), Text(one.row.claim))
    out.print(table)
    for warning in dict.fromkeys(warning for one in judged for warning in one.warnings):
        print_error(warning)


def _show_labels(judged: Sequence[JudgedRow]) -> None:
    """Print what became of the claims of each label."""
    table = Table("people say", "claims", "accepted", "95 %", *STATE_WORDS.values())
    for of in measure_labels(judged):
        low, high = of.accepted.low, of.accepted.high
        shares = (f"{share:.0%}" for share in of.states.values())
        table.add_row(
            of.label or "nothing", str(of.claims), f"{of.accepted.value:.0%}", f"{low:.0%} – {high:.0%}", *shares
        )
    out.print(table)
    if accuracy := balanced_accuracy(judged):
        out.print(f"balanced accuracy: {accuracy.value:.3f} (95 %: {accuracy.low:.3f} – {accuracy.high:.3f})")
