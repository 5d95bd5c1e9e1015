"""`rag health`: the health checks of each source."""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from rag_platform.cli.console import JsonOption, out, print_json, workspace
from rag_platform.operations.status.health import Check
from rag_platform.operations.status.release_status import health_checks


def health(
    source: Annotated[list[str] | None, typer.Argument(metavar="[SOURCE]…", help="Sources; default: all.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare each source with the live version and with its schedule."""
    found = health_checks(workspace(), source or ())
    if as_json:
        print_json({name: [asdict(one) for one in checks] for name, checks in found.items()})
    else:
        for name, checks in found.items():
            _show(name, checks)
    raise typer.Exit(0 if all(one.passed for checks in found.values() for one in checks) else 1)


def _show(source: str, checks: list[Check]) -> None:
    out.print(Text(source, style="bold"))
    for one in checks:
        mark = ("ok    ", "green") if one.passed else ("look  ", "bold yellow")
        out.print(Text.assemble("  ", mark, (f"{one.name}: ", "bold"), one.said), soft_wrap=True)
