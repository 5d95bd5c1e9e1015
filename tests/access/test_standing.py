"""The table of what sources said last: made step by step it is what one look at the end would make it."""

from dataclasses import dataclass

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as drawn

from rag_platform.access.standing import standing
from rag_platform.core.schemas import ACCESS


@dataclass(frozen=True)
class Said:
    """A document as its source has it at a moment."""

    revision: str
    own: tuple[str, ...]
    private: bool
    owner: str | None

    @property
    def row(self) -> tuple[str, list[str] | None, bool, str | None]:
        return self.revision, list(self.own) or None, self.private, self.owner


said = drawn.builds(
    Said,
    revision=drawn.sampled_from("123"),
    own=drawn.sampled_from([(), ("*",), ("group:crew",), ("user:ilse", "group:board")]),
    private=drawn.booleans(),
    owner=drawn.sampled_from([None, "user:ilse"]),
)
histories = drawn.lists(drawn.dictionaries(drawn.sampled_from("abcdef"), said), max_size=8)
"""What the source holds at each sync: documents come, change, are closed and opened, go and are back."""
NOTHING = pl.DataFrame(schema=ACCESS)


def _noted(now: dict[str, Said], previous: pl.DataFrame) -> pl.DataFrame:
    """Write down what the source says."""
    documents = pl.DataFrame(
        [(doc_id, f"{doc_id}.md", one.revision, one.private, one.owner) for doc_id, one in now.items()],
        schema={"doc_id": pl.String, "raw_uri": pl.String, "revision": pl.String}
        | {"private": pl.Boolean, "owner": pl.String},
        orient="row",
    )
    return standing(documents, {f"{doc_id}.md": one.own for doc_id, one in now.items()}, previous)


def _rows(table: pl.DataFrame) -> dict[str, tuple]:
    assert table.schema == ACCESS and table["doc_id"].is_unique().all() and table["doc_id"].is_sorted()
    return {doc_id: tuple(rest) for doc_id, *rest in table.iter_rows()}


@settings(max_examples=60, deadline=None)
@given(histories)
def test_step_by_step_it_is_what_one_look_at_the_end_makes_it(history: list[dict[str, Said]]) -> None:
    table, last = NOTHING, {}
    for now in history:
        table, last = _noted(now, table), last | now
    held, current = _rows(table), history[-1] if history else {}
    assert {doc_id: held[doc_id] for doc_id in current} == _rows(_noted(current, NOTHING))
    assert held == {doc_id: one.row for doc_id, one in last.items()}, "what has gone stays as it stood last"
