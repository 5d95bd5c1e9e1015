"""`rag check`: a file of claims, judged as the sentences of answers are."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.answering.checks.own_curve import Curves, OwnCurve, OwnCurves
from rag_platform.answering.citations.support_curve import MEASURED
from rag_platform.answering.claim_files.claim_judging import JudgedRow
from rag_platform.answering.claim_files.claim_measures import balanced_accuracy, measure_labels
from rag_platform.answering.claim_files.claim_rows import ClaimRow, read_claims
from rag_platform.answering.claim_files.curve_fitting import Judge, fit_own_curve
from rag_platform.cli.ask.answers import Principal
from rag_platform.cli.console import JsonOption, out, print_error, print_json, workspace
from rag_platform.core.answers import STATE_WORDS
from rag_platform.operations.asking.claim_checks import check_claims, claim_document, own_curves
from rag_platform.workspace import Workspace

ClaimFile = Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines of claims and sources.")]

Fit = Annotated[bool, typer.Option("--fit", help="Fit the check to the labels, and keep that if it is better.")]


def check(file: ClaimFile, principal: Principal = None, fit: Fit = False, as_json: JsonOption = False) -> None:
    """Judge a file of claims by their sources, or by the documents."""
    opened = workspace()
    rows, problems = read_claims(file)
    own = own_curves(opened)

    def judge(some: Sequence[ClaimRow], curves: Curves) -> list[JudgedRow]:
        return check_claims(opened, some, principal or [], curves)

    for problem in problems:
        print_error(problem)
    fitted = _fit(rows, judge, opened, own) if fit else None
    judged = judge(rows, own)
    if as_json:
        print_json(_document(judged, problems, fitted))
        return
    _show_claims(judged)
    _show_labels(judged)
    if fitted:
        _show_fit(fitted, own)


def _fit(rows: Sequence[ClaimRow], judge: Judge, opened: Workspace, own: OwnCurves) -> OwnCurve:
    """Fit the curve of the check in use, and keep it where it is right more often."""
    fitted = fit_own_curve(rows, judge, opened.check.name if opened.check else MEASURED.version, datetime.now(UTC))
    if fitted.after > fitted.before:
        own.put(fitted)
    return fitted


def _show_fit(fitted: OwnCurve, own: OwnCurves) -> None:
    kept = f"kept in {own.path}" if fitted.after > fitted.before else "not kept: it is not right more often"
    out.print(
        Text(
            f"{fitted.name}: fitted to {fitted.claims} claims; balanced accuracy {fitted.before:.3f} without it, "
            f"{fitted.after:.3f} with it on claims that it was not fitted to; {kept}"
        ),
        soft_wrap=True,
    )


def _document(judged: Sequence[JudgedRow], problems: Sequence[str], fitted: OwnCurve | None) -> dict[str, Any]:
    accuracy = balanced_accuracy(judged)
    return {
        "claims": [claim_document(one) for one in judged],
        "labels": [of._asdict() | {"accepted": of.accepted._asdict()} for of in measure_labels(judged)],
        "balanced_accuracy": accuracy._asdict() if accuracy else None,
        "problems": list(problems),
        "fitted": asdict(fitted) | {"name": fitted.name, "kept": fitted.after > fitted.before} if fitted else None,
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
    for of in measure_labels(judged):
        accepted = f"{of.accepted.value:.0%} accepted (95 %: {of.accepted.low:.0%} – {of.accepted.high:.0%})"
        states = ", ".join(f"{STATE_WORDS[state]} {share:.0%}" for state, share in of.states.items())
        out.print(f"people say {of.label or 'nothing'}: {of.claims} claims, {accepted}: {states}", soft_wrap=True)
    if accuracy := balanced_accuracy(judged):
        out.print(f"balanced accuracy: {accuracy.value:.3f} (95 %: {accuracy.low:.3f} – {accuracy.high:.3f})")
