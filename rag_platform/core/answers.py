"""A question's answer, its citations, and the turns of a chat."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from rag_platform.core.display.notebook_html import Html, cell, link, table
from rag_platform.core.hits import Hit, page_name
from rag_platform.core.trust import NORMAL, Trust

Verdict = Literal["yes", "no", ""]
"""What a quote says to a question that asks for yes or no; "": it is none, or that is not sure."""
State = Literal["quoted", "supported", "unverified", "contradicted"]
"""Of a sentence: it stands in a source word for word; a check found it supported, or did not; or a source denies it."""
STATES: tuple[State, ...] = get_args(State)
STATE_WORDS: dict[State, str] = {state: state for state in STATES} | {"unverified": "not verified"}
"""How a state is called wherever it is shown."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a chat, and what was answered."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A verbatim quote that supports, or contradicts, a sentence of an answer."""

    n: int
    """The number in the answer's text: ``[n]``; what only denies a sentence that was taken away has one after those."""
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
    page_label: str | None = None
    """What its document calls the page, such as "iv"; None: by its number."""
    origins: int = 1
    """How many independent origins among the hits say it, its own included."""
    trust: Trust = NORMAL
    """How far its source is trusted."""
    language: str = ""
    """Of its document, as ISO 639-1; "und" where nobody knows."""
    highlight: tuple[int, int] | None = None
    """The short answer within `span` (a date, a number, a name), where it is sure; both count in the document."""


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A sentence of an answer that a source should support, and what became of it."""

    text: str
    """Without marks."""
    span: tuple[int, int] | None
    """Where it stands in the answer's text; None: it was taken away."""
    state: State
    probability: float | None
    """Of being supported, as the check estimates it; None: the check gives none."""
    check: str
    """What judged it, with its version: "verbatim", "words 3", "nli:…", "llm:…"."""
    citations: tuple[int, ...] = ()
    """Numbers of the citations that support it, or, when it is contradicted, that deny it."""


def count_states(claims: Iterable[JudgedClaim]) -> dict[State, int]:
    """Count the claims of each state, those of none included."""
    counted = Counter(claim.state for claim in claims)
    return {state: counted[state] for state in STATES}


Side = Literal["said", "against", ""]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two quotes of different documents that answer a question differently."""

    said: Citation
    """What the answer quotes."""
    against: Citation
    """What it does not quote, or quotes as well, of those that say the same the newest; its number is 0."""
    said_by: int = 1
    """How many independent origins among the hits say what the answer quotes."""
    against_by: int = 1
    """How many say the other."""
    newest: Side = ""
    """Which of the two the newest of them says; "": not all are dated, or both sides were said on one day."""
    newest_at: datetime | None = None
    """When that was published; None: `newest` is ""."""


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
    disagreements: tuple[Disagreement, ...] = ()
    """What sources say against what is quoted."""
    searched: int | None = None
    """How many documents could have answered it: those that the asker may read and that pass the filters; None: not
    counted, which is only done when it is abstained from."""
    claims: tuple[JudgedClaim, ...] = ()
    """Its sentences that a source should support, in their order, with those that were taken away."""
    verdict: Verdict = ""
    """Of a question for yes or no, where the first quote tells it for sure."""
    also: tuple[Citation, ...] = ()
    """The best quotes in other languages than the answer's, one of each; their numbers are 0."""

    def _repr_html_(self) -> str:
        """Return what a notebook shows: each mark leads to its source, and the sources are a table."""
        marks = {str(one.n): link(one.uri, f"[{one.n}]") for one in self.citations}
        text = re.sub(r"\[(\d+)\]", lambda mark: marks.get(mark[1], Html(mark[0])), cell(self.answer))
        rows = [
            (one.n, link(one.uri, one.title or one.uri), one.quote, page_name(one.page, one.page_label))
            for one in self.citations
        ]
        sources = table(("", "source", "quote", "page"), rows) if rows else ""
        told = "".join(f"<div><em>{cell(warning)}</em></div>" for warning in self.warnings)
        made = cell(f"version {self.version} · {self.model} · receipt {self.receipt_id}")
        return f'<p style="white-space:pre-wrap">{text}</p>{sources}{told}<small>{made}</small>'
