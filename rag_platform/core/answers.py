"""A question's answer, its citations, and the turns of a chat."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from rag_platform.core.hits import Hit
from rag_platform.core.trust import NORMAL, Trust

Verdict = Literal["yes", "no", ""]
"""What a quote says to a question that asks for yes or no; "": it is none, or that is not sure."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a chat, and what was answered."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A verbatim quote that supports a sentence of an answer."""

    n: int
    """The number in the answer's text: ``[n]``."""
    doc_id: str
    chunk_id: str
    uri: str
    title: str
    quote: str
    """``document.text[span[0]:span[1]]``."""
    span: tuple[int, int]
    raw_sha256: str
    published_at: datetime | None
    page: int | None = None
    origins: int = 1
    """How many independent origins among the hits say it, its own included."""
    trust: Trust = NORMAL
    """How far its source is trusted."""
    language: str = ""
    """Of its document, as ISO 639-1; "und" where nobody knows."""
    highlight: tuple[int, int] | None = None
    """The short answer within `span` (a date, a number, a name), where it is sure; both count in the document."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two quotes of different documents that answer a question differently."""

    said: Citation
    """What the answer quotes."""
    against: Citation
    """What it does not quote, or quotes as well; its number is 0."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer whose every sentence is cited, or an abstention."""

    question: str
    answer: str
    """Text with marks ``[n]``; when `abstained`, a sentence that says so."""
    abstained: bool
    citations: tuple[Citation, ...]
    version: str
    model: str
    """The generator that wrote it: "extractive" or the server's model name."""
    receipt_id: str
    hits: tuple[Hit, ...] = ()
    took_ms: dict[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    """What was searched for, in this order."""
    standalone: str = ""
    """The question as it was understood from its chat; empty: as it was asked."""
    reasoning: str = ""
    """What the model thought aloud; no part of the answer."""
    unsupported: int = 0
    """Sentences that no source supports: marked ``[?]``, or removed."""
    disagreements: tuple[Disagreement, ...] = ()
    """What sources say against what is quoted."""
    claims: int = 0
    """Sentences that say something which a source should support, with those that none does."""
    verdict: Verdict = ""
    """Of a question for yes or no, where the first quote tells it for sure."""
    also: tuple[Citation, ...] = ()
    """The best quotes in other languages than the answer's, one of each; their numbers are 0."""
