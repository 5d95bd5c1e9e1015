"""`rag backup`: copies of the workspace elsewhere."""

import time
from typing import Annotated

import click
import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.commands import CommandGroup
from rag_platform.cli.console import JsonOption, err, out, print_error, print_json, progress_bars, workspace
from rag_platform.config.variables import Variables
from rag_platform.core.errors import SettingsError
from rag_platform.operations.backup import making
from rag_platform.operations.backup.snapshot import find_snapshot, snapshot_ids
from rag_platform.operations.backup.target import Folder, Target, open_target

TargetArgument = Annotated[
    str, typer.Argument(metavar="TARGET", help="A folder, or an address such as s3://bucket/folder.")
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="For fsspec's file system, such as endpoint_url; ${secret:NAME} works."
    ),
]


class _TargetFirst(CommandGroup):
    """`rag backup TARGET` is `rag backup make TARGET`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the command in front of a target."""
        if args and args[0] not in (*self.commands, "--help"):
            args = ["make", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(cls=_TargetFirst, no_args_is_help=True, suggest_commands=False, help="Copies of the workspace.")


@app.command("make")
def make(
    target: TargetArgument,
    keep: Annotated[
        int | None, typer.Option("--keep", metavar="N", min=1, help="Remove all backups there but the newest N.")
    ] = None,
    option: Options = None,
    as_json: JsonOption = False,
) -> None:
    """Copy the workspace as it is now; content that is there already is not copied again."""
    opened = workspace()
    opened_target = chosen_target(target, option)
    if isinstance(opened_target, Folder) and opened_target.folder.is_relative_to(opened.settings.home):
        raise SettingsError(f"{target} lies in the workspace itself; expected a place that survives it")
    with progress_bars(show=not as_json) as progress:
        report = making.backup(opened, opened_target, keep=keep, progress=progress("files"))
    if as_json:
        print_json(report.to_dict())
        return
    rate = report.new_bytes / max(report.seconds, 0.01) / 1e6
    out.print(Text(f"backup {report.id} in {report.target}", style="bold"), soft_wrap=True)
    out.print(f"files: {report.files}, {report.new_files} new; versions: {len(report.versions)}, live {report.live}")
    out.print(f"bytes: {_mb(report.bytes)}, {_mb(report.new_bytes)} new, {_mb(report.reused_bytes)} reused")
    out.print(f"written: {_mb(report.written_bytes)} in {report.seconds:.1f} s ({rate:.1f} MB/s)")
    for one in report.removed:
        out.print(f"removed: backup {one}")
    for one in report.left_out:
        out.print(Text(f"not in it: {one}", style="dim"), soft_wrap=True)


@app.command("list")
def list_backups(target: TargetArgument, option: Options = None, as_json: JsonOption = False) -> None:
    """List the backups in a target."""
    opened = chosen_target(target, option)
    found = [find_snapshot(opened, one).summary() for one in snapshot_ids(opened)]
    if as_json:
        print_json(found)
        return
    table = Table("backup", "made", "live", "versions", "files", "size", "release")
    for one in found:
        counts = (str(len(one["versions"])), str(one["files"]), _mb(one["bytes"]))
        table.add_row(*map(Text, (one["id"], one["made_at"][:19], one["live"] or "none", *counts, one["release"])))
    out.print(table)


@app.command("verify")
def verify(target: TargetArgument, option: Options = None, as_json: JsonOption = False) -> None:
    """Read all content of a target back, and compare it with its hashes."""
    opened, began = chosen_target(target, option), time.perf_counter()
    with progress_bars(show=not as_json) as progress:
        found = making.verify(opened, progress("content"))
    damaged = {one: problems for one, problems in found.items() if problems}
    if as_json:
        print_json({"backups": list(found), "problems": damaged, "seconds": round(time.perf_counter() - began, 2)})
    else:
        out.print(f"{len(found)} backups, {len(damaged)} damaged, {time.perf_counter() - began:.1f} s")
    for one, problems in damaged.items():
        print_error(f"{one}: {len(problems)} files cannot be restored, among them {problems[0]}")
    if damaged:
        err.print("The next `rag backup` copies again what is missing and is still here.", soft_wrap=True)
        raise typer.Exit(1)


def chosen_target(address: str, options: list[str] | None) -> Target:
    """Open a target; an option's value may name a secret of the workspace, or a variable of the environment."""
    given = {}
    for option in options or ():
        name, separator, value = option.partition("=")
        if not separator:
            raise SettingsError(f"--option {option!r}: expected NAME=VALUE")
        given[name] = _expanded(value, option) if "${" in value else value
    return open_target(address, given)


def _expanded(value: str, option: str) -> str:
    opened = workspace(required=False)
    return Variables(opened.settings.variables, opened.secrets).expand(value, f"--option {option.partition('=')[0]}")


def _mb(count: int) -> str:
    return f"{count / 1e6:.1f} MB"
