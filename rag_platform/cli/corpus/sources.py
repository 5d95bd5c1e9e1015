"""`rag source`: add, pause and remove the sources of rag.toml without an editor."""

import sys
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, err, out, print_json, workspace
from rag_platform.cli.corpus.source_changes import changes, statistics
from rag_platform.cli.corpus.source_kinds import kinds, new_kind
from rag_platform.config.source_editing import add_parts, add_source, pause_source, remove_source
from rag_platform.core.errors import SettingsError, SourceError
from rag_platform.index.releases.holds import Hold
from rag_platform.index.releases.release_log import acting_user
from rag_platform.operations.removal import Removal, plan_source
from rag_platform.operations.source_previews import preview_source
from rag_platform.operations.status.source_status import SourceState, source_states
from rag_platform.pipeline.source_decisions import hold_source, release_source
from rag_platform.raw.preview import SECONDS, Preview
from rag_platform.workspace import Workspace

app = group("The sources of rag.toml.")
app.command("changes")(changes)
app.command("statistics")(statistics)
app.command("kinds")(kinds)
app.command("new-kind")(new_kind)

Id = Annotated[str, typer.Argument(metavar="NAME", help="The source's id.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the history.")]
File = Annotated[str, typer.Argument(metavar="FILE", help="A file with one [[sources]] table; - is standard input.")]
Parts = Annotated[int | None, typer.Option("--parts", min=1, metavar="N", help="Add N sources that read a part each.")]


@app.command("list")
def list_sources(as_json: JsonOption = False) -> None:
    """List the sources with the state of each."""
    opened = workspace()
    states = source_states(opened, _all_principals(opened))
    if as_json:
        print_json([_document(state) for state in states])
        return
    table = Table("source", "kind", "documents", "archived", "failed", "last read", "next", "state")
    for state in states:
        marks = {"held": state.held, "paused": state.source.paused, "late": state.late}
        remark = ", ".join(mark for mark, there in marks.items() if there)
        counts = (f"{state.documents:,}", f"{state.archived:,}", f"{state.failed:,}")
        times = (f"{time:%Y-%m-%d %H:%M}" if time else "–" for time in (state.read_at, state.next_at))
        table.add_row(*map(Text, (state.source.id, state.source.kind, *counts, *times, remark)))
    out.print(table)


@app.command("add")
def add(file: File, parts: Parts = None, as_json: JsonOption = False) -> None:
    """Add a source to rag.toml, whole or in parts; the rest of the file stays as it is."""
    table, home = _table(file), workspace().settings.home
    settings = add_parts(home, table, parts) if parts else add_source(home, table)
    made = settings.sources[-(parts or 1) :]
    if as_json:
        documents = [source.model_dump(mode="json") for source in made]
        print_json(documents if parts else documents[0])
    else:
        names = " ".join(source.id for source in made)
        are = "are" if len(made) > 1 else "is"
        out.print(f"{names} {are} in rag.toml; `rag sync {names}` reads what is there", soft_wrap=True)


@app.command("preview")
def preview(
    file: File,
    seconds: Annotated[float, typer.Option("--seconds", metavar="S", help="Its time limit.")] = SECONDS,
    as_json: JsonOption = False,
) -> None:
    """Show what a source would read, without adding it; nothing is stored."""
    found = preview_source(workspace(), _table(file), seconds)
    if as_json:
        print_json(asdict(found))
    elif not found.error:
        _show_preview(found)
    if found.error:
        raise SourceError(found.error)


@app.command("pause")
def pause(name: Id) -> None:
    """Exclude a source from schedules and from `rag sync` without names."""
    pause_source(workspace().settings.home, name)
    out.print(f"{name} is paused; `rag source resume {name}` resumes it", soft_wrap=True)


@app.command("resume")
def resume(name: Id) -> None:
    """Resume a paused source."""
    pause_source(workspace().settings.home, name, paused=False)
    out.print(f"{name} is synced again by its schedule and by `rag sync`", soft_wrap=True)


@app.command("hold")
def hold(name: Id, why: Why = "", as_json: JsonOption = False) -> None:
    """Hold a source at its live state until it is released; the others go on."""
    _tell(hold_source(workspace(), name, who=acting_user(), why=why or "held by hand"), as_json, "is held")


@app.command("release")
def release(name: Id, why: Why = "", as_json: JsonOption = False) -> None:
    """End a source's hold; the state that the brake or the questions held may then be published all the same."""
    _tell(release_source(workspace(), name, who=acting_user(), why=why or "released by hand"), as_json, "is released")


def _tell(decided: Hold, as_json: bool, what: str) -> None:
    if as_json:
        print_json(decided.to_dict())
    else:
        out.print(f"{decided.source} {what}; `rag sync --no-fetch` builds, judges and publishes by it", soft_wrap=True)


@app.command("remove")
def remove(
    name: Id,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be removed, and change nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Remove a source from rag.toml; the next sync removes its documents from the index."""
    opened = workspace()
    opened.settings.source(name)
    planned = plan_source(opened, name)
    if as_json:
        print_json({"source": name, **asdict(planned)})
    else:
        _show_plan(name, planned)
    if dry_run:
        return
    if not yes and (as_json or not err.is_terminal or not typer.confirm("Remove it from rag.toml?", err=True)):
        raise SettingsError("nothing was changed; use --yes where there is no terminal")
    remove_source(opened.settings.home, name)


def _table(file: str) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        content = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SettingsError(f"{file}: {reason}") from error
    match content.get("sources", [content]):
        case [{"id": _, "kind": _} as table]:
            return dict(table)
    raise SettingsError(f"{file}: expected one [[sources]] table, with the keys id and kind")


def _all_principals(opened: Workspace) -> list[str]:
    return [name for source in opened.settings.sources for name in source.principals]


def _document(state: SourceState) -> dict[str, Any]:
    source = state.source.model_dump(mode="json", include={"id", "kind", "collection", "schedule", "paused"})
    names = ("documents", "archived", "failed", "read_at", "next_at", "late", "held")
    return source | {name: getattr(state, name) for name in names}


def _show_preview(found: Preview) -> None:
    for uri, title in found.items:
        out.print(Text.assemble((title or uri, "bold"), (f"  {uri}", "dim") if title else ""), soft_wrap=True)
    out.print(f"{'at least ' if found.cut else ''}{found.count:,} in all, listed in {found.seconds:.1f} s")
    for warning in found.warnings:
        out.print(Text(warning, style="yellow"), soft_wrap=True)
    for uri, reason in found.failed:
        out.print(Text(f"{uri}: {reason}", style="yellow"), soft_wrap=True)


def _show_plan(name: str, planned: Removal) -> None:
    out.print(
        f"{name}: {planned.documents:,} documents and {planned.chunks:,} passages leave the index with the next sync; "
        f"{planned.answers:,} past answers cite them. The raw data stays in data/, and so do earlier versions: "
        f"`rag forget {name}` erases it for good.",
        soft_wrap=True,
    )
