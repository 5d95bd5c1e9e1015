"""`rag eval` of a question set: every mode has the same measures, and lost labels are told."""

import json

import pytest

from evals.commands.evaluation import evaluate_path
from rag_platform.core.errors import NothingPublished
from rag_platform.core.ports import silent
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import document

ROWS = [
    {"id": "weir", "question": "weir", "relevant": [{"uri": "weir.md", "quote": "holds the river"}]},
    {"id": "gone", "question": "tides", "relevant": [{"uri": "tides.md", "quote": "come and go"}]},
]


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "set.jsonl"
    made.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return made


def _evaluate(workspace: SmallWorkspace, path) -> dict:
    return evaluate_path(workspace, path, modes=("lexical", "vector"), split="test", reporter=lambda _stage: silent)


def test_a_question_set_is_scored_on_the_live_version_in_each_mode(tmp_path, path) -> None:
    workspace = SmallWorkspace(tmp_path)
    version = workspace.publish(document("weir.md", "the weir holds the river back"))
    result = json.loads(json.dumps(_evaluate(workspace, path), allow_nan=False))
    lexical, vector = result["modes"]["lexical"], result["modes"]["vector"]
    assert [*lexical] == [*vector]
    assert lexical["nDCG@10"] == 0.5
    # the words of the second question find nothing, so its precision is missing there, and only there
    assert (lexical["id_based_context_precision"], vector["id_based_context_precision"]) == (1.0, 0.5)
    assert (result["version"], result["docs"], result["queries"]) == (version, 1, 2)
    assert result["problems"] == ["gone#1: no document has the uri 'tides.md'"]


def test_without_a_live_version_the_message_says_what_to_run(tmp_path, path) -> None:
    with pytest.raises(NothingPublished, match="rag sync"):
        _evaluate(SmallWorkspace(tmp_path), path)
