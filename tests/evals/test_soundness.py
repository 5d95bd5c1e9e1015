"""What is known of a version without questions, and what decides beside the metric: splits, moments, other measures."""

from datetime import UTC, datetime
from types import SimpleNamespace

import numpy as np
import pytest

from evals.candidate_evaluation import evaluate
from evals.gate.verdict import judge
from evals.measures.integrity import (
    emptied_sources,
    mismatched_vectors,
    outdated_sources,
    overdue_sources,
    paired_latency,
)
from evals.questions.question import Question, load_questions
from rag_platform.config.settings import GateSettings, Settings
from rag_platform.core.errors import QuestionSetError
from rag_platform.core.ports import silent
from rag_platform.index.build import segment_plan
from rag_platform.sources.files.folder import FolderSource
from tests.evals.boards import board
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import WordEmbedder, document


def _manifest(day: int, documents: int = 5, seen: int | None = 1) -> dict:
    moment = datetime(2026, 5, day, tzinfo=UTC).isoformat()
    last_seen = datetime(2026, 4, seen, tzinfo=UTC).isoformat() if seen else None
    return {"created_at": moment, "sources": {"news": {"documents": documents, "last_seen": last_seen}}}


def test_vectors_that_are_not_of_their_texts_are_noticed(tmp_path) -> None:
    workspace = SmallWorkspace(tmp_path)
    rows = [document(f"{number}.md", f"word{number} stands alone{number}") for number in range(8)]
    version = workspace.versions.open(workspace.build(*rows))
    assert [*mismatched_vectors(version, lambda _: WordEmbedder())] == []

    class Shuffling(WordEmbedder):
        def embed_query(self, text: str) -> np.ndarray:
            return np.roll(super().embed_query(text), 7)

    (problem,) = mismatched_vectors(version, lambda _: Shuffling())
    assert problem.startswith("8 of 8 vectors, sampled, are not those of their texts")


