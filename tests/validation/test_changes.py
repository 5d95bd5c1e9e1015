"""A source's state, and what became of its documents."""

import polars as pl

from rag_platform.validation.changes import compare, state_of

ROWS = {"doc_id": ["a", "b", "c"], "revision": ["1", "1", "1"], "status": ["ok", "ok", "failed"]}


def test_a_state_is_that_of_what_is_indexed_in_whatever_order() -> None:
    documents = pl.DataFrame(ROWS)
    assert state_of(documents) == state_of(documents.reverse()) == state_of(documents[:2])
    assert state_of(documents) != state_of(documents[:1])


def test_what_changed_came_and_went_is_counted() -> None:
    before = pl.DataFrame({"doc_id": ["a", "b", "x"], "revision": ["1", "0", "1"]})
    report = compare("desk", before, pl.DataFrame({**ROWS, "status": ["ok"] * 3}))
    assert (report.documents, report.changed, report.new, report.gone) == (3, 1, 1, 1)
    assert report.passed and report.to_dict()["source"] == "desk"
