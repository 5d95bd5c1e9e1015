"""What an evaluation remembers: it saves work, and the scores are those of an evaluation that remembers nothing."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from evals.candidate_evaluation import evaluate, score_version
from evals.gate.verdict import Evidence, judge
from evals.measures import evaluation_memo
from evals.measures.evaluation_memo import EvaluationMemo
from evals.measures.scoring import Scores
from evals.questions.sets import workspace_questions
from rag_platform.config.settings_file import load_settings
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace

SUBJECTS = ("river", "harbour", "library", "tram", "orchard", "observatory")


def _text(subject: str, edits: int = 0) -> str:
    said = [f"# The {subject}", f"The {subject} opens at {len(subject)} in the morning, all year round."]
    said += [f"Of the {subject} a visitor wrote in {1900 + edit}: it was worth the long way." for edit in range(edits)]
    return "\n\n".join([*said, f"Whoever looks after the {subject} is paid by the town."])


def _write(home: Path, subject: str, edits: int = 0) -> None:
    path = home / "docs" / f"{subject}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(_text(subject, edits))


def _question(subject: str) -> dict[str, object]:
    relevant = {"uri": f"{subject}.md", "quote": f"The {subject} opens at {len(subject)} in the morning"}
    asked = f"When does the {subject} open in the morning?"
    return {"id": subject, "question": asked, "relevant": [relevant], "answer": f"at {len(subject)} in the morning"}


@pytest.fixture
def home(tmp_path, tiny_model_folder):
    """Return a workspace with a document and a question for each subject."""
    settings = f'[model]\nname = "tiny"\nfolder = "{tiny_model_folder}"\n[gate]\nsynthetic = 0\n[answer]\nsources = 8\n'
    settings += "[retrieval]\nrerank_margin = 1.0\n"  # every passage is looked at for every question
    source = '[[sources]]\nid = "town"\nkind = "folder"\npath = "docs"\nmin_words = 0\n'
    (tmp_path / "rag.toml").write_text(settings + source)
    for subject in SUBJECTS:
        _write(tmp_path, subject)
    (tmp_path / "questions").mkdir()
    rows = [*map(_question, SUBJECTS), {"id": "no", "question": "Who won the chess prize?", "answerable": False}]
    (tmp_path / "questions" / "town.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def _build(home: Path) -> tuple[Workspace, str]:
    """Build a version of what the folder holds, in a workspace that was just opened."""
    workspace = Workspace(load_settings(home))
    pipeline = Pipeline(workspace)
    for stage in (pipeline.fetch, pipeline.extract, pipeline.chunk, pipeline.embed):
        stage("town")
    return workspace, pipeline.build().version


def _score(workspace: Workspace, version: str, memo: EvaluationMemo) -> Scores:
    return score_version(workspace, version, workspace_questions(workspace), memo=memo)


def _said(scores: Scores) -> dict[str, object]:
    """Return all that an evaluation found, but how long a search took."""
    untimed = {name: value for name, value in scores.means.items() if not name.startswith("ms_")}
    rows = [{name: value for name, value in row.items() if name != "ms"} for row in scores.to_dict()["questions"]]
    return scores.to_dict() | {"questions": rows, "means": untimed}


@pytest.mark.parametrize("seed", range(2))
def test_scores_and_verdict_are_those_of_an_evaluation_that_remembers_nothing(home, tmp_path, seed):
    chance, memo, live = random.Random(seed), EvaluationMemo(tmp_path / "memo"), None
    for _ in range(3):
        for subject in chance.sample(SUBJECTS, chance.randint(1, 3)):
            _write(home, subject, edits=chance.randint(0, 4))
        workspace, version = _build(home)
        kept = _score(workspace, version, memo)
        memo.save()
        memo = EvaluationMemo(tmp_path / "memo")
        anew = _score(Workspace(load_settings(home)), version, EvaluationMemo(tmp_path / "none"))
        assert _said(kept) == _said(anew)
        gate = workspace.settings.gate
        verdicts = [judge(one, live, gate, Evidence()).to_dict() | {"judged_at": None} for one in (kept, anew)]
        assert verdicts[0] == verdicts[1]
        live = kept


def _passages_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note every text but a question whose tokens a model reads."""
    read: list[str] = []
    original = OnnxEmbedder.embed_tokens

    def noting(self: OnnxEmbedder, texts):
        read.extend(text for text in texts if not text.endswith("?"))
        return original(self, texts)

    monkeypatch.setattr(OnnxEmbedder, "embed_tokens", noting)
    return read


def test_after_an_edit_only_passages_of_that_document_are_read(home, monkeypatch):
    monkeypatch.setenv("RAG_INDEX__TOKEN_BITS", "0")  # of stored tokens nothing is read at all
    workspace, version = _build(home)
    evaluate(workspace, version)
    workspace.versions.promote(version, why="test")
    _write(home, "tram", edits=2)
    workspace, version = _build(home)
    read = _passages_read(monkeypatch)
    evaluate(workspace, version)
    assert read
    assert [text for text in read if "tram" not in text] == []


def test_a_memo_may_be_removed_or_damaged(home, tmp_path):
    workspace, version = _build(home)
    memo = EvaluationMemo(tmp_path / "memo")
    memo.put("key", np.ones((2, 3), np.float32), 5.0)
    memo.save()
    content = (tmp_path / "memo").read_bytes()
    for damaged in (b"", content[:-1], content[:-20] + bytes([content[-20] ^ 1]) + content[-19:]):
        (tmp_path / "memo").write_bytes(damaged)
        assert EvaluationMemo(tmp_path / "memo").get("key") is None
    (tmp_path / "memo").unlink()
    assert EvaluationMemo(tmp_path / "memo").get("key") is None
    assert _score(workspace, version, EvaluationMemo(tmp_path / "memo")).questions.height == len(SUBJECTS) + 1


def test_a_result_comes_back_as_it_was_with_what_it_took(tmp_path):
    memo = EvaluationMemo(tmp_path / "memo")
    memo.put("key", np.array([[0.1, np.nan], [2.0, -3.0]], np.float32), 5.0)
    memo.save()
    again = EvaluationMemo(tmp_path / "memo")
    found = again.get("key")
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, np.array([[0.1, np.nan], [2.0, -3.0]], np.float32))
    assert again.saved_ms == 5.0


def test_what_other_code_computed_is_not_returned(tmp_path, monkeypatch):
    memo = EvaluationMemo(tmp_path / "memo")
    memo.put("key", np.ones(1), 0.0)
    memo.save()
    monkeypatch.setattr(evaluation_memo, "_COMPUTED_BY", ())
    monkeypatch.setattr(evaluation_memo, "_code_version", evaluation_memo._code_version.__wrapped__)  # another process
    assert EvaluationMemo(tmp_path / "memo").get("key") is None


def test_what_no_evaluation_asks_for_goes_after_a_while(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluation_memo, "_KEPT", 2)
    memo = EvaluationMemo(tmp_path / "memo")
    memo.put("asked", np.ones(1), 0.0)
    memo.put("forgotten", np.ones(1), 0.0)
    for _ in range(3):
        memo.save()
        memo = EvaluationMemo(tmp_path / "memo")
        assert memo.get("asked") is not None
    assert memo.get("forgotten") is None
