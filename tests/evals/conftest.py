"""Hits, answers and documents, made by hand."""

from collections.abc import Callable

import polars as pl
import pytest

from rag_platform.core.answers import Answer, Citation
from rag_platform.core.hits import Hit
from rag_platform.retrieval.results import SearchResult


@pytest.fixture
def make_hit() -> Callable[..., Hit]:
    """Make a hit of a document's characters."""

    def _hit(doc_id: str, start: int = 0, end: int = 10, rank: int = 1) -> Hit:
        return Hit(
            rank=rank,
            score=1 / rank,
            chunk_id=f"{doc_id}:{start}-{end}",
            doc_id=doc_id,
            uri=doc_id,
            title="",
            source="docs",
            collection="default",
            language="en",
            type="text",
            published_at=None,
            section="",
            text="",
            span=(start, end),
            page=None,
            revision="",
            raw_sha256="",
            run_id=None,
            snippet="",
        )

    return _hit


@pytest.fixture
def make_result() -> Callable[..., SearchResult]:
    """Make the result of a search."""

    def _result(*hits: Hit) -> SearchResult:
        return SearchResult("", "v1", "lexical", {}, hits)

    return _result


@pytest.fixture
def make_answer() -> Callable[..., Answer]:
    """Make an answer with citations (doc_id, start, quote); no text: an abstention."""

    def _answer(text: str = "", *cited: tuple[str, int, str]) -> Answer:
        citations = tuple(
            Citation(n, doc_id, doc_id, doc_id, "", quote, (start, start + len(quote)), "", None)
            for n, (doc_id, start, quote) in enumerate(cited, start=1)
        )
        return Answer("", text or "I do not know.", not text, citations, "v1", "extractive", "")

    return _answer


@pytest.fixture
def make_documents() -> Callable[..., pl.DataFrame]:
    """Make a table of documents whose id is their uri."""

    def _documents(**texts: str) -> pl.DataFrame:
        return pl.DataFrame({"doc_id": [*texts], "uri": [*texts], "text": [*texts.values()]})

    return _documents
