"""`rag sync`: bring the sources up to date and publish, or show what that would do."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import JsonOption, err, out, print_error, print_json, progress_bars, workspace
from rag_platform.cli.notices import show_notices
from rag_platform.core.errors import message_of
from rag_platform.operations.status.release_status import release_status
from rag_platform.operations.whole_sync import load_gate, tell_of_sync
from rag_platform.pipeline.stages import Pipeline
from rag_platform.pipeline.sync import SourceReport, SyncReport, chosen_sources
from rag_platform.pipeline.sync import sync as sync_workspace
from rag_platform.workspace import Workspace

COUNTS = ("seen", "new", "changed", "unchanged", "gone")


def sync(
    source: Annotated[
        list[str] | None, typer.Argument(metavar="[SOURCE]…", help="Sources; default: all that are not paused.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and do nothing.")] = False,
    no_publish: Annotated[
        bool, typer.Option("--no-publish", help="Build and score, but leave the live version.")
    ] = False,
    allow_mass_delete: Annotated[
        bool, typer.Option("--allow-mass-delete", help="Allow a source to lose more documents than the settings do.")
    ] = False,
    allow_mass_change: Annotated[
        bool, typer.Option("--allow-mass-change", help="Publish the sources' newest state, whatever became of it.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Read everything again, also what seems unchanged.")] = False,
    no_fetch: Annotated[
        bool, typer.Option("--no-fetch", help="Read no source: build, score and publish from the stored data.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Bring sources up to date, then build, score and publish a version."""
    opened = workspace()
    if dry_run:
        _plan(opened, source or [], as_json=as_json)
        return
    gate = load_gate(opened)
    with progress_bars(show=not as_json) as progress:
        report = sync_workspace(
            opened,
            source,
            gate=gate,
            full=full,
            allow_mass_delete=allow_mass_delete,
            allow_mass_change=allow_mass_change,
            fetch=not no_fetch,
            publish=not no_publish,
            progress=progress,
        )
    if as_json:
        print_json(report.to_dict())
    else:
        show_report(report)
        show_notices(release_status(opened))
    for message in report.errors:
        print_error(message)
    for problem in tell_of_sync(opened, report):
        err.print(Text(problem, style="yellow"), soft_wrap=True)
    raise typer.Exit(report.exit_code)


def show_report(report: SyncReport) -> None:
    """Print what a sync did."""
    _show_sources(report.to_dict()["sources"], "sources")
    chunks = report.chunks
    rare = f", {chunks['words_only']} found by their words alone" if "words_only" in chunks else ""
    out.print(f"chunks: {chunks['total']} in all, {chunks['embedded']} embedded, {chunks['reused']} reused{rare}")
    written = sum(report.bytes_written.values())
    out.print(f"written: {written / 1e6:.1f} MB")
    out.print("seconds: " + ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in report.seconds.items()))
    if report.gate:
        out.print(Text("gate: ").append("passed" if report.gate["passed"] else "refused", style="bold"))
        for reason in report.gate["reasons"]:
            out.print(Text(f"  {reason}"), soft_wrap=True)
    out.print(Text(f"version {report.version}: {_outcome(report)}", style="bold"))


def _show_sources(sources: Mapping[str, Mapping[str, Any]], title: str) -> None:
    columns = [
        *COUNTS,
        *(count for count in ("unknown", "forgotten") if any(counts.get(count) for counts in sources.values())),
    ]
    table = Table("source", *columns, "failed", title=title)
    for name, counts in sources.items():
        table.add_row(name, *(str(counts.get(count, 0)) for count in columns), str(len(counts["failed"])))
    out.print(table)
    for name, counts in sources.items():
        for failure in [failure for failure in counts["failed"] if failure["uri"] != name]:  # those are in `errors`
            out.print(Text(f"{name}: {failure['uri']}: {failure['reason']}", style="yellow"), soft_wrap=True)


def _outcome(report: SyncReport) -> str:
    if report.version is None:
        return "nothing was built"
    if not report.published and report.held:
        held = report.held
        return (
            f"built, not published: {held['who']} rolled back to {held['version']} on {held['at'][:16]} "
            f"({held['why']}); `rag index promote` publishes it"
        )
    if not report.published:
        return "built, not published"
    if not report.held_sources:
        return "published" if report.moved else "already published; nothing changed"
    changed = [name for name, one in report.sources.items() if name not in report.held_sources and _brought(one)]
    newest = f", with what is new in {', '.join(changed)}" if changed else ""
    return f"published{newest}" if report.moved else "still live; what changed is held"


def _brought(source: SourceReport) -> bool:
    """Return whether a sync found something else in a source than before."""
    return any(source.to_dict()[count] for count in ("new", "changed", "gone"))


def _plan(opened: Workspace, sources: list[str], *, as_json: bool) -> None:
    pipeline, plans, errors = Pipeline(opened), {}, []
    for source in chosen_sources(opened, sources):
        try:
            plans[source] = pipeline.plan(source).to_dict()
        except Exception as error:  # noqa: BLE001  as in a sync, a source that fails does not stop the others
            plans[source] = dict.fromkeys(COUNTS, 0) | {"failed": [{"uri": source, "reason": message_of(error)}]}
            errors.append(f"{source}: {message_of(error)}")
    if as_json:
        print_json({"dry_run": True, "sources": plans, "errors": errors})
    else:
        _show_plans(plans)
    for message in errors:
        print_error(message)
    raise typer.Exit(1 if errors else 0)


def _show_plans(plans: Mapping[str, Mapping[str, Any]]) -> None:
    _show_sources(plans, "what a sync would do")
    for source, counts in plans.items():
        if pages := counts.get("vision_pages"):
            told = f"up to {pages} pages would be shown to the vision model, those left out that it has read before"
            out.print(Text(f"{source}: {told}"), soft_wrap=True)
        if recordings := counts.get("recordings"):
            told = f"up to {recordings} recordings would be sent to be written down, those heard before left out"
            out.print(Text(f"{source}: {told}"), soft_wrap=True)
        if counts.get("incomplete"):
            out.print(Text(f"{source} lists only a part: nothing is deleted because it is absent."), soft_wrap=True)
        if stops := counts.get("stops"):
            out.print(Text(f"This would stop: {stops}", style="yellow"), soft_wrap=True)
