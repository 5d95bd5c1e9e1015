"""The repository's own question set is well-formed, and every quote of it stands in docs/."""

from pathlib import Path

import polars as pl
import pytest

from evals.questions.labels import locate
from evals.questions.question import load_questions

ROOT = Path(__file__).parents[2]
SET = ROOT / "evals" / "questions" / "handbook.jsonl"
DOCS = ROOT / "docs"


@pytest.mark.skipif(not SET.exists() or not any(DOCS.glob("*.md")), reason="there is no handbook yet")
def test_every_quote_stands_in_the_handbook() -> None:
    pages = sorted(DOCS.rglob("*.md"))
    uris = [f"handbook/{page.relative_to(DOCS).as_posix()}" for page in pages]  # as the demo names its source
    documents = pl.DataFrame({"doc_id": uris, "uri": uris, "text": [page.read_text("utf-8") for page in pages]})
    problems = [label.problem for label in locate(load_questions([SET]), documents) if label.problem]
    assert problems == []
