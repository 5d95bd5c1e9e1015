"""`rag doctor`: what is missing, and the command that fixes it."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from rag_platform.cli.console import JsonOption, chosen_home, out, print_json, workspace
from rag_platform.config.settings_file import home_folder
from rag_platform.operations.damage.scrubbing import scrub
from rag_platform.operations.doctor import Diagnosis, diagnose


def doctor(
    deep: Annotated[bool, typer.Option("--deep", help="Read every file for damage.")] = False,
    scrubbed: Annotated[
        bool, typer.Option("--scrub", help="First read a day's part of the files for damage, each in its turn.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check the machine and the workspace, and report what is missing."""
    if scrubbed:
        scrub(workspace())
    findings = list(diagnose(home_folder(chosen_home.get()), deep=deep))
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            if not finding.purpose:
                _show(finding)
        _show_parts(findings)
    raise typer.Exit(1 if any(finding.level == "wrong" for finding in findings) else 0)


_STYLES = {"ok": "green", "hint": "yellow", "wrong": "bold red"}


def _show(finding: Diagnosis) -> None:
    line = Text.assemble((f"{finding.level:6}", _STYLES[finding.level]), (f"{finding.what}: ", "bold"), finding.found)
    if finding.mend:
        line.append(f"\n        → {finding.mend}", style="cyan")
    out.print(line, soft_wrap=True)


def _show_parts(findings: Iterable[Diagnosis]) -> None:
    """Show the optional parts as a table: the purpose of each, and where it is or how to install it."""
    rows = [finding for finding in findings if finding.purpose]
    name_width, purpose_width = (
        max(map(len, column)) + 2 for column in zip(*((row.what, row.purpose) for row in rows), strict=True)
    )
    out.print(Text("\nOptional parts", style="bold"))
    for row in rows:
        line = Text.assemble((f"{row.level:6}", _STYLES[row.level]), (f"{row.what:{name_width}}", "bold"))
        line.append(f"{row.purpose:{purpose_width}}{row.found}")
        out.print(line.append(f" → {row.mend}" if row.mend else "", style="cyan"), soft_wrap=True)
