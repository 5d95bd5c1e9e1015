"""`rag quarantine`: documents that are held until somebody has seen them."""

from typing import Annotated

import typer
from rich.text import Text

from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, out, print_json, workspace
from rag_platform.index.releases.release_log import acting_user
from rag_platform.pipeline.review import Reviewed, accept, flagged_documents, held_documents, reject

app = group("Documents held for review: list, accept, reject.")
Documents = Annotated[list[str], typer.Argument(metavar="DOC_ID...", help="Ids of documents that are held.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="For the log.")]


@app.command("list")
def list_held(
    flagged: Annotated[
        bool, typer.Option("--flagged", help="Those that try to instruct a language model, held or not.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List the documents that are held, with why and a passage of each."""
    opened = workspace()
    found = flagged_documents(opened) if flagged else held_documents(opened)
    if as_json:
        print_json(found)
        return
    for one in found:
        _show(one)
    if not found:
        out.print("no document is flagged" if flagged else "no document is held")


@app.command("accept")
def accept_documents(documents: Documents, why: Why = "", as_json: JsonOption = False) -> None:
    """Let documents answer from now on."""
    _told("accepted", accept(workspace(), documents, who=acting_user(), why=why), as_json=as_json)


@app.command("reject")
def reject_documents(documents: Documents, why: Why = "", as_json: JsonOption = False) -> None:
    """Deny documents to everyone, for good."""
    _told("rejected", reject(workspace(), documents, who=acting_user(), why=why), as_json=as_json)


def _told(what: str, count: int, *, as_json: bool) -> None:
    if as_json:
        print_json({what: count})
    else:
        out.print(f"{count} {what}")


def _show(one: Reviewed) -> None:
    since = f", since {one.since:%Y-%m-%d %H:%M}" if one.since else ""
    out.print(Text.assemble((one.doc_id, "bold cyan"), "  ", (one.title or one.uri, "bold")), soft_wrap=True)
    out.print(Text(f"    {one.source}: {one.uri}{since}", style="dim"), soft_wrap=True)
    out.print(Text(f"    {one.why}", style="yellow"), soft_wrap=True)
    out.print(Text(f"    {one.passage}"), soft_wrap=True)
