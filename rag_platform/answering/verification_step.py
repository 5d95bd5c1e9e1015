"""What was written of the hits of a search -> an answer to be shown: checked, cited, with nothing that leads away."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rag_platform.answering.agreement.comparing import compare_sources, trust_warnings
from rag_platform.answering.checks.check import Check
from rag_platform.answering.checks.own_curve import Curves
from rag_platform.answering.citations.citing import cite
from rag_platform.answering.citations.verification import Verified, verify
from rag_platform.answering.coverage import TermWeight
from rag_platform.answering.quotes.quoted_answer import quoted_answer
from rag_platform.answering.sanitizing.sanitizing import sanitize, source_text
from rag_platform.config.settings import Contradicted
from rag_platform.core.answers import Answer, Citation, Disagreement, JudgedClaim
from rag_platform.core.generation import Outcome
from rag_platform.core.ports import Embedder
from rag_platform.retrieval.results import SearchResult
from rag_platform.text.abstention import abstains, abstention
from rag_platform.text.text_diff import moved_spans


def verify_answer(
    result: SearchResult,
    text: str,
    outcome: Outcome,
    *,
    embedder: Embedder,
    models: Sequence[Embedder] = (),
    weight: TermWeight,
    check: Check | None,
    contradicted: Contradicted,
    own: Curves | None = None,
    compare: bool = True,
) -> Answer:
    """Return the answer, without a receipt yet.

    Args:
        result: what it was written from.
        text: what the generator wrote.
        outcome: what the generator told besides.
        embedder: judges the meaning of claims.
        models: does so beside each hit; (): `embedder` does.
        weight: the rarity of words in the version that was searched.
        check: a model that looks again; None: none does.
        contradicted: what becomes of sentences that a source denies.
        own: what the workspace's own judged claims say of checks.
        compare: tell where other sources say the same, and where they disagree.
    """
    sources = source_text(result.hits)
    answer = bare_answer(result, outcome, text, sources)
    if not result.hits or abstains(text):
        return answer if not result.hits else replace(answer, answer=abstention(result.question))
    checked = (
        quoted_answer(outcome.quotes, result.hits)
        if outcome.quotes
        else verify(text, result.hits, embedder, weight, check=check, own=own, contradicted=contradicted, models=models)
    )
    citations, disagreements = _compared(result, checked, weight) if compare else (checked.citations, ())
    told = (*checked.warnings, *trust_warnings(citations))
    text = sanitize(checked.text, {citation.uri for citation in checked.citations}, sources)
    claims = tuple(_sanitized(checked.claims, checked.text, text, sources))
    return replace(
        answer,
        answer=text or abstention(result.question),
        abstained=not text,
        citations=citations,
        disagreements=disagreements,
        warnings=(*outcome.warnings, *(sanitize(warning, sources=sources) for warning in told)),
        claims=claims,
        verdict=outcome.verdict,
        also=tuple(cite(result.hits[one.place - 1], one.span, highlight=one.highlight) for one in outcome.also),
    )


def bare_answer(result: SearchResult, outcome: Outcome, text: str, sources: str) -> Answer:
    """Return what was written as an answer that cites nothing yet, and has no receipt."""
    return Answer(
        question=result.question,
        answer=text,
        abstained=True,
        citations=(),
        version=result.version,
        model=outcome.model,
        receipt_id="",
        hits=result.hits,
        warnings=outcome.warnings,
        reasoning=sanitize(outcome.reasoning, sources=sources),
    )


def _compared(
    result: SearchResult, checked: Verified, weight: TermWeight
) -> tuple[tuple[Citation, ...], tuple[Disagreement, ...]]:
    """Compare what the answer quotes with the other hits; what only denies a sentence of it is none of its quotes."""
    denying = {n for claim in checked.claims if claim.state == "contradicted" for n in claim.citations}
    denying -= {n for claim in checked.claims if claim.state != "contradicted" for n in claim.citations}
    quoted = [citation for citation in checked.citations if citation.n not in denying]
    counted, disagreements = compare_sources(result.question, quoted, result.hits, weight)
    by_number = {citation.n: citation for citation in counted}
    return tuple(by_number.get(citation.n, citation) for citation in checked.citations), disagreements


def _sanitized(claims: Sequence[JudgedClaim], before: str, after: str, sources: str) -> Iterator[JudgedClaim]:
    """Yield the claims as they stand in the sanitized answer; those that were taken away, sanitized by themselves."""
    spans = iter(moved_spans([claim.span for claim in claims if claim.span], before, after))
    for claim in claims:
        span = next(spans) if claim.span else None
        yield replace(claim, span=span, text=after[slice(*span)] if span else sanitize(claim.text, sources=sources))
