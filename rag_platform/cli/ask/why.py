"""`rag why`: why a document was found for a question, or where it was lost."""

from typing import Annotated

import typer
from rich.text import Text

from rag_platform.cli.ask.answers import (
    Archived,
    AsOf,
    Collection,
    K,
    Language,
    MatchName,
    ModeName,
    PerDocument,
    Principal,
    Question,
    Since,
    Source,
    Tag,
    Type,
    Until,
    filters_of,
    mode_of,
    refuse_empty,
    refuse_unknown,
    retriever_as_of,
)
from rag_platform.cli.ask.explain_tables import print_chunks
from rag_platform.cli.console import JsonOption, out, print_json, workspace
from rag_platform.operations.replies import why_document
from rag_platform.provenance.why import Why
from rag_platform.provenance.why import why as find_why


def why(
    q: Question,
    uri: Annotated[str, typer.Argument(metavar="URI", help="A document's address, the end of one, or its id.")],
    k: K = 10,
    mode: ModeName = None,
    match: MatchName = None,
    collection: Collection = None,
    source: Source = None,
    type_: Type = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    archived: Archived = False,
    lang: Language = None,
    principal: Principal = None,
    as_of: AsOf = None,
    per_document: PerDocument = None,
    operator: Annotated[
        bool, typer.Option("--operator", help="Explain every document, also those that the user may not read.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Explain at which stage a document was lost for a question, or at which rank it was found."""
    opened = workspace()
    refuse_empty(q)
    filters = filters_of(collection, source, type_, tag, since, until, lang, principal, match, archived)
    refuse_unknown(opened, filters, as_of)
    found = find_why(
        opened,
        q,
        uri,
        k=k,
        mode=mode_of(mode),
        filters=filters,
        retriever=retriever_as_of(opened, as_of),
        per_document=per_document,
        operator=operator,
    )
    if as_json:
        print_json(why_document(found))
    else:
        _print(found, operator=operator)


def _print(found: Why, *, operator: bool) -> None:
    explanation = found.explanation
    if found.document:
        out.print(Text.assemble((found.document.uri, "bold"), (f"  {found.document.source}", "dim")), soft_wrap=True)
    style = "bold green" if found.returned else "bold yellow"
    ended = "found" if found.returned else f"lost: {explanation.stage}"
    out.print(Text.assemble((f"{ended}. ", style), explanation.reason))
    if explanation.remedy:
        out.print(Text(explanation.remedy))
    if found.document is None and not operator:
        out.print(Text("Who runs the workspace may add --operator, to have every document explained.", style="dim"))
    if found.chunks:
        print_chunks(found.chunks)
    out.print(Text(f"\nversion {found.version} · {found.mode} · k {found.k}", style="dim"))
