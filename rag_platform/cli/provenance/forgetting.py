"""`rag forget`: erase a document, a source or a person everywhere, with proof."""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import JsonOption, err, out, print_error, print_json, workspace
from rag_platform.core.errors import SettingsError
from rag_platform.erasure import forget as forgetting
from rag_platform.erasure.erasure_report import markdown
from rag_platform.erasure.targets import Target, recognise
from rag_platform.raw.suppression import Entry
from rag_platform.storage.swapping import KEPT
from rag_platform.workspace import Workspace


def forget(
    name: Annotated[
        str | None, typer.Argument(metavar="URI|SOURCE|PRINCIPAL", help="A document's address, a source, or a person.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="K", help="uri, source or principal, when the name may be either.")
    ] = None,
    why: Annotated[str, typer.Option("--why", help="The reason, for the report; do not quote the document.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be removed, and remove nothing.")] = False,
    list_entries: Annotated[bool, typer.Option("--list", help="List what was forgotten.")] = False,
    undo: Annotated[
        str | None,
        typer.Option("--undo", metavar="ID", help="Allow the next sync to read it again."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Erase a document, a source or a person everywhere, and prove it."""
    opened = workspace()
    if list_entries or undo:
        _undo(opened, undo) if undo else None
        _show_entries(opened.suppression.entries(), as_json=as_json)
        return
    finished = [] if dry_run else forgetting.finish(opened)
    for report in finished:
        err.print(Text(f"finished an earlier erasure: {report['id']}"))
    if name is not None:
        _forget(opened, recognise(opened, name, kind), why, yes=yes, dry_run=dry_run, as_json=as_json)
    elif not finished:
        raise SettingsError("what is to be forgotten? Give a document's address, a source, or a person")


def _forget(opened: Workspace, target: Target, why: str, *, yes: bool, dry_run: bool, as_json: bool) -> None:
    planned = forgetting.plan(opened, target)
    if dry_run and as_json:
        print_json(asdict(planned))
    elif not as_json:
        _show_plan(planned)
    if dry_run:
        return
    if not yes and not _confirmed(as_json=as_json):
        raise typer.Exit(1)
    report = forgetting.forget(opened, target, why=why)
    if as_json:
        print_json(report)
    else:
        out.print(Text(markdown(report)), soft_wrap=True)
        out.print(Text(f"The report is in {forgetting.report_path(opened, report['id'])}", style="dim"), soft_wrap=True)
        err.print(Text(_elsewhere(opened)), soft_wrap=True)
    if not report["proven"]:
        print_error("traces were found, or could not be checked; the report says where")
        raise typer.Exit(1)


def _elsewhere(opened: Workspace) -> str:
    """Say where it may still be: what lies outside data/ is not ours to remove."""
    aside = ", ".join(path.name for path in opened.settings.home.glob(f"{KEPT}*"))
    return (
        "Backups still hold it until they are pruned (`rag backup TARGET --keep N`); a restore of them removes it again"
        + (f". So does what a restore kept aside: {aside}" if aside else "")
    )


def _confirmed(*, as_json: bool) -> bool:
    if as_json or not err.is_terminal:
        raise SettingsError("there is no terminal to ask for confirmation; use --yes to erase this")
    return typer.confirm("Erase all of this?", err=True)


def _show_plan(planned: forgetting.Plan) -> None:
    out.print(Text.assemble(f"to be forgotten, as a {planned.kind}: ", (planned.name, "bold")))
    out.print(f"documents: {planned.documents}")
    out.print(f"answers that depend on them or were given to them: {planned.answers}")
    out.print(f"versions that are rewritten: {', '.join(planned.versions) or 'none'}")


def _undo(opened: Workspace, beginning: str) -> None:
    forgetting.undo(opened, opened.suppression.find(beginning))


def _show_entries(entries: list[Entry], *, as_json: bool) -> None:
    if as_json:
        print_json([asdict(entry) for entry in entries])
        return
    table = Table("id", "kind", "documents", "when", "by", "why", "state")
    for entry in entries:
        state = "may be read again" if entry.undone_at else "done" if entry.done_at else "started, not finished"
        row = (entry.id, entry.kind, str(len(entry.doc_ids)), entry.at[:16], entry.who, entry.why, state)
        table.add_row(*map(Text, row))
    out.print(table)
