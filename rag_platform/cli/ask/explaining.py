"""How a search's candidates came to their places, as a table for a terminal of 80 columns."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import out
from rag_platform.retrieval.explain.sentences import SHORT

_SHOWN = 50
_NAME = 26


def show_explanation(explanation: Sequence[dict]) -> None:
    """Print a table of the first candidates: their rank in each stage, and where they ended."""
    stages = list(dict.fromkeys(name for entry in explanation for name in entry["ranks"]))
    table = stage_table("rank", ("words", "meaning"), stages, "document")
    for entry in explanation[:_SHOWN]:
        seen = entry["ranks"] if entry["reranked"] else entry["ranks"] | {"reranked": None}
        ranks = [entry["lexical_rank"], entry["vector_rank"], *(seen.get(name) for name in stages)]
        style = "" if entry["hit"] else "dim"
        cells = [
            number(entry["rank"]),
            *map(number, ranks),
            f"{entry['score']:.3f}",
            _ended(entry),
            ending(entry["uri"]),
        ]
        table.add_row(*(Text(cell) for cell in cells), style=style)
    out.print(table)
    more = len(explanation) - _SHOWN
    told = f"{len(explanation)} candidates" + (f", the first {_SHOWN} are shown" if more > 0 else "")
    out.print(
        Text(f"{told}; each column has the rank that a stage gave. `rag why` tells of any document.", style="dim")
    )


def stage_table(first: str, legs: Sequence[str], stages: Sequence[str], last: str) -> Table:
    """Return an empty table: what is ranked, ranks of the legs and of the stages, score, where it ended, and a name."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for name in (first, *legs, *(SHORT.get(stage, stage) for stage in stages), "score"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("ended", no_wrap=True)
    table.add_column(last, no_wrap=True, overflow="ellipsis", max_width=_NAME)
    return table


def ending(name: str) -> str:
    """Return a name's end, which tells more than its beginning."""
    return name if len(name) <= _NAME else f"…{name[1 - _NAME :]}"


def number(rank: int | None) -> str:
    """Return a rank as it is shown."""
    return "–" if rank is None else f"{rank:,}"


def _ended(entry: dict) -> str:
    return f"hit {entry['hit']}" if entry["returned"] else f"in hit {entry['hit']}" if entry["hit"] else entry["ended"]
