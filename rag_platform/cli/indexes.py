"""`rag index`: the versions there are."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import AsJson, out, print_json, workspace
from rag_platform.errors import NothingPublished
from rag_platform.index.versions import Versions

app = typer.Typer(no_args_is_help=True, help="The versions of the index.")

Version = Annotated[str | None, typer.Argument(metavar="[V]", help="A version; default: the live one.")]


@app.command("list")
def list_versions(as_json: AsJson = False) -> None:
    """List the versions, the live one marked."""
    versions = workspace().versions
    live = versions.live_id()
    rows = [
        {
            "id": manifest["id"],
            "live": manifest["id"] == live,
            "created_at": manifest["created_at"],
            "documents": manifest["counts"]["documents"],
            "chunks": manifest["counts"]["chunks"],
            "passed": manifest.get("verdict", {}).get("passed"),
        }
        for manifest in versions.manifests()
    ]
    if as_json:
        print_json(rows)
        return
    table = Table("version", "built", "documents", "chunks", "gate")
    for row in rows:
        gate = {True: "passed", False: "refused", None: "not judged"}[row["passed"]]
        name = Text(row["id"] + ("  live" if row["live"] else ""), style="bold green" if row["live"] else "")
        table.add_row(name, row["created_at"][:16], str(row["documents"]), str(row["chunks"]), gate)
    out.print(table)


@app.command("show")
def show(version: Version = None, as_json: AsJson = False) -> None:
    """Show a version's manifest: counts, model, parameters, sources, scores and verdict."""
    versions = workspace().versions
    manifest = versions.manifest(_chosen(versions, version))
    if as_json:
        print_json(manifest)
    else:
        out.print_json(data={name: value for name, value in manifest.items() if name != "files"})


@app.command("verify")
def verify(version: Version = None, as_json: AsJson = False) -> None:
    """Prove a version: checksums, the same keys in all parts, recall against exact search."""
    versions = workspace().versions
    chosen = _chosen(versions, version)
    problems = versions.open(chosen).verify()
    if as_json:
        print_json({"version": chosen, "sound": not problems, "problems": problems})
    else:
        out.print(f"{chosen} is sound" if not problems else "\n".join(problems))
    raise typer.Exit(1 if problems else 0)


def _chosen(versions: Versions, version: str | None) -> str:
    chosen = version or versions.live_id()
    if chosen is None:
        raise NothingPublished("no index version has been published yet; run `rag sync`")
    return chosen
