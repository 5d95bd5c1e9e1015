"""The text of an answer with marks [n] -> the same text, each sentence tied to a verbatim quote, or marked.

A mark is kept only when a sentence of the source it names supports the claim; a claim that another source supports is
given that one; a claim that none does has the mark `UNVERIFIED`; one that a source denies is taken away, or has the
mark `CONTRADICTED`. judging.py tells which it is.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rag_platform.answering.checks.check import Check
from rag_platform.answering.checks.own_curve import Curves, OwnCurve
from rag_platform.answering.citations.claims import Claim, extract_claims
from rag_platform.answering.citations.judging import judge
from rag_platform.answering.citations.marks import CONTRADICTED, UNVERIFIED, strip_markers
from rag_platform.answering.citations.numbering import number_quotes
from rag_platform.answering.citations.support import Judged, QuoteFinder
from rag_platform.answering.citations.support_curve import MEASURED
from rag_platform.answering.coverage import TermWeight
from rag_platform.config.settings import Contradicted
from rag_platform.core.answers import Citation, JudgedClaim, State
from rag_platform.core.hits import Hit
from rag_platform.core.ports import Embedder
from rag_platform.text.text_diff import moved_spans

_EMPTY_ITEM = re.compile(r"^[ \t]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]*)?(?:\n|\Z)", re.MULTILINE)
_DOUBTS: tuple[State, ...] = ("unverified", "contradicted")


@dataclass(frozen=True, slots=True)
class Verified:
    """An answer's text with its marks renumbered 1..n, what each of them quotes, and the state of its sentences."""

    text: str
    citations: tuple[Citation, ...]
    warnings: tuple[str, ...]
    claims: tuple[JudgedClaim, ...]
    """Sentences that say something which a source should support."""


def verify(
    text: str,
    hits: Sequence[Hit],
    embedder: Embedder,
    weight: TermWeight,
    *,
    check: Check | None = None,
    own: Curves | None = None,
    contradicted: Contradicted = "remove",
    models: Sequence[Embedder] = (),
) -> Verified:
    """Check an answer sentence by sentence against the hits it was written from.

    Args:
        text: the answer; its marks name places in `hits`, from 1.
        hits: what the generator saw.
        embedder: judges the meaning of a claim that is not a verbatim quote.
        weight: the rarity of a word in the corpus.
        check: looks again at what is not a verbatim quote; when it fails, the verdict without it stands.
        own: what the workspace's own judged claims say of the probabilities.
        contradicted: what becomes of a claim that a source denies.
        models: reads each hit, in the place of `embedder`.
    """
    plain, marks = strip_markers(text)
    claims = list(extract_claims(plain, marks, hits))
    finder = QuoteFinder(hits, models or [embedder] * len(hits), weight, _words_curve(own))
    judged, failed = judge(claims, finder, check, own)
    away = [
        contradicted == "remove" and claim.counts and one.state == "contradicted"
        for claim, one in zip(claims, judged, strict=True)
    ]
    numbers, citations = number_quotes([one.quotes for one in judged], away, hits)
    written, spans = _written(plain, claims, map(_mark, claims, judged, numbers), away)
    told = tuple(
        JudgedClaim(written[slice(*span)] if span else claim.text, span, one.state, one.probability, one.check, own)
        for claim, one, span, own in zip(claims, judged, spans, numbers, strict=True)
        if claim.counts
    )
    missing = sum(number > len(hits) or number < 1 for _, named in marks for number in named)
    warnings = _warnings(missing, sum(map(_moved, claims, judged)))
    return Verified(written, citations, (*warnings, *filter(None, [failed])), told)


def _words_curve(own: Curves | None) -> OwnCurve | None:
    return own.get(MEASURED.version) if own else None


def _moved(claim: Claim, judged: Judged) -> bool:
    """Return whether a claim is supported, but not by what it cites."""
    supported = judged.quotes and judged.state != "contradicted"
    return bool(supported and claim.cited and not {quote.place for quote in judged.quotes} & set(claim.cited))


def _warnings(missing: int, moved_marks: int) -> Iterator[str]:
    if missing:
        yield f"{missing} citation{'s' * (missing > 1)} of a source that does not exist removed"
    if moved_marks:
        yield f"{moved_marks} citation{'s' * (moved_marks > 1)} moved to the source that supports the sentence"


def _mark(claim: Claim, judged: Judged, numbers: Sequence[int]) -> str:
    named = "".join(f"[{n}]" for n in numbers)
    if not claim.counts:
        return "" if judged.state in _DOUBTS else named
    return {"unverified": UNVERIFIED, "contradicted": CONTRADICTED + named}.get(judged.state, named)


def _written(
    plain: str, claims: Sequence[Claim], marks: Iterable[str], away: Sequence[bool]
) -> tuple[str, list[tuple[int, int] | None]]:
    """Return the text with marks, without the claims that are taken away, and where each claim stands in it."""
    text, at, spans = "", 0, []
    for claim, mark, gone in zip(claims, marks, away, strict=True):
        inside = claim.sentence.kind == "row" and claim.text.endswith("|")  # after it, a mark would break the table
        text, at = text + plain[at : claim.sentence.start], claim.sentence.end - inside * (not gone)
        kept = "" if gone else plain[claim.sentence.start : at].rstrip()
        spans.append((len(text), len(text) + len(kept)))
        if kept and mark:
            text += f"{kept} {mark}{' ' * inside}"
        elif not gone:
            text += plain[claim.sentence.start : at]
    text += plain[at:]
    tidy = re.sub(r"(?<=\S)[ \t]{2,}", " ", _EMPTY_ITEM.sub("\n", text)) if any(away) else text
    return tidy.strip(), [
        None if gone else span for gone, span in zip(away, moved_spans(spans, text, tidy.strip()), strict=True)
    ]
