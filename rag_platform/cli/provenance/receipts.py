"""`rag receipt`: the provenance of each answer, and its replay."""

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.table import Column, Table
from rich.text import Text

from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, out, print_json, workspace
from rag_platform.core.answers import Citation, JudgedClaim
from rag_platform.core.hits import page_name
from rag_platform.journal.answer_notes import answer_notes, state_in_words
from rag_platform.journal.receipts import Receipt
from rag_platform.provenance.inventory import find_document
from rag_platform.provenance.replay import replay as replay_receipt

app = group("Receipts: the provenance of each answer, and its replay.")

Id = Annotated[str, typer.Argument(metavar="ID", help="A receipt's id, or the beginning of one.")]


@app.command("list")
def list_receipts(
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Maximum number.")] = 20,
    uri: Annotated[
        str | None,
        typer.Option("--uri", metavar="URI", help="Only answers that cite this document or had it as a hit."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the newest receipts."""
    opened = workspace()
    doc_id = find_document(opened, uri).doc_id if uri else None
    receipts = opened.journal.receipts(limit, doc_id, seen=True)
    if as_json:
        print_json([_row(receipt) for receipt in receipts])
        return
    table = Table(Column("receipt", no_wrap=True, min_width=16), "time", "user", "version", "question")
    for receipt in receipts:
        when = f"{receipt.asked_at:%Y-%m-%d %H:%M}"
        table.add_row(receipt.id, when, receipt.principal or "–", receipt.version, Text(receipt.question))
    out.print(table)


@app.command("show")
def show(receipt_id: Id, as_json: JsonOption = False) -> None:
    """Show a receipt: question, user, time, version, and each citation down to the bytes and the run."""
    receipt = workspace().journal.find(receipt_id)
    if as_json:
        print_json(asdict(receipt) | {"citations": [_trace(citation, receipt) for citation in receipt.citations]})
        return
    who = receipt.principal or "someone not signed in"
    out.print(Text(receipt.question, style="bold"), soft_wrap=True)
    out.print(Text(f"asked by {who} on {receipt.asked_at:%Y-%m-%d %H:%M:%S %Z}", style="dim"), soft_wrap=True)
    searched = f"version {receipt.version} · {receipt.mode} · {len(receipt.hits)} hits · {receipt.model}"
    out.print(Text(searched, style="dim"), soft_wrap=True)
    if receipt.standalone:
        out.print(Text(f"understood as: {receipt.standalone}", style="dim"), soft_wrap=True)
    if receipt.queries not in ((), (receipt.standalone or receipt.question,)):
        out.print(Text(f"searched for: {' · '.join(receipt.queries)}", style="dim"), soft_wrap=True)
    out.print(Text(f"\n{receipt.answer}\n"), soft_wrap=True)
    for claim in receipt.claims:
        _show_claim(claim)
    for citation in receipt.citations:
        _show_citation(_trace(citation, receipt))
    for note in answer_notes(receipt):
        out.print(Text(f"note: {note}", style="yellow"), soft_wrap=True)


@app.command("replay")
def replay(receipt_id: Id, as_json: JsonOption = False) -> None:
    """Replay an answer on its version with its settings, and report whether it is identical."""
    opened = workspace()
    replayed = replay_receipt(opened, opened.journal.find(receipt_id))
    if as_json:
        print_json(asdict(replayed))
    elif replayed.identical:
        out.print(
            Text(f"identical: the same hits, scores, prompt, answer, citations and states, from {replayed.version}")
        )
    else:
        for difference in replayed.differences:
            out.print(Text(difference, style="bold"), soft_wrap=True)
        for cause in replayed.causes:
            out.print(Text(cause), soft_wrap=True)
        if replayed.answer:
            out.print(Text(f"\n{replayed.answer.answer}"), soft_wrap=True)
    raise typer.Exit(0 if replayed.identical else 1)


def _row(receipt: Receipt) -> dict[str, Any]:
    names = ("id", "asked_at", "principal", "question", "version", "model", "abstained")
    return {name: getattr(receipt, name) for name in names} | {"citations": len(receipt.citations)}


def _trace(citation: Citation, receipt: Receipt) -> dict[str, Any]:
    """Follow a citation to the revision of its document and the run that fetched it."""
    hit = next((hit for hit in receipt.hits if hit["chunk_id"] == citation.chunk_id), {})
    return asdict(citation) | {name: hit.get(name) for name in ("source", "section", "revision", "run_id")}


def _show_claim(claim: JudgedClaim) -> None:
    """Print a sentence's state, how sure it is and by which check, with the numbers of its quotes."""
    named = "".join(f" [{n}]" for n in claim.citations)
    out.print(
        Text.assemble((f"{state_in_words(claim)}{named}: ", "bold"), " ".join(claim.text.split())), soft_wrap=True
    )


def _show_citation(citation: dict[str, Any]) -> None:
    out.print(Text.assemble((f"[{citation['n']}] ", "bold cyan"), (citation["title"] or citation["uri"], "bold")))
    out.print(Text(f"    “{' '.join(citation['quote'].split())}”", style="italic"), soft_wrap=True)
    start, end = citation["span"]
    page = page_name(citation["page"], citation.get("page_label"))
    for name, value in (
        ("document", citation["uri"]),
        ("characters", f"{start}–{end}" + (f", page {page}" if page else "")),
        ("revision", citation["revision"]),
        ("raw sha256", citation["raw_sha256"]),
        ("fetched by run", citation["run_id"]),
    ):
        out.print(Text.assemble((f"    {name:<15}", "dim"), str(value or "not recorded")), soft_wrap=True)
