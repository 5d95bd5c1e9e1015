"""`rag questions` over a real workspace: propose, list, check, pin, and what the gate makes of it."""

import json
from pathlib import Path

import pytest

from tests.evals.river import write_river
from tests.test_command_line import rag, rag_json

pytestmark = pytest.mark.slow


def _told(home: Path, *arguments: str) -> str:
    """Return what a command that fails says, on one line."""
    return " ".join(rag(home, *arguments, code=1).split())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Path:
    made = write_river(tmp_path_factory.mktemp("questions") / "home")
    assert "run `rag sync` first" in _told(made, "questions", "check")
    assert rag_json(made, "sync")["published"]
    return made


def test_questions_are_proposed_listed_checked_and_pinned(home: Path) -> None:
    made = rag_json(home, "questions", "propose", "--count", "6", "--no-llm")
    assert len(made["questions"]) == 6
    path = home / "questions" / "synthetic.jsonl"
    assert [json.loads(line) for line in path.read_text().splitlines()] == made["questions"]
    assert {row["split"] for row in rag_json(home, "questions", "list")} == {"dev"}
    assert rag_json(home, "questions", "check")["lost"] == []
    pinned = rag_json(home, "questions", "pin")
    assert json.loads((home / "questions" / "floors.json").read_text())["floors"] == pinned["floors"]
    assert pinned["floors"]["nDCG@10"] > 0.3

    own = {"id": "own", "question": "Who paid?", "relevant": [{"uri": "budget.md", "quote": "no such words here"}]}
    (home / "questions" / "own.jsonl").write_text(json.dumps(own) + "\n")
    told = rag_json(home, "questions", "check", code=1)
    assert told["lost"] == ["own#1: 'budget.md' does not hold the words 'no such words here'"]
    assert "--allow-regression" in _told(home, "questions", "pin")
    (home / "notes" / "new.md").write_text("# New\n\nThe harbour has a new crane that lifts two tons.\n")
    reasons = " ".join(rag_json(home, "sync", code=3)["gate"]["reasons"])
    assert "The pinned floors are of other questions" in reasons
    assert "`rag questions pin`" in reasons

    with path.open("a") as file:
        file.write(json.dumps(own | {"id": "mine"}) + "\n")
    assert "holds questions of your own, first: 'mine'" in _told(home, "questions", "propose")
    assert "--llm: no language model is set" in _told(home, "questions", "propose", "--llm")
