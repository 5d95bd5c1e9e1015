"""The audit notices what is changed, lets go what must be forgotten, and costs next to nothing."""

import json
import sqlite3
import statistics
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rag_platform.audit.audit_log import AuditLog, erasing
from rag_platform.config.sections.operations import AuditSettings


def opened(tmp_path: Path, **settings) -> AuditLog:
    return AuditLog(tmp_path / "audit.sqlite", AuditSettings(**settings), lambda: ("ilse", "cli"))


def filled(tmp_path: Path, count: int = 5, **settings) -> AuditLog:
    audit = opened(tmp_path, **settings)
    for number in range(count):
        shown = {"hits": [{"doc_id": f"d{number % 2}", "chunk_id": f"c{number}"}]}
        audit.record("search", f"user:{number % 2}", ("group:x",), question=f"question {number}", shown=shown)
    return audit


def changed(tmp_path: Path, *statements: str) -> None:
    with sqlite3.connect(tmp_path / "audit.sqlite") as connection:
        for statement in statements:
            connection.execute(statement)


def test_events_are_found_by_who_when_and_document(tmp_path: Path) -> None:
    audit = filled(tmp_path)
    assert [event.seq for event in audit.events(limit=2)] == [5, 4]
    assert [event.seq for event in audit.events(who="user:1")] == [4, 2]
    assert [event.seq for event in audit.events(doc_id="d0", who="group:x")] == [5, 3, 1]
    assert audit.events(since=datetime.now(UTC) + timedelta(minutes=1)) == []
    assert len(audit.events(until=datetime.now(UTC) + timedelta(minutes=1))) == 5
    first = audit.events()[-1]
    assert (first.who["name"], first.who["interface"], first.question) == ("user:0", "cli", "question 0")


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("update events set version = 'v9' where seq = 3", "event 3 was changed"),
        ("update events set parts = replace(parts, 'question 2', 'question 9') where seq = 3", "question of event 3"),
        ("update events set parts = '{}' where seq = 3", "parts of event 3 .* without an erasure"),
        ("delete from events where seq = 3", "events 3 to 3 are missing"),
        ("delete from events where seq < 3", "events 1 to 2 are missing"),
        ("update events set at = '2001' where seq = 5", "event 5 was changed"),
    ],
)
def test_tampering_is_noticed(tmp_path: Path, statement: str, problem: str) -> None:
    audit = filled(tmp_path)
    assert audit.verify().problems == ()
    changed(tmp_path, statement)
    with pytest.raises(AssertionError, match=problem):
        assert not audit.verify().problems


def test_what_is_cut_off_is_noticed_by_a_noted_head(tmp_path: Path) -> None:
    audit = filled(tmp_path)
    head = audit.verify().head
    audit.record("search", None, question="one more")
    assert audit.verify(head).problems == ()
    changed(tmp_path, "delete from events where seq >= 5")
    assert audit.verify().problems == () and "cut off" in audit.verify(head).problems[0]


def test_a_person_and_a_document_are_erased_and_the_chain_holds(tmp_path: Path) -> None:
    audit = filled(tmp_path)
    assert audit.erase(erasing(frozenset(), "user:1", lambda _: False)) == 2
    assert audit.erase(erasing(frozenset({"d0"}), None, lambda text: "9" in text)) == 3
    found = audit.verify()
    assert (found.problems, found.erased) == ((), 5)
    everything = (tmp_path / "audit.sqlite").read_bytes()
    assert b"user:1" not in everything and b"question" not in b"".join(
        part for event in audit.events() for part in [json.dumps(event.question).encode()]
    )
    assert b"question 1" not in everything and b"question 0" not in everything
    changed(tmp_path, "update events set parts = '{}' where seq = 1")
    assert "without an erasure" in audit.verify().problems[0]


def test_old_events_go_and_the_rest_can_be_checked(tmp_path: Path) -> None:
    audit = filled(tmp_path, 199, keep_days=1)
    with sqlite3.connect(tmp_path / "audit.sqlite") as connection:  # as if 150 of them were of last year
        connection.execute("update events set at = '2001-01-01' where seq <= 150")
    audit.record("search", None, question="the two hundredth")
    found = audit.verify()
    assert (found.events, found.first, found.dropped) == (50, 151, 150) and found.problems == ()
    changed(tmp_path, "delete from events")
    audit.record("search", None)
    assert audit.events()[0].seq == 151


@pytest.mark.parametrize(
    ("texts", "recorded"), [("hash", "sha256:" + "a" * 0), ("off", None), ("on", "question 0")], ids=str
)
def test_questions_are_recorded_as_set(tmp_path: Path, texts: str, recorded: str | None) -> None:
    (event,) = filled(tmp_path, 1, texts=texts).events()
    assert event.question is None if recorded is None else event.question.startswith(recorded)
    assert texts == "on" or b"question 0" not in (tmp_path / "audit.sqlite").read_bytes()


def test_nothing_is_recorded_when_it_is_off(tmp_path: Path) -> None:
    assert filled(tmp_path, 1, record=False).events() == [] and not (tmp_path / "audit.sqlite").exists()


def test_what_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "audit.sqlite").mkdir()
    assert "not written to the audit" in opened(tmp_path).record("search", None, question="q")


def test_an_event_costs_little(tmp_path: Path) -> None:
    audit, took = filled(tmp_path), []
    hits = [
        {"doc_id": f"{n:016x}", "chunk_id": f"{n:016x}", "revision": "r" * 64, "raw_sha256": "a" * 64}
        for n in range(10)
    ]
    for _ in range(200):
        began = time.thread_time()
        audit.record("search", "user:ilse", ("user:ilse", "group:x"), question="When?", shown={"hits": hits})
        took.append(time.thread_time() - began)
    assert statistics.median(took) < 0.003  # of processor time, also where the machine is busy