def test_most_vectors_that_are_embedded_again_are_new_and_a_few_are_not(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(segment_plan, "SMALL", 0)
    workspace = SmallWorkspace(tmp_path)
    rows = [document(f"{number}.md", f"word{number} stands alone{number}") for number in range(60)]
    new = [document(f"new{number}.md", f"fresh{number} stands beside{number}") for number in range(20)]
    workspace.versions.promote(workspace.build(*rows), "test")
    version = workspace.build(*rows, *new)
    texts: list[str] = []

    class Noting(WordEmbedder):
        def embed_passages(self, given, progress=silent):
            texts.extend(given)
            return super().embed_passages(given, progress)

    assert [*mismatched_vectors(workspace.versions.open(version), lambda _: Noting())] == []
    fresh = sum("fresh" in text for text in texts)
    assert (6 <= fresh <= 8) and (3 <= len(texts) - fresh <= 4)

    class Changed(WordEmbedder):
        """A model that gives other vectors since what is shared was made."""

        def embed_query(self, text: str) -> np.ndarray:
            return np.roll(super().embed_query(text), 0 if "fresh" in text else 7)

    (problem,) = mismatched_vectors(workspace.versions.open(version), lambda _: Changed())
    assert problem.startswith(f"{len(texts) - fresh} of {len(texts)} vectors")


def test_an_older_state_of_a_source_is_refused_unless_the_version_itself_is_older() -> None:
    assert [*outdated_sources(_manifest(2, seen=3), _manifest(1, seen=3))] == []
    ((source, told),) = outdated_sources(_manifest(2, seen=2), _manifest(1, seen=3))
    assert source == "news"
    assert "holds source 'news' as of 2026-04-02T00:00, older than the live" in told
    assert [*outdated_sources(_manifest(1, seen=2), _manifest(2, seen=3))] == []


def test_an_emptied_source_is_refused_and_a_late_one_told() -> None:
    ((source, told),) = emptied_sources(_manifest(2, documents=0), _manifest(1))
    assert source == "news"
    assert told.startswith("Source 'news' is empty: the live version has 5 documents of it.")
    assert [*emptied_sources(_manifest(2, documents=1), _manifest(1))] == []
    settings = Settings(sources=(FolderSource(id="news", kind="folder", path=".", fresh_within_hours=24),))
    (late,) = overdue_sources(_manifest(2), settings, datetime(2026, 4, 3, tzinfo=UTC))
    assert late == "Source 'news' is late: 48 hours old, 24 allowed."
    assert [*overdue_sources(_manifest(2), settings, datetime(2026, 4, 1, 20, tzinfo=UTC))] == []


def test_both_versions_are_timed_on_the_same_questions() -> None:
    asked = []

    def retriever(name: str) -> SimpleNamespace:
        return SimpleNamespace(search=lambda question, **_: asked.append((name, question)))

    questions = [Question(str(number), f"q{number}") for number in range(30)]
    times = paired_latency(retriever("new"), retriever("old"), questions)
    assert set(times) == {"candidate_p95", "live_p95", "ratio"}
    assert asked[:2] == [("new", "q0"), ("old", "q0")]
    assert len(asked) == 8 * 2 * 3
    assert paired_latency(retriever("new"), retriever("old"), ()) is None


@pytest.mark.parametrize(("lost", "passed"), [(7, True), (8, False)])
def test_a_secondary_measure_must_be_clearly_worse(lost, passed) -> None:
    live = board({f"q{number}": 1.0 for number in range(20)}, metric="answered", version="v1")
    values = {f"q{number}": float(number >= lost) for number in range(20)}
    verdict = judge(board(values, metric="answered"), live, GateSettings())
    assert verdict.passed is passed
    if not passed:
        assert verdict.secondary[0].metric == "answered"
        assert verdict.reasons[0].startswith("answered fell from 1.000 to 0.600")


def test_questions_for_tuning_decide_nothing_and_are_reported(tmp_path) -> None:
    workspace = SmallWorkspace(tmp_path)
    rows = [
        {
            "id": name,
            "question": name,
            "relevant": [{"uri": f"{name}.md", "quote": f"the {name} stands"}],
            "split": split,
        }
        for name, split in (("weir", "dev"), ("ferry", "train"))
    ]
    workspace.questions(*rows)
    weir, ferry = document("weir.md", "the weir stands here"), document("ferry.md", "the ferry stands here")
    workspace.publish(weir, ferry)
    made = evaluate(workspace, workspace.build(weir, ferry | {"text": "menu", "revision": "menu"}))
    assert made.verdict.passed
    assert (made.scores.means["nDCG@10"], made.scores.train["nDCG@10"]) == (1.0, 0.0)


def test_a_question_of_the_past_sees_what_was_published_by_then(tmp_path) -> None:
    workspace = SmallWorkspace(tmp_path)
    old = document("old.md", "the mayor is Alder", published_at=datetime(2025, 1, 1, tzinfo=UTC))
    new = document("new.md", "the mayor is Birch", published_at=datetime(2026, 1, 1, tzinfo=UTC))
    row = {"id": "q", "question": "mayor", "relevant": [{"uri": "old.md", "quote": "mayor is Alder"}]}
    workspace.questions(row | {"as_of": "2025-06-01"})
    made = evaluate(workspace, workspace.build(old, new))
    assert [len(hits) for hits in made.scores.questions["hits"]] == [1]
    assert made.scores.means["nDCG@10"] == 1.0


def test_a_large_set_is_split_by_ids_and_a_small_one_is_not(tmp_path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text("".join(f'{{"id": "q{n}", "question": "why {n}?", "answerable": false}}\n' for n in range(200)))
    splits = [question.split for question in load_questions([path])]
    assert 20 < splits.count("train") < 60
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:49]))
    assert {question.split for question in load_questions([path])} == {"dev"}
    path.write_text('{"id": "a", "question": "b", "answerable": false, "split": "test", "as_of": "spring"}\n')
    with pytest.raises(QuestionSetError, match=r"split = 'test': expected one of train, dev\n.*as_of = 'spring'"):
        load_questions([path])
