"""How a question finds its hits: [retrieval] and [reranker] of rag.toml."""

from pathlib import Path
from typing import Literal, get_args

from pydantic import Field

from rag_platform.config.sections.section import Section
from rag_platform.config.sections.servers import KeyedSection
from rag_platform.core.hits import Match

Mode = Literal["lexical", "vector", "hybrid", "rerank"]
MODES: tuple[Mode, ...] = get_args(Mode)


class RetrievalSettings(Section):
    """How a question finds its hits."""

    mode: Mode = "rerank"
    match: Match = "any"
    """What a passage must hold of a question; a search may say otherwise."""
    depth: int = Field(100, ge=1, le=10_000)
    """Candidates that each retriever returns."""
    lexical_weight: float = Field(0.3, ge=0, le=1)
    """Weight of lexical search where its best stands out as much as that of vector search, which has the rest."""
    fusion: Literal["minmax", "rrf"] = "minmax"
    reranker: Literal["late-interaction", "cross-encoder", "http", "llm"] = "late-interaction"
    """What reranks in the mode `rerank`; its own settings are in [reranker]."""
    rerank_depth: int | None = Field(None, ge=1, le=1000)
    """How many of the best are reranked, at most; None: as many as the reranker's own."""
    rerank_margin: float | None = Field(None, ge=0, le=1)
    """What is this much behind the best after the first stage is not reranked; None: the reranker's own."""
    rerank_weight: float | None = Field(None, ge=0, le=100)
    """What the reranker's score counts beside the first stage's, which is in [0, 1]; None: the reranker's own."""
    feedback: float = Field(1.0, ge=0, le=10)
    """How far the question is moved towards the best passages, to score the others again; 0: not at all."""
    recency_weight: float = Field(0.3, ge=0, le=1)
    """Of recency beside relevance, where a source has a half-life; it only lowers, and never by more than a third."""
    min_relevance: float = Field(0.05, ge=0, le=1)
    """If no candidate's estimated probability of being relevant is as high, nothing relevant was found."""
    drop_irrelevant: bool = False
    """Leave out every hit below `min_relevance`."""
    collapse: bool = True
    """Collapse near-duplicates: show a passage that several documents repeat once, and name the others."""
    merge: bool = True
    """Merge adjacent chunks of a document into one hit."""
    complete: bool = True
    """Show a hit with the sentences of its neighbours that it needs to be understood."""
    per_document: int = Field(0, ge=0, le=1000)
    """Most hits of one document; 0: any number."""
    syntax: bool = True
    """Obey signs in a question: "a phrase", *part of a word*, source:x, -word."""
    exclusions: bool = True
    """Lower what a question excludes in plain words: "but not", "other than", "excluding"."""
    spelling: bool = True
    """Search for a near word beside one that no chunk holds."""


class RerankerSettings(KeyedSection):
    """The reranker that `reranker` in [retrieval] names; late interaction needs none of these."""

    model: str | None = None
    """A cross-encoder, or the model's name on the server; None: the default one, or the server's."""
    folder: Path | None = None
    """A folder that holds the cross-encoder's weights; None: the cache, then the hub."""
    precision: Literal["int8", "fp32"] = "int8"
    threads: int = Field(0, ge=0)
    """Of the cross-encoder; 0: one for each core."""
    base_url: str | None = None
    """Of the server with a rerank endpoint (http), or of the language model's (llm; None: the generator's)."""
    api_key_env: str = "RERANKER_API_KEY"
    """Name of the variable that holds the server's key."""
    timeout: float = Field(15.0, gt=0)
    """Seconds for one question; what is not judged by then keeps the first stage's order."""
    max_tokens: int = Field(1024, gt=0)
    """Of the language model's judgements of ten passages."""
