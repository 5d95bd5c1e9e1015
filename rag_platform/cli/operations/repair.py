"""`rag repair`: mend what is damaged."""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from rag_platform.cli.console import JsonOption, out, print_json, workspace
from rag_platform.operations.damage.inspecting import inspect
from rag_platform.operations.damage.repairing import Repair, planned
from rag_platform.operations.damage.repairing import repair as mend


def repair(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and do nothing.")] = False,
    deep: Annotated[bool, typer.Option("--deep", help="Look for damage by reading every byte.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Mend damaged files; nothing is deleted: what is damaged is kept in data/damaged."""
    opened = workspace()
    found = inspect(opened, deep=deep)
    repairs = [planned(damage) if dry_run else mend(opened, damage) for damage in found]
    if as_json:
        print_json([asdict(one) for one in repairs])
    elif not repairs:
        out.print("nothing is damaged" if deep else "nothing is damaged; `rag repair --deep` reads every byte")
    for one in () if as_json else repairs:
        _show(one)
    raise typer.Exit(0 if dry_run or all(one.mended for one in repairs) else 1)


def _show(repair: Repair) -> None:
    out.print(Text.assemble((repair.damage.path, "bold"), f": {repair.damage.wrong}"), soft_wrap=True)
    out.print(Text(f"  → {repair.done}", style="cyan"), soft_wrap=True)
