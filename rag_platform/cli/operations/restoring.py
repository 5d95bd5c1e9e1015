"""`rag restore`: a workspace of a backup."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from rag_platform.cli.console import JsonOption, chosen_home, out, print_json, progress_bars, workspace
from rag_platform.cli.operations.backups import Options, TargetArgument, chosen_target
from rag_platform.config.settings_file import home_folder
from rag_platform.operations.backup import restoring
from rag_platform.operations.backup.snapshot import find_snapshot


def restore(
    target: TargetArgument,
    backup: Annotated[
        str | None, typer.Option("--backup", metavar="ID", help="Which one; default: the newest.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Put it in the place of the workspace that is here, which is kept aside.")
    ] = False,
    version: Annotated[
        str | None, typer.Option("--version", metavar="V", help="Bring this version of the index back, and no more.")
    ] = None,
    option: Options = None,
    as_json: JsonOption = False,
) -> None:
    """Make a workspace of a backup, in the folder of --home."""
    opened = chosen_target(target, option)
    snapshot = find_snapshot(opened, backup)
    if version is not None:
        brought = restoring.restore_version(workspace(), opened, snapshot, version)
        print_json({"version": brought, "backup": snapshot.id}) if as_json else out.print(f"{brought} is back")
        return
    home: Path = home_folder(chosen_home.get())
    with progress_bars(show=not as_json) as progress:
        report = restoring.restore(home, opened, snapshot, over=replace, progress=progress("files"))
    if as_json:
        print_json(report.to_dict())
        return
    rate = report.bytes / max(report.seconds, 0.01) / 1e6
    out.print(Text(f"{home} is what it was at {report.made_at[:19]} (backup {report.snapshot})"), soft_wrap=True)
    out.print(f"files: {report.files}, {report.bytes / 1e6:.1f} MB in {report.seconds:.1f} s ({rate:.1f} MB/s)")
    out.print(f"live: {report.live or 'no version'}; versions: {len(report.versions)}")
    if report.forgotten_again:
        out.print(f"forgotten since, and removed again: {', '.join(report.forgotten_again)}")
    if report.kept:
        out.print(Text(f"what was there is kept in {report.kept}"), soft_wrap=True)
    for one in report.left_out:
        out.print(Text(f"not in it: {one}", style="dim"), soft_wrap=True)
