"""What the last build cost: all that was done for it, and nothing that was done for the one before."""

from pathlib import Path

import pytest

from rag_platform.monitoring.cost_ledger import CostLedger, total


def _record(costs: CostLedger, *stages: str) -> None:
    for stage in stages:
        costs.record(run_id="r", source=None, stage=stage, seconds=1.0, bytes_written=2, counts={"seen": 3})


@pytest.mark.parametrize(
    ("recorded", "counted"),
    [
        ([], []),
        (["fetch", "evaluate"], ["fetch", "evaluate"]),
        (["fetch", "index", "evaluate"], ["fetch", "index", "evaluate"]),
        (["fetch", "index", "evaluate", "fetch", "embed", "index"], ["fetch", "embed", "index"]),
        (["index", "evaluate", "fetch", "index", "evaluate"], ["fetch", "index", "evaluate"]),
    ],
)
def test_the_last_build_is_what_was_done_since_the_one_before(tmp_path: Path, recorded, counted) -> None:
    costs = CostLedger(tmp_path / "ledger.jsonl")
    _record(costs, *recorded)
    assert [entry.stage for entry in costs.last_build()] == counted


def test_a_torn_line_loses_only_itself(tmp_path: Path) -> None:
    costs = CostLedger(tmp_path / "ledger.jsonl")
    _record(costs, "fetch")
    with costs.path.open("a") as file:
        file.write('\n{"at": "2026-')
    _record(costs, "fetch")
    assert total(costs.entries()) == {
        "seconds": {"fetch": 2.0},
        "bytes_written": {"fetch": 4},
        "counts": {"fetch.seen": 6},
    }
