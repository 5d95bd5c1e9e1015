"""What is kept of each run, what is learnt from it, and what is told of drift."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from rag_platform.text.shingles import signature
from rag_platform.validation.drift import drift
from rag_platform.validation.learned_limits import allowed_share
from rag_platform.validation.past import Past
from rag_platform.validation.source_statistics import describe
from rag_platform.validation.statistics_record import Run, StatisticsRecord
from tests.validation.sources import DAY, article, judged, names, row, table
from tests.validation.test_changes import ACCIDENTS, LIVE, now

CALM = {"documents": 40, "characters": 900.0, "dated": 1.0, "languages": {"en": 1.0}, "types": {"html": 1.0}}


def a_run(number: int, **changes) -> Run:
    made = Run(DAY + timedelta(hours=number), "works", f"r{number}", f"s{number}", 3, {"shorter": 0.05}, "[]", CALM)
    return replace(made, **changes)


def test_statistics_tell_numbers_and_no_words() -> None:
    rows = [row(number, signature=signature(article(number)), flags=[]) for number in range(12)]
    rows[0] |= {"language": "fi", "published_at": None, "updated_at": None}
    found = describe(table([*rows, row(20, status="failed", text="")]))
    assert (found["documents"], found["failed"], found["duplicates"]) == (12, 1, 0.0)
    assert found["languages"] == {"en": 0.9167, "fi": 0.0833} and found["dated"] == 0.9167
    assert found["characters_low"] < found["characters"] < found["characters_high"]
    assert found["newest"] == DAY.isoformat() and found["parts"] > 1
    assert describe(table([])) == {"documents": 0, "failed": 0, "excluded": 0, "repeated": 0}


def test_runs_long_ago_are_thinned_out_to_the_last_of_each_day(tmp_path: Path) -> None:
    record = StatisticsRecord(tmp_path / "statistics.sqlite")
    assert record.runs("works") == [] and record.readers("works") is None
    for number in range(150):
        record.add(a_run(number))
    record.add(a_run(0, source="desk"))
    runs = record.runs("works")
    assert runs[0] == a_run(149) and [run.source for run in record.runs("desk")] == ["desk"]
    assert len(runs) == 102 and [run.at.hour for run in runs[-2:]] == [23, 23], "two whole days and the newest hundred"


def test_only_what_was_published_is_learnt(tmp_path: Path) -> None:
    record = StatisticsRecord(tmp_path / "statistics.sqlite")
    for number in range(4):
        record.add(a_run(number, changed=number))
    record.note_published("works", "s0")
    record.note_published("works", "s2")
    assert [run.state for run in record.learnt("works")] == ["s2"], "s0 changed nothing"
    assert record.readers("works") == "[]"


@pytest.mark.parametrize(
    ("past", "documents", "allowed"),
    [
        ([0.9] * 9, 100, 0.2),  # too few runs
        ([0.0] * 20, 100, 0.1),  # quiet: half
        ([0.0] * 20, 25, 0.16),  # never fewer than four documents
        ([0.0] * 20, 12, 0.2),
        ([0.3] * 20, 100, pytest.approx(0.3 + 3 * 0.0458, abs=0.001)),
        ([0.9] * 20, 10, 1.0),
    ],
)
def test_a_history_says_how_much_is_normal(past: list[float], documents: int, allowed: float) -> None:
    assert allowed_share(0.2, past, documents) == allowed


def test_a_source_that_always_does_so_may_go_on_doing_it() -> None:
    shorter = now(5, **ACCIDENTS["shorter"])
    assert "shorter" in names(judged(LIVE, shorter))
    used = Past(runs=12, shares={"shorter": [0.4] * 12, "structure": [0.4] * 12})
    assert judged(LIVE, shorter, used).passed
    quiet = [row(number) for number in range(60)]
    few = [row(number, **{k: v(number) for k, v in ACCIDENTS["shorter"].items()}) for number in range(8)]
    assert judged(quiet, [*few, *quiet[8:]]).passed and names(judged(quiet, [*few, *quiet[8:]], Past(runs=12))) == [
        "shorter"
    ]


def test_drift_is_told_against_the_older_half() -> None:
    calm = [a_run(number) for number in range(20, 0, -1)]
    assert drift(calm, change=0.5, shift=0.2) == [] and drift(calm[:5], change=0.5, shift=0.2) == []
    halved = replace(
        calm[0], statistics=CALM | {"characters": 300.0, "languages": {"en": 0.5, "fi": 0.5}, "dated": 0.3}
    )
    assert drift([halved, *calm[1:]], change=0.5, shift=0.2) == [
        "the length of the middle document in characters is 300; until 2026-05-04 it was 900",
        "the share of documents with a date is 0.3; until 2026-05-04 it was 1",
        "the share of the language en is 50%; until 2026-05-04 it was 100%",
        "the share of the language fi is 50%; until 2026-05-04 it was 0%",
    ]
