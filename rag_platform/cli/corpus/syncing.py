"""`rag sync`: bring the sources up to date and publish, or say what that would do."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import AsJson, complain, err, out, print_json, progress_bars, workspace
from rag_platform.core.errors import MissingExtra, message_of
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace

if TYPE_CHECKING:
    from assets.sync import Ledger

COUNTS = ("seen", "new", "changed", "unchanged", "gone")


def sync(
    source: Annotated[
        list[str] | None, typer.Argument(metavar="[SOURCE]…", help="Sources; default: all that are not paused.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")] = False,
    no_publish: Annotated[
        bool, typer.Option("--no-publish", help="Build and score, but leave the live version.")
    ] = False,
    allow_mass_delete: Annotated[
        bool, typer.Option("--allow-mass-delete", help="Let a source lose more documents than the settings allow.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Read everything anew, also what seems unchanged.")] = False,
    no_fetch: Annotated[
        bool, typer.Option("--no-fetch", help="Read no source: build, score and publish what is there.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring sources up to date, then build, score and publish a version."""
    opened = workspace()
    if dry_run:
        _plan(opened, source or [], as_json=as_json)
        return
    run = _assets_sync()
    with progress_bars(show=not as_json and err.is_terminal) as reporter:
        ledger = run(
            opened,
            source or [],
            publish=not no_publish,
            allow_mass_delete=allow_mass_delete,
            full=full,
            fetches=not no_fetch,
            reporter=reporter,
        )
    if as_json:
        print_json(ledger.to_dict())
    else:
        show_ledger(ledger)
    for message in ledger.errors:
        complain(message)
    raise typer.Exit(ledger.exit_code)


def show_ledger(ledger: "Ledger") -> None:
    """Print what a sync did."""
    _show_sources(ledger.sources, "sources")
    chunks = ledger.chunks
    out.print(f"chunks: {chunks['total']} in all, {chunks['embedded']} embedded, {chunks['reused']} reused")
    written = sum(ledger.bytes_written.values())
    out.print(f"written: {written / 1e6:.1f} MB")
    out.print("seconds: " + ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in ledger.seconds.items()))
    if ledger.gate:
        out.print(Text("gate: ").append("passed" if ledger.gate["passed"] else "refused", style="bold"))
        for reason in ledger.gate["reasons"]:
            out.print(Text(f"  {reason}"), soft_wrap=True)
    out.print(Text(f"version {ledger.version}: {_standing(ledger)}", style="bold"))


def _show_sources(sources: dict[str, dict], title: str) -> None:
    columns = [
        *COUNTS,
        *(count for count in ("unknown", "forgotten") if any(one.get(count) for one in sources.values())),
    ]
    table = Table("source", *columns, "failed", title=title)
    for name, counts in sources.items():
        table.add_row(name, *(str(counts.get(count, 0)) for count in columns), str(len(counts["failed"])))
    out.print(table)
    for name, counts in sources.items():
        for failure in [failure for failure in counts["failed"] if failure["uri"] != name]:  # that one ends as an error
            out.print(Text(f"{name}: {failure['uri']}: {failure['reason']}", style="yellow"), soft_wrap=True)


def _standing(ledger: "Ledger") -> str:
    if ledger.version is None:
        return "nothing was built"
    if not ledger.published and ledger.held:
        held = ledger.held
        return (
            f"built, not published: {held['who']} rolled back to {held['version']} on {held['at'][:16]} "
            f"({held['why']}); `rag index promote` publishes it"
        )
    if not ledger.published:
        return "built, not published"
    return "published" if ledger.moved else "already published; nothing changed"


def _plan(opened: Workspace, sources: list[str], *, as_json: bool) -> None:
    pipeline, plans, errors = Pipeline(opened), {}, []
    for source in sources or [source.id for source in opened.settings.sources if not source.paused]:
        opened.settings.source(source)  # an unknown name ends the command
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
        complain(message)
    raise typer.Exit(1 if errors else 0)


def _show_plans(plans: dict[str, dict]) -> None:
    _show_sources(plans, "what a sync would do")
    for counts in plans.values():
        if stops := counts.get("stops"):
            out.print(Text(f"This would stop: {stops}", style="yellow"), soft_wrap=True)


def _assets_sync():  # noqa: ANN202  the assets' types are not the library's
    """Load the assets, which run from the checkout: they are not part of the installed library."""
    try:
        from assets.sync import sync as run
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] in ("assets", "evals"):
            raise MissingExtra(
                error.name, "eval", "`rag sync` runs the assets of a checkout of this repository and"
            ) from error
        raise
    return run
