"""`rag impact`: what depends on a document."""

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import JsonOption, out, print_json, workspace
from rag_platform.core.errors import MissingExtra
from rag_platform.core.installation import install_command
from rag_platform.provenance.impact import Impact
from rag_platform.provenance.impact import impact as find_impact
from rag_platform.provenance.inventory import KnownDocument, find_document
from rag_platform.workspace import Workspace
from rag_platform.workspace.applications import load_application


def impact(
    uri: Annotated[str, typer.Argument(metavar="URI", help="A document's address, the end of one, or its id.")],
    as_json: JsonOption = False,
) -> None:
    """Show every chunk, question and past answer that depends on a document."""
    opened = workspace()
    found = find_impact(opened, find_document(opened, uri))
    questions = dependent_questions(opened, found.document)
    if as_json:
        print_json(found.to_dict() | {"questions": questions})
    else:
        _show(found, questions)


def dependent_questions(opened: Workspace, document: KnownDocument) -> list[dict[str, Any]] | None:
    """Return the questions whose judgements refer to a document; None without the packages of the evaluation."""
    try:
        labels = load_application("evals.questions.document_judgements", extra="eval", purpose="looking at questions")
    except MissingExtra:
        return None
    return [asdict(one) for one in labels.judgements_of_document(opened, document.doc_id, document.uri)]


def _show(found: Impact, questions: list[dict[str, Any]] | None) -> None:
    document = found.document
    out.print(Text.assemble((document.uri, "bold"), (f"  {document.source} · {document.doc_id}", "dim")))
    if found.first_seen:
        out.print(f"first seen {found.first_seen[:16]}", *(f"· was {name}" for name in found.earlier_names))
    versions = Table("version", "revision", "chunks", title=f"versions: {len(found.versions)}")
    for one in found.versions:
        versions.add_row(one.version + ("  live" if one.live else ""), one.revision, str(len(one.chunks)))
    _print(versions)
    chunks = Table("chunk", "characters", "section", title=f"chunks in the live version: {len(found.chunks)}")
    for chunk in found.chunks:
        chunks.add_row(chunk["chunk_id"], f"{chunk['start']}–{chunk['end']}", Text(chunk["section"] or ""))
    _print(chunks)
    if questions is None:
        out.print(f"questions: not checked; this needs {install_command('eval')}")
    else:
        judged = Table("question", "text", "its quote", title=f"questions that depend on it: {len(questions)}")
        for row in questions:
            judged.add_row(row["id"], Text(row["question"]), "present" if row["found"] else "missing")
        _print(judged)
    answers = Table("receipt", "asked", "question", "how", title=f"past answers: {len(found.answers)}")
    for answer in found.answers:
        how = "cites it" if answer.cited else "had it as a hit"
        answers.add_row(answer.receipt_id, answer.asked_at[:16], Text(answer.question), how)
    _print(answers)


def _print(table: Table) -> None:
    out.print(table if table.row_count else table.title)
