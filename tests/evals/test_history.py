"""The history of evaluations: appended once, readable after a crash, kept when versions go."""

from pathlib import Path

import pytest

from evals.candidate_evaluation import evaluate
from evals.gate.verdict import judge
from evals.report.evaluation_history import read, record
from rag_platform.config.settings import GateSettings
from tests.evals.boards import board
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import document

COUNTS = {"documents": 2, "chunks": 3}
WEIR = document("weir.md", "the weir holds the river back")
QUESTION = {"id": "weir", "question": "weir river", "relevant": [{"uri": "weir.md", "quote": "holds the river"}]}


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "evals" / "history.jsonl"


def _record(path: Path, **fields: object) -> bool:
    scores = board({"a": 1.0, "b": 0.5, "c": 0.0}, **fields)
    return record(path, scores, judge(scores, None, GateSettings()), counts=COUNTS, ledger={"seconds": {"embed": 2.0}})


def test_an_evaluation_is_kept_with_its_interval_verdict_and_costs(path) -> None:
    assert _record(path)
    (entry,) = read(path)
    assert entry["version"] == "v2"
    assert entry["outcome"] == "passed"
    assert entry["counts"] == COUNTS
    assert entry["ledger"] == {"seconds": {"embed": 2.0}}
    low, high = entry["intervals"]["nDCG@10"]
    assert low < entry["means"]["nDCG@10"] == 0.5 < high


def test_the_same_evaluation_is_kept_once_whatever_it_took(path) -> None:
    assert _record(path, means={"nDCG@10": 0.5, "ms_p50": 3.0})
    assert not _record(path, means={"nDCG@10": 0.5, "ms_p50": 4.0})
    assert _record(path, means={"nDCG@10": 0.4})
    assert _record(path, means={"nDCG@10": 0.4}, fingerprint="other questions")
    assert len(read(path)) == 3


def test_a_torn_line_costs_only_itself(path) -> None:
    _record(path)
    path.write_bytes(path.read_bytes() + b'{"version": "v3", "finger')
    assert _record(path, version="v4")
    assert [entry["version"] for entry in read(path)] == ["v2", "v4"]


def test_what_cannot_be_an_evaluation_is_left_out(path) -> None:
    _record(path)
    path.write_bytes(path.read_bytes() + b'[]\n{"version": "v3"}\n\xff\xfe\n')
    assert [entry["version"] for entry in read(path)] == ["v2"]


def test_it_outlives_the_versions_it_tells_of(tmp_path) -> None:
    workspace = SmallWorkspace(tmp_path)
    workspace.questions(QUESTION)
    made = [workspace.publish(WEIR, document("more.md", "more " * count)) for count in (1, 2, 3)]
    assert workspace.versions.gc(1) == [made[0]]
    known = read(tmp_path / "data" / "evals" / "history.jsonl")
    assert [entry["version"] for entry in known] == made
    assert evaluate(workspace, made[2]).verdict.passed


def test_a_live_version_that_was_scored_on_new_questions_is_kept_too(tmp_path) -> None:
    workspace = SmallWorkspace(tmp_path)
    workspace.questions(QUESTION)
    live = workspace.publish(WEIR)
    workspace.questions(QUESTION, QUESTION | {"id": "again"})
    candidate = workspace.build(WEIR, document("more.md", "more"))
    evaluate(workspace, candidate)
    known = read(tmp_path / "data" / "evals" / "history.jsonl")
    assert [(entry["version"], entry["questions"], entry["outcome"]) for entry in known] == [
        (live, 1, "passed"),
        (live, 2, None),
        (candidate, 2, "passed"),
    ]
