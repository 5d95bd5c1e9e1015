"""`rag source changes` and `rag source statistics`: what a source changed into, and what it is like over time."""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import JsonOption, out, print_json, workspace
from rag_platform.cli.notices import show_example
from rag_platform.pipeline.screening import drift_of, screen
from rag_platform.validation.change_report import Anomaly

_STOPPED = "The next build holds it at its live state, unless somebody lets it pass."
_COLUMNS = ("documents", "characters", "duplicates", "dated")

Id = Annotated[str, typer.Argument(metavar="NAME", help="The source's id.")]


def changes(name: Id, as_json: JsonOption = False) -> None:
    """Show what changed in a source since the live version, and what would hold it."""
    opened = workspace()
    report = screen(opened, opened.settings.source(name).id)
    if as_json:
        print_json(report.to_dict())
        return
    out.print(f"{report.documents} documents: {report.changed} changed, {report.new} new, {report.gone} gone")
    for anomaly in report.anomalies:
        _show(anomaly)
    for remark in report.remarks:
        out.print(Text(remark), soft_wrap=True)
    out.print("Nothing stops it." if report.passed else _STOPPED, style="bold", soft_wrap=True)


def statistics(
    name: Id,
    runs: Annotated[int, typer.Option("--runs", metavar="N", min=1, help="How many of the newest runs.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """Show what a source's documents were like in each run, in numbers."""
    opened = workspace()
    found = opened.statistics.runs(opened.settings.source(name).id, runs)
    if as_json:
        print_json([asdict(run) | {"at": run.at.isoformat()} for run in found])
        return
    table = Table("run", "changed", *_COLUMNS, "languages")
    for run in found:
        numbers = (f"{run.statistics[column]:g}" if column in run.statistics else "–" for column in _COLUMNS)
        languages = ", ".join(f"{one} {share:.0%}" for one, share in run.statistics.get("languages", {}).items())
        table.add_row(f"{run.at:%Y-%m-%d %H:%M}", str(run.changed), *numbers, Text(languages))
    out.print(table)
    for remark in drift_of(opened, name):
        out.print(Text(remark, style="yellow"), soft_wrap=True)


def _show(anomaly: Anomaly) -> None:
    out.print(Text(f"{anomaly.name}: {anomaly.said}", style="yellow"), soft_wrap=True)
    for example in anomaly.examples:
        show_example(example)
