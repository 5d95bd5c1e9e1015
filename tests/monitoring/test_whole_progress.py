"""A sync has one progress, from its first stage to its last, and one time that it still takes."""

from itertools import pairwise

import pytest

from rag_platform.config.settings_file import load_settings
from rag_platform.monitoring.cost_ledger import CostLedger, Entry
from rag_platform.monitoring.progress import ProgressNotes, Running, running_stages
from rag_platform.monitoring.whole_progress import OF_A_SOURCE, OF_ALL, STAGES, TYPICAL, weights, whole_progress
from rag_platform.operations.runs import follow
from rag_platform.workspace import Workspace

SOURCES, HUNDRED = ("news", "wiki"), 100.0


def sync_of_hundred_seconds():
    """Yield each quarter of each stage of a sync of two sources that takes as long as its stages weigh."""
    began = 0.0
    stages = [(stage, one, TYPICAL[stage] / 2) for one in SOURCES for stage in OF_A_SOURCE]
    stages += [(stage, None, TYPICAL[stage]) for stage in OF_ALL]
    for stage, source, part in stages:
        takes = HUNDRED * part
        for quarter in (1, 2, 3, 4):
            gone = takes * quarter / 4
            yield Running(1, stage, source, quarter, 4, gone, 1.0, takes - gone, of=SOURCES, since=began + gone)
        began += takes


def test_it_never_goes_back_and_tells_the_time_that_is_left():
    seen = [(one.since, whole_progress(one)) for one in sync_of_hundred_seconds()]
    assert all(before.share < after.share + 1e-9 for (_, before), (_, after) in pairwise(seen))
    assert seen[-1][1].share == pytest.approx(1.0)
    for since, whole in seen:
        assert whole.share == pytest.approx(since / HUNDRED) and whole.remaining == pytest.approx(HUNDRED - since)


def test_a_slow_machine_takes_longer_for_what_follows_too():
    half = Running(1, "embed", "news", 50, 100, 60.0, 1.0, 60.0)
    whole = whole_progress(half)  # of a process of its own: nothing is known of what was before
    follows = sum(TYPICAL[stage] for stage in OF_ALL)
    assert whole.remaining == pytest.approx(60.0 + 120.0 / TYPICAL["embed"] * follows)


def test_where_nothing_is_counted_nothing_is_promised():
    assert whole_progress(Running(1, "sync", None, 0, None, 1.0, None, None, of=SOURCES)) is None
    begun = whole_progress(Running(1, "embed", "wiki", 0, None, 1.0, None, None, of=SOURCES))
    assert begun.remaining is None
    assert begun.share == pytest.approx(0.78 / 2 + 0.12 / 2)


def test_what_a_workspace_did_itself_counts_more_than_what_is_typical():
    entries = [Entry("", "r", "wiki", "fetch", 900.0, 0, {}), Entry("", "r", None, "scrub", 9e9, 0, {})]
    parts = weights(entries)
    assert sum(parts.values()) == pytest.approx(1.0) and parts["fetch"] > 0.9 and set(parts) == set(STAGES)
    assert weights([]) == pytest.approx(TYPICAL)


def test_the_newest_lines_of_a_long_ledger_are_read_alone(tmp_path):
    ledger = CostLedger(tmp_path / "ledger.jsonl")
    assert ledger.newest() == []
    for number in range(50):
        ledger.record(run_id=str(number), source=None, stage="fetch", seconds=1.0, bytes_written=0, counts={})
    assert [one.run_id for one in ledger.newest(400)] == ["48", "49"]


def test_a_source_whose_turn_has_not_come_is_told_how_far_the_whole_sync_is(tmp_path):
    (tmp_path / "rag.toml").write_text(
        "".join(f'[[sources]]\nid = "{one}"\nkind = "folder"\npath = "{one}"\n' for one in SOURCES)
    )
    workspace = Workspace(load_settings(tmp_path))
    notes = ProgressNotes(workspace.settings.data / "progress")
    with notes.running("sync", of=SOURCES), notes.running("embed", "news") as report:
        report(1, 2)
        [one] = running_stages(workspace.settings.data / "progress")
        assert one.since is not None
        whole = follow(workspace, "wiki").whole
        assert whole.share == pytest.approx(sum(TYPICAL[stage] for stage in ("fetch", "extract", "chunk")) / 2)
