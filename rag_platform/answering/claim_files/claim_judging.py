"""A claim of a file -> its state, by what judges the sentences of answers."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from rag_platform.answering.checks.check import Check
from rag_platform.answering.checks.own_curve import Curves
from rag_platform.answering.citations.verification import Verified, verify
from rag_platform.answering.claim_files.claim_rows import ClaimRow
from rag_platform.answering.coverage import TermWeight, uniform_weight
from rag_platform.core.answers import STATES, State
from rag_platform.core.hits import Hit
from rag_platform.core.ids import digest
from rag_platform.core.ports import Embedder
from rag_platform.text.language import detect_language

_AT_ONCE = 4
"""Claims that are judged at a time: a server works on some together."""


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A claim of a file, and its state: of several sentences the worst counts."""

    row: ClaimRow
    state: State
    probability: float | None
    """Of being supported; None: not estimated."""
    check: str
    """What judged, with its version; empty: the claim says nothing that needs a source."""
    quotes: tuple[str, ...]
    """What supports it, or, when it is contradicted, what denies it."""
    warnings: tuple[str, ...] = ()


Search = Callable[[str], tuple[Sequence[Hit], TermWeight]]
"""Gives what the index has for a question, and the rarity of words there."""


def judge_rows(
    rows: Sequence[ClaimRow], embedder: Embedder, check: Check | None, search: Search, own: Curves | None = None
) -> list[JudgedRow]:
    """Judge each claim beside its source, or beside what `search` finds where it has none."""

    def judged(row: ClaimRow) -> JudgedRow:
        hits, weight = ([hit_of(row.source)], uniform_weight) if row.source else search(row.question or row.claim)
        checked = verify(_cited(row), hits, embedder, weight, check=check, own=own)
        return _worst(row, checked)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(judged, rows))


def _cited(row: ClaimRow) -> str:
    return f"{' '.join(row.claim.split())}{' [1]' * bool(row.source)}"


def _worst(row: ClaimRow, checked: Verified) -> JudgedRow:
    worst = max(checked.claims, key=lambda claim: STATES.index(claim.state), default=None)
    if worst is None:
        return JudgedRow(row, "unverified", None, "", ())
    quotes = tuple(citation.quote for citation in checked.citations if citation.n in worst.citations)
    failed = tuple(warning for warning in checked.warnings if "which failed" in warning)
    return JudgedRow(row, worst.state, worst.probability, worst.check, quotes, failed)


def hit_of(source: str) -> Hit:
    """Return a text as the only passage of a document in its language."""
    return Hit(
        rank=1,
        score=1.0,
        chunk_id=digest(source),
        doc_id="source",
        uri="source",
        title="",
        source="",
        collection="",
        language=detect_language(source),
        type="text",
        published_at=None,
        section="",
        text=source,
        span=(0, len(source)),
        page=None,
        revision="",
        raw_sha256="",
        run_id=None,
        snippet="",
    )
