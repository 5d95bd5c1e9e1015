"""`rag index`: list, verify, promote, roll back, pin and remove versions."""

from typing import Annotated, Any

import typer
from rich.table import Column, Table
from rich.text import Text

from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, out, print_json, workspace
from rag_platform.cli.notices import show_in_full, show_notices
from rag_platform.cli.release import comparing, trials
from rag_platform.core.errors import DamagedVersion, NothingPublished
from rag_platform.index.releases.versions import Versions
from rag_platform.operations.status.release_status import release_events, release_status
from rag_platform.operations.status.version_list import version_rows
from rag_platform.trials.trial_report import trial_reports

app = group("The versions of the index.")
app.command("diff")(comparing.diff)
app.command("report")(comparing.report)
app.command("shadow")(trials.shadow)
app.command("canary")(trials.canary)

_NAMES = 'an id, its beginning, its number, "live" or "candidate"'
Version = Annotated[str, typer.Argument(metavar="V", help=f"A version: {_NAMES}.")]
LiveByDefault = Annotated[str, typer.Argument(metavar="[V]", help=f"A version: {_NAMES}; default: the live one.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the log.")]


@app.command("list")
def list_versions(as_json: JsonOption = False) -> None:
    """List the versions: which one is live, which are pinned, and the verdicts of the gate."""
    opened = workspace()
    rows = version_rows(opened.versions)
    if as_json:
        print_json(rows)
        return
    table = Table(Column("version", no_wrap=True, min_width=16), "built", "documents", "chunks", "gate", "")
    for row in rows:
        gate = {True: "passed", False: "refused", None: "not judged"}[row.passed]
        marks = ", ".join(mark for mark in ("live", "candidate", "pinned") if getattr(row, mark))
        style = "bold green" if row.live else ""
        cells = (row.created_at[:16].replace("T", " "), str(row.documents), str(row.chunks), gate, marks)
        table.add_row(Text(row.id, style=style), *cells)
    out.print(table)
    show_notices(release_status(opened))


@app.command("status")
def status(as_json: JsonOption = False) -> None:
    """Show what is live, which sources are held, and what to do about it."""
    found = release_status(workspace())
    if as_json:
        print_json(found.to_dict())
    else:
        show_in_full(found)


@app.command("show")
def show(version: LiveByDefault = "live", as_json: JsonOption = False) -> None:
    """Show a version's manifest: counts, model, parameters, sources, scores and verdict."""
    opened = workspace()
    manifest = opened.versions.manifest(_chosen(opened.versions, version))
    if tried := trial_reports(opened.trials, opened.journal, manifest["id"]):
        manifest["trials"] = tried
    if as_json:
        print_json(manifest)
        return
    shown = {name: value for name, value in manifest.items() if name != "files"}
    if "scores" in shown:  # question by question they are in the report
        shown["scores"] = {name: value for name, value in shown["scores"].items() if name != "questions"}
    out.print_json(data=shown)
    if manifest["id"] in (opened.versions.live_id(), opened.versions.candidate_id()):
        show_notices(release_status(opened))


@app.command("verify")
def verify(version: LiveByDefault = "live", as_json: JsonOption = False) -> None:
    """Verify a version: checksums, the same keys in all parts, recall against exact search."""
    versions = workspace().versions
    chosen = _chosen(versions, version)
    try:
        problems = versions.open(chosen).verify()
    except DamagedVersion as error:
        problems = [str(error)]
    if as_json:
        print_json({"version": chosen, "sound": not problems, "problems": problems})
    else:
        out.print(f"{chosen} is sound" if not problems else "\n".join(problems))
    raise typer.Exit(1 if problems else 0)


@app.command("log")
def log(as_json: JsonOption = False) -> None:
    """List the moves of the live version and the holds of sources: when, by whom and why."""
    moves = release_events(workspace())
    if as_json:
        print_json(moves)
        return
    table = Table("when", "who", "what", "version or source", "before", "why")
    for move in moves:
        about = move.get("source") or move["version"]
        table.add_row(
            *map(Text, (move["at"][:19], move["who"], move["kind"], about, move["before"] or "–", move["why"]))
        )
    out.print(table)


@app.command("promote")
def promote(
    version: Annotated[str, typer.Argument(metavar="[V]", help=f"{_NAMES}; default: the candidate.")] = "candidate",
    why: Why = "promoted by hand",
    force: Annotated[bool, typer.Option("--force", help="Also one that the gate refused or has not judged.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Make a version the live one, in one atomic step; after a rollback, resume publication."""
    versions = workspace().versions
    chosen = _chosen(versions, version)
    versions.refuse_unfit(chosen, force=force)
    before = versions.promote(chosen, why)
    _print_move(chosen, before, as_json=as_json)


@app.command("rollback")
def rollback(
    version: Annotated[
        str | None, typer.Argument(metavar="[V]", help=f"{_NAMES}; default: the one that was live before.")
    ] = None,
    why: Why = "rolled back by hand",
    as_json: JsonOption = False,
) -> None:
    """Go back to a version, in one atomic step; automatic publication stops until `rag index promote`."""
    versions = workspace().versions
    before = versions.live_id()
    chosen = versions.rollback(versions.resolve(version) if version else None, why=why)
    _print_move(chosen, before, as_json=as_json)


@app.command("pin")
def pin(version: LiveByDefault = "live", why: Why = "pinned by hand", as_json: JsonOption = False) -> None:
    """Protect a version from removal."""
    versions = workspace().versions
    chosen = _chosen(versions, version)
    versions.pin(chosen, why)
    _print_result(f"{chosen} stays until it is unpinned", {"version": chosen, "pinned": True}, as_json=as_json)


@app.command("unpin")
def unpin(version: Version, as_json: JsonOption = False) -> None:
    """Allow a version to be removed when it is old."""
    versions = workspace().versions
    chosen = _chosen(versions, version)
    versions.unpin(chosen)
    _print_result(f"{chosen} may be removed when it is old", {"version": chosen, "pinned": False}, as_json=as_json)


@app.command("gc")
def gc(
    keep: Annotated[
        int | None, typer.Option("--keep", min=1, help="Number of the newest that stay; default: index.keep.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be removed, and remove nothing.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Remove old versions; never the live one, the one before it, the candidate or a pinned one."""
    opened = workspace()
    keep = keep or opened.settings.index.keep
    removed = opened.versions.removable(keep) if dry_run else opened.versions.gc(keep)
    message = f"{'would be removed' if dry_run else 'removed'}: {', '.join(removed) or 'none'}"
    _print_result(message, {"dry_run": dry_run, "removed": removed, "kept": opened.versions.ids()}, as_json=as_json)


def _chosen(versions: Versions, name: str) -> str:
    if name == "live" and versions.live_id() is None:
        raise NothingPublished("no index version has been published yet; run `rag sync`")
    return versions.resolve(name)


def _print_move(version: str, before: str | None, *, as_json: bool) -> None:
    _print_result(
        f"{version} is live (before: {before or 'none'})", {"live": version, "before": before}, as_json=as_json
    )


def _print_result(message: str, document: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(document)
    else:
        out.print(Text(message), soft_wrap=True)
