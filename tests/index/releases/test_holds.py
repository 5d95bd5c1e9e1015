"""Held sources: the first moment stays, an end is told, and a leave is for one state alone."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from rag_platform.index.releases.holds import Hold, Holds

MONDAY, TUESDAY = datetime(2026, 11, 2, tzinfo=UTC), datetime(2026, 11, 3, tzinfo=UTC)


@pytest.fixture
def holds(tmp_path: Path) -> Holds:
    return Holds(tmp_path / "holds.sqlite")


def bad(state: str, since: datetime, why: str = "12 of 12 documents say the same") -> Hold:
    return Hold("desk", "change", why, since, state, run_id="run-1", about={"changed": 12})


def test_a_workspace_without_holds_has_no_file(holds: Holds) -> None:
    assert (holds.active(), holds.history(), holds.permitted("desk", "a")) == ({}, [], False)
    holds.end("desk", why="it was never held")
    assert not holds.path.exists()


def test_a_source_is_held_since_it_first_was(holds: Holds) -> None:
    holds.hold(bad("a", MONDAY))
    again = holds.hold(bad("b", TUESDAY))
    assert (again.since, again.state, again.about) == (MONDAY, "b", {"changed": 12})
    assert Holds(holds.path).active() == {"desk": again}
    holds.end("desk", why="its newest state is good", run_id="run-3")
    assert holds.active() == {}
    assert holds.hold(bad("c", TUESDAY)).since == TUESDAY
    assert [event.action for event in holds.history("desk")] == ["held", "ended", "held", "held"]


def test_the_same_hold_said_again_is_no_news(holds: Holds) -> None:
    holds.hold(bad("a", MONDAY))
    holds.hold(bad("a", TUESDAY))
    assert len(holds.history()) == 1 and holds.history("news") == []


def test_leave_is_for_one_state(holds: Holds) -> None:
    holds.permit("desk", "a", who="ada", why="the office has moved")
    assert holds.permitted("desk", "a") and not holds.permitted("desk", "b") and not holds.permitted("news", "a")
    assert (holds.history()[0].who, holds.history()[0].why) == ("ada", "the office has moved")
