"""The ranks of candidates after each stage, as tables for a terminal of 80 columns."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import out
from rag_platform.retrieval.explain.chunk_outcomes import ChunkOutcome
from rag_platform.retrieval.explain.descriptions import SHORT
from rag_platform.retrieval.explain.retriever_ranks import RetrieverRank

_CANDIDATES, _CHUNKS = 50, 8
"""Maximum rows."""
_NAME = 26
_RETRIEVERS = {"lexical": "words", "vector": "meaning"}


def print_explanation(explanation: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print the first candidates of a search: their rank after each stage, and where they ended."""
    stages = list(dict.fromkeys(name for entry in explanation for name in entry["ranks"]))
    table = _table("rank", [*_RETRIEVERS.values()], stages, "document")
    for entry in explanation[:_CANDIDATES]:
        after = entry["ranks"] if entry["reranked"] else entry["ranks"] | {"reranked": None}
        ranks = [entry["lexical_rank"], entry["vector_rank"], *(after.get(name) for name in stages)]
        cells = [_number(entry["rank"]), *map(_number, ranks), f"{entry['score']:.3f}", _ended(entry)]
        table.add_row(*map(Text, [*cells, _end_of(entry["uri"])]), style="" if entry["hit"] else "dim")
    console.print(table)
    count = f"{len(explanation)} candidates"
    if len(explanation) > _CANDIDATES:
        count += f", the first {_CANDIDATES} are shown"
    console.print(
        Text(f"{count}; each column has the rank that a stage gave. `rag why` explains any document.", style="dim")
    )


def print_chunks(chunks: Sequence[ChunkOutcome]) -> None:
    """Print the first chunks of a document: their rank in each retriever and after each stage, and where they ended."""
    retrievers = list(chunks[0].retrievers)
    stages = list(dict.fromkeys(name for chunk in chunks for name in chunk.outcome.ranks))
    table = _table("passage", [_RETRIEVERS.get(name, name) for name in retrievers], stages, "section")
    for chunk in chunks[:_CHUNKS]:
        ranks = [_retriever_rank(chunk.retrievers[name]) for name in retrievers]
        ranks += [_number(chunk.outcome.ranks.get(stage)) for stage in stages]
        score = chunk.scores.fused if chunk.scores.rerank is None else chunk.scores.rerank
        cells = [str(chunk.ordinal + 1), *ranks, "–" if score is None else f"{score:.3f}", chunk.outcome.stage]
        table.add_row(*map(Text, [*cells, _end_of(chunk.section)]))
    out.print(table)
    if len(chunks) > _CHUNKS:
        out.print(Text(f"and {len(chunks) - _CHUNKS} more passages", style="dim"))


def _table(first: str, retrievers: Sequence[str], stages: Sequence[str], last: str) -> Table:
    """Return an empty table: what is ranked, ranks of retrievers and of stages, score, where it ended, and a name."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for name in (first, *retrievers, *(SHORT.get(stage, stage) for stage in stages), "score"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("ended", no_wrap=True)
    table.add_column(last, no_wrap=True, overflow="ellipsis", max_width=_NAME)
    return table


def _end_of(name: str) -> str:
    """Return a name's end, which says more than its beginning."""
    return name if len(name) <= _NAME else f"…{name[1 - _NAME :]}"


def _number(rank: int | None) -> str:
    return "–" if rank is None else f"{rank:,}"


def _retriever_rank(rank: RetrieverRank) -> str:
    """Return a rank as it is shown, in brackets when it was too low to become a candidate."""
    return f"({rank.rank:,})" if rank.rank and not rank.retrieved else _number(rank.rank)


def _ended(entry: Mapping[str, Any]) -> str:
    return f"hit {entry['hit']}" if entry["returned"] else f"in hit {entry['hit']}" if entry["hit"] else entry["ended"]
