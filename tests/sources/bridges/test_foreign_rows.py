"""Rows of other libraries as documents: who may read them."""

import pytest

from rag_platform.config.source_kinds import settings_of
from rag_platform.core.errors import SourceError
from rag_platform.sources.bridges.foreign_rows import ForeignRows


def rows(**given):
    return ForeignRows(
        settings_of({"id": "wiki", "kind": "llamahub", "reader": "x", "principals": ["group:all"], **given})
    )


@pytest.mark.parametrize(
    ("row", "readers"),
    [
        ({"team": "desk", "acl": {"users": ["ann", "bo"]}}, ["group:desk", "user:ann", "user:bo"]),
        ({"team": "desk", "acl": {}}, ["group:desk"]),
        ({"team": "", "acl": None}, ["private"]),
        ({}, ["private"]),
    ],
)
def test_a_row_names_its_readers_or_is_read_by_nobody(row, readers):
    made = rows(readers=["group:{team}", "user:{acl.users}"]).item({"text": "a", **row}, "1")
    assert made.metadata["principals"] == readers


def test_other_readers_are_another_state_of_the_row():
    read = rows(readers=["group:{team}"])
    marks = {read.item({"text": "a", "team": team}, "1").fingerprint for team in ("desk", "board", "desk")}
    assert len(marks) == 2


def test_a_column_that_no_row_has_closes_nothing_unnoticed():
    read = rows(readers=["group:{tema}"])
    read.item({"text": "a", "team": "desk"}, "1")
    with pytest.raises(SourceError, match="no row has a value in tema; the columns are text, team"):
        read.refuse_unknown_columns()


def test_without_readers_those_of_the_source_read_it():
    assert "principals" not in rows().item({"text": "a", "team": "desk"}, "1").metadata
