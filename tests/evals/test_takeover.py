"""Planted documents that take over questions are told from ordinary growth."""

from pathlib import Path

import polars as pl
import pytest

from benchmarks.growth import ROOT, History, grow
from evals.gate.verdict import Evidence, judge
from evals.measures.scoring import QUESTIONS, Scores
from evals.measures.takeover import takeovers
from evals.questions.question import Question, Relevant
from rag_platform.config.settings import GateSettings
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder


def _scores(tops: dict[str, list[str]], answered: bool = True) -> Scores:
    rows = [
        {
            "id": key,
            "question": f"{key}?",
            "answerable": True,
            "Success@5": float(answered),
            "nDCG@10": 1.0,
            "hits": [
                {"chunk_id": doc, "doc_id": doc, "start": 0, "end": 1, "score": 1.0, "duplicates": []} for doc in top
            ],
        }
        for key, top in tops.items()
    ]
    return Scores("v2", "set", pl.DataFrame(rows, schema=QUESTIONS), {"nDCG@10": 1.0})


def _documents(*names: str) -> pl.DataFrame:
    rows = [{"doc_id": name, "source": name.rstrip("0123456789"), "uri": f"{name}.md"} for name in names]
    return pl.DataFrame(rows, schema={"doc_id": pl.String, "source": pl.String, "uri": pl.String})


SITE = [f"site{n}" for n in range(10)]
BEFORE = {f"q{n}": [f"site{n}", "site0", "site1", "site2", "site3"] for n in range(10)}


def _found(after: dict[str, list[str]], *, answered: bool = True) -> list:
    new = sorted({doc for top in after.values() for doc in top} - {*SITE})
    return takeovers(_scores(after), _scores(BEFORE, answered), _documents(*SITE, *new), _documents(*SITE))


def test_planted_texts_are_named_and_refused() -> None:
    lies = {
        key: [f"forum{n}0", f"forum{n}1", f"forum{n}2", top[0], top[1]] for n, (key, top) in enumerate(BEFORE.items())
    }
    [found] = _found(lies)
    assert (found.origin, len(found.questions), found.share) == ("forum", 10, 1.0)
    verdict = judge(_scores(lies), _scores(BEFORE), GateSettings(), Evidence(takeovers=[found]))
    assert not verdict.passed
    assert "New documents of forum take over 10 of 10 questions" in verdict.reasons[0]
    assert judge(_scores(lies), _scores(BEFORE), GateSettings(takeover=1), Evidence(takeovers=[found])).passed


def test_one_text_that_stands_first_everywhere_is_named() -> None:
    [found] = _found({key: ["forum1", *top[:4]] for key, top in BEFORE.items()})
    assert found.documents == ("forum1.md",)


@pytest.mark.parametrize(
    ("after", "answered"),
    [
        (BEFORE, True),
        ({key: [top[0], "news1", "news2", "news3", "news4"] for key, top in BEFORE.items()}, True),
        ({key: [f"news{n}", *top[:4]] for n, (key, top) in enumerate(BEFORE.items())}, True),
        ({key: ["news1", "news2", "news3", *top[:2]] for key, top in BEFORE.items()}, False),
        (BEFORE | {"q1": ["news1", "news2", "news3", "site1"], "q2": ["news4", "news5", "news6", "site2"]}, True),
    ],
    ids=["equal", "behind what answered", "one each", "was not answered before", "two questions"],
)
def test_ordinary_growth_is_not(after: dict[str, list[str]], answered: bool) -> None:
    assert not _found(after, answered=answered)


def test_real_texts_of_the_same_kind_raise_no_alarm_and_planted_ones_do(
    tmp_path: Path, tiny_embedder: OnnxEmbedder
) -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs/decisions").glob("0*.md"))}
    parts = [dict(list(texts.items())[place : place + 4]) for place in (0, 4)]
    titles = {name: text.partition("\n")[0].lstrip("# 0123456789.") for name, text in parts[0].items()}
    questions = [Question(name, title, (Relevant(uri=f"first/{name}", quote=title),)) for name, title in titles.items()]
    lies = {f"{name}-{n}.md": f"{title}? {title} is {n}." for name, title in titles.items() for n in range(5)}
    steps = [*zip(("first", "second"), parts, strict=True), ("forum", lies)]
    rows = list(grow(tmp_path, History("decisions", steps, questions), tiny_embedder))
    assert [row.split(" | ")[-1] for row in rows] == ["no |", "yes |"], rows
