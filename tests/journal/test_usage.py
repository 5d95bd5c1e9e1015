"""Questions by day, the slowest, searches, unanswered questions: right, and fast over a hundred thousand receipts."""

import json
import random
import time
from datetime import UTC, datetime, timedelta
from statistics import median

import numpy as np
import pytest

from rag_platform.journal.journal import Journal
from rag_platform.journal.unanswered import UnansweredQuestions, cluster, singletons
from rag_platform.journal.usage import UsageCounter, per_day, slowest
from rag_platform.people.rate_limits import RateLimits

NOW = datetime(2026, 5, 31, 12, tzinfo=UTC)


def ask(journal, rows):
    """Write receipts as (asked_at, question, abstained, took_ms)."""
    made = [
        (f"{place:016x}", at.isoformat(), "user:asha", question, gave_up, json.dumps(took), "An answer. " * 10)
        for place, (at, question, gave_up, took) in enumerate(rows)
    ]
    with journal.writing() as connection:
        connection.executemany(
            "insert into receipts (id, asked_at, principal, question, abstained, took_ms, answer, mode, filters, "
            "version, model, prompt_hash, hits, citations, warnings) "
            "values (?, ?, ?, ?, ?, ?, ?, 'rerank', '{}', 'v1', 'extractive', '', '[]', '[]', '[]')",
            made,
        )


@pytest.fixture(scope="module")
def busy(tmp_path_factory):
    """A journal of a hundred thousand receipts, and what they hold."""
    journal = Journal(tmp_path_factory.mktemp("busy") / "app.sqlite")
    chance = random.Random(0)
    rows = []
    for _ in range(100_000):
        took = {"search": chance.lognormvariate(3, 1), "verify": chance.lognormvariate(2, 1)}
        took["total"] = sum(took.values())
        at = NOW - timedelta(days=chance.random() * 60)
        rows.append((at, f"How about {chance.randrange(300)}?", chance.random() < 0.1, took))
    ask(journal, rows)
    return journal, rows


def quick(function):
    """Return what a function returns, and fail when the second call takes a second of this process's time or longer."""
    function()
    start = time.process_time()  # not of the clock: others may use the machine
    made = function()
    assert time.process_time() - start < 1.0
    return made


def test_days_are_summed_rightly_and_at_once(busy):
    journal, rows = busy
    table = quick(lambda: per_day(journal, 30, NOW))
    assert table["day"].to_list()[-1] == NOW.date() and table.height == 30
    for row in (table.row(7, named=True), table.row(29, named=True)):
        mine = [one for one in rows if one[0].date() == row["day"]]
        totals = sorted(one[3]["total"] for one in mine)
        assert (row["questions"], row["unanswered"]) == (len(mine), sum(one[2] for one in mine))
        assert row["p50_ms"] == pytest.approx(median(totals), rel=0.02)
        assert row["p95_ms"] == pytest.approx(float(np.quantile(totals, 0.95)), rel=0.03)


@pytest.mark.parametrize("stage", ["total", "verify"])
def test_the_slowest_of_a_stage_come_first(busy, stage):
    journal, rows = busy
    found = quick(lambda: slowest(journal, 30, stage, limit=5, now=NOW))
    recent = [one[3][stage] for one in rows if one[0] >= NOW - timedelta(days=30)]
    assert [one.took_ms[stage] for one in found] == sorted(recent, reverse=True)[:5]


def test_no_sum_reads_the_receipts_themselves(busy):
    with busy[0].reading() as connection:
        sql = "select abstained, total_ms from receipts where asked_at >= '2026'"
        plan = " ".join(row["detail"] for row in connection.execute(f"explain query plan {sql}"))
    assert "COVERING INDEX receipts_usage" in plan or "receipts_usage" in plan


def test_a_day_without_questions_is_there_with_zeros(database):
    journal = Journal(database)
    ask(journal, [(NOW, "Why?", True, {"total": 3.0})])
    table = per_day(journal, 3, NOW)
    assert table["questions"].to_list() == [0, 0, 1] and table["p50_ms"].to_list() == [None, None, 3.0]


def test_searches_are_counted_by_the_day_and_by_nothing_else(database):
    journal = Journal(database)
    uses = UsageCounter(journal)
    rates = RateLimits(
        {"searches": 0, "questions": 1},
        counted=lambda kind, cost: uses.count(kind, cost) if kind == "searches" else None,
    )
    for _ in range(3):
        rates.take("searches", "user:asha")
    rates.take("questions", "user:asha")
    assert per_day(journal, 1)["searches"].to_list() == [0], "nothing waits for the disk"
    uses.flush()
    uses.count("searches")
    uses.flush()
    assert per_day(journal, 1)["searches"].to_list() == [4]
    with journal.reading() as connection:
        rows = [tuple(row) for row in connection.execute("select * from uses")]
    assert [row[1:] for row in rows] == [("searches", 4)]


def test_unanswered_questions_are_folded_grouped_and_the_most_asked_come_first(database, embedder):
    journal = Journal(database)
    asked = {
        "Can I bring my dog to the office?": 2,
        "can i bring my dog to the office": 1,
        "Are dogs allowed at work?": 2,
        "At which temperature does tungsten boil?": 3,
        "What is the boiling point of tungsten?": 1,
        "How deep do you plant garlic?": 1,
    }
    rows = [(NOW - timedelta(minutes=1), question, True, {}) for question, times in asked.items() for _ in range(times)]
    ask(journal, [*rows, (NOW, "Is this answered?", False, {}), (NOW - timedelta(days=40), "Is this old?", True, {})])
    unanswered = UnansweredQuestions(lambda: journal, lambda: embedder)
    found = unanswered.asked(30, NOW)
    assert found[0].times == 3 and "Is this answered?" not in {one.question for one in found}
    groups = unanswered.groups(found)
    assert [group.times for group in groups] == [5, 4, 1]
    assert {one.question for one in groups[1].questions} == {
        "At which temperature does tungsten boil?", "What is the boiling point of tungsten?"
    }  # fmt: skip
    assert [group.times for group in singletons(found)] == [3, 3, 2, 1, 1]
    assert unanswered.groups([]) == []


def test_what_is_alike_is_told_relative_to_what_is_not():
    turn = np.array([[1, 0], [0.96, 0.28], [0, 1]])
    assert cluster(turn, 0.0) == [[0, 1], [2]]
    assert cluster(turn, 0.95) == [[0], [1], [2]], "a model for which everything is alike"
