"""`rag audit`: who was shown what."""

import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.audit.hash_chain import Event
from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, out, parse_time, print_error, print_json, workspace
from rag_platform.provenance.inventory import find_document
from rag_platform.workspace import Workspace

app = group("The audit: who was shown what.")

Since = Annotated[str | None, typer.Option("--since", metavar="T", help="Only at or after this moment (ISO 8601).")]
Until = Annotated[str | None, typer.Option("--until", metavar="T", help="Only before this moment.")]
Who = Annotated[str | None, typer.Option("--who", metavar="NAME", help="Only of this name or principal.")]
Document = Annotated[str | None, typer.Option("--document", metavar="URI|ID", help="Only where it was shown.")]
COLUMNS = (
    "seq",
    "at",
    "kind",
    "refused",
    "name",
    "interface",
    "principals",
    "question",
    "version",
    "receipt",
    "documents",
)


@app.command("list")
def list_events(
    since: Since = None,
    until: Until = None,
    who: Who = None,
    document: Document = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Maximum number.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """List the newest events."""
    events = _found(workspace(), since, until, who, document, limit)
    if as_json:
        print_json([event.to_dict() for event in events])
        return
    table = Table("event", "time", "who", "through", "kind", "documents", "question")
    for event in events:
        row = _row(event)
        kind = f"{event.kind}, refused" if event.refused else event.kind
        shown = str(len(row["documents"].split())) if event.shown is not None else "erased"
        cells = (str(event.seq), event.at[:19], row["name"], row["interface"], kind, shown, row["question"])
        table.add_row(*map(Text, cells))
    out.print(table)


@app.command("export")
def export(
    since: Since = None,
    until: Until = None,
    who: Who = None,
    document: Document = None,
    form: Annotated[Literal["jsonl", "csv"], typer.Option("--format", metavar="F", help="jsonl or csv.")] = "jsonl",
) -> None:
    """Print all events, oldest first; that is an event too."""
    opened = workspace()
    events = _found(opened, since, until, who, document, -1)[::-1]
    if form == "jsonl":
        for event in events:
            sys.stdout.write(json.dumps(event.to_dict(), ensure_ascii=False) + "\n")
    else:
        writer = csv.DictWriter(sys.stdout, COLUMNS)
        writer.writeheader()
        writer.writerows({name: _harmless(value) for name, value in _row(event).items()} for event in events)
    opened.audit.record("export", None, shown={"events": len(events)})


@app.command("verify")
def verify(
    expect: Annotated[
        str | None, typer.Option("--expect", metavar="HASH", help="A head that was noted before; it must be there.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check that no event was changed, removed or put in between."""
    found = workspace().audit.verify(expect)
    if as_json:
        print_json(asdict(found))
    else:
        out.print(f"{found.events} events, {found.erased} of them erased in part, {found.dropped} dropped by their age")
        out.print(f"head: {found.head}")
    for problem in found.problems:
        print_error(problem)
    if found.problems:
        raise typer.Exit(1)


def _found(
    opened: Workspace, since: str | None, until: str | None, who: str | None, document: str | None, limit: int
) -> list[Event]:
    return opened.audit.events(
        since=parse_time("--since", since) if since else None,
        until=parse_time("--until", until) if until else None,
        who=who,
        doc_id=find_document(opened, document).doc_id if document else None,
        limit=limit,
    )


def _row(event: Event) -> dict[str, Any]:
    who, shown = event.who or {}, event.shown or {}
    documents = dict.fromkeys(hit["doc_id"] for name in ("hits", "cited") for hit in shown.get(name, ()))
    return {
        "seq": event.seq,
        "at": event.at,
        "kind": event.kind,
        "refused": event.refused,
        "name": who.get("name", "(erased)"),
        "interface": who.get("interface", ""),
        "principals": " ".join(_texts(who.get("principals", ()))),
        "question": event.question or "",
        "version": event.version,
        "receipt": event.receipt,
        "documents": " ".join(documents),
    }


def _texts(values: Sequence[object]) -> list[str]:
    return [str(value) for value in values]


def _harmless(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
