"""`rag why`: why a document was found for a question, or where it was lost."""

from typing import Annotated

import typer
from rich.text import Text

from rag_platform.cli.ask.answers import (
    AsOf,
    Collection,
    K,
    Language,
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
    retriever_as_of,
)
from rag_platform.cli.ask.explaining import ending, number, stage_table
from rag_platform.cli.console import AsJson, out, print_json, workspace
from rag_platform.operations.replies import why_document
from rag_platform.provenance.why import Why
from rag_platform.provenance.why import why as find_why
from rag_platform.retrieval.explain.outcome import ChunkOutcome
from rag_platform.retrieval.explain.ranks import RetrieverRank

_SHOWN = 8


def why(
    q: Question,
    uri: Annotated[str, typer.Argument(metavar="URI", help="A document's address, the end of one, or its id.")],
    k: K = 10,
    mode: ModeName = None,
    collection: Collection = None,
    source: Source = None,
    type_: Type = None,
    tag: Tag = None,
    since: Since = None,
    until: Until = None,
    lang: Language = None,
    principal: Principal = None,
    as_of: AsOf = None,
    per_document: PerDocument = None,
    operator: Annotated[
        bool, typer.Option("--operator", help="Tell of every document, also of those that the asker may not read.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Tell at which stage a document was lost for a question, or at which rank it was found."""
    filters = filters_of(collection, source, type_, tag, since, until, lang, principal)
    opened = workspace()
    told = find_why(
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
        print_json(why_document(told))
    else:
        _show(told, operator=operator)


def _show(told: Why, *, operator: bool) -> None:
    if told.document:
        out.print(Text.assemble((told.document.uri, "bold"), (f"  {told.document.source}", "dim")), soft_wrap=True)
    style = "bold green" if told.returned else "bold yellow"
    out.print(Text.assemble((f"{'found' if told.returned else f'lost: {told.stage}'}. ", style), told.reason))
    if told.remedy:
        out.print(Text(told.remedy))
    if told.document is None and not operator:
        out.print(Text("Who runs the workspace may add --operator, to be told of every document.", style="dim"))
    if told.chunks:
        _show_chunks(told.chunks)
    out.print(Text(f"\nversion {told.version} · {told.mode} · k {told.k}", style="dim"))


def _show_chunks(chunks: tuple[ChunkOutcome, ...]) -> None:
    legs = list(chunks[0].legs)
    stages = list(dict.fromkeys(name for chunk in chunks for name in chunk.ranks))
    names = {"lexical": "words", "vector": "meaning"}
    table = stage_table("passage", [names.get(leg, leg) for leg in legs], stages, "section")
    for chunk in chunks[:_SHOWN]:
        ranks = [*(_leg(chunk.legs[leg]) for leg in legs), *(number(chunk.ranks.get(stage)) for stage in stages)]
        score = chunk.scores.fused if chunk.scores.rerank is None else chunk.scores.rerank
        cells = [str(chunk.ordinal + 1), *ranks, "–" if score is None else f"{score:.3f}", chunk.stage]
        table.add_row(*map(Text, [*cells, ending(chunk.section)]))
    out.print(table)
    if len(chunks) > _SHOWN:
        out.print(Text(f"and {len(chunks) - _SHOWN} more passages", style="dim"))


def _leg(leg: RetrieverRank) -> str:
    """Return a rank as it is shown, in brackets when it was too low to become a candidate."""
    return "–" if leg.rank is None else f"{leg.rank:,}" if leg.proposed else f"({leg.rank:,})"
