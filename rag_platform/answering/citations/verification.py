"""The text of an answer with marks [n] -> the same text, each sentence tied to a verbatim quote that supports it.

A mark is kept only when a sentence of the source it names supports the claim; a claim that another source supports is
given that one; a claim that nothing supports has the mark `UNSUPPORTED`, or is removed, and is counted. Support is
judged by words and by meaning (support.py), by what the words say of whom (fidelity.py) and, when one is configured, by
a language model (claim_checks.py).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rag_platform.answering.citations.claim_checks import Check
from rag_platform.answering.citations.claims import Claim, extract_claims
from rag_platform.answering.citations.fidelity import has_all_numbers
from rag_platform.answering.citations.marks import UNSUPPORTED, strip_markers
from rag_platform.answering.citations.support import Quote, QuoteFinder
from rag_platform.answering.coverage import TermWeight
from rag_platform.config.settings import Unsupported
from rag_platform.core.answers import Citation
from rag_platform.core.errors import RagError
from rag_platform.core.hits import Hit
from rag_platform.core.ports import Embedder

_EMPTY_ITEM = re.compile(r"^[ \t]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]*)?(?:\n|\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Verified:
    """An answer's text with its marks renumbered 1..n, and what each of them quotes."""

    text: str
    citations: tuple[Citation, ...]
    warnings: tuple[str, ...]
    claims: int
    """Sentences that say something which a source should support."""
    unsupported: tuple[str, ...]
    """The claims that no source supports."""


def verify(
    text: str,
    hits: Sequence[Hit],
    embedder: Embedder,
    weight: TermWeight,
    *,
    check: Check | None = None,
    unsupported: Unsupported = "mark",
) -> Verified:
    """Check an answer sentence by sentence against the hits it was written from.

    Args:
        text: the answer; its marks name places in `hits`, from 1.
        hits: what the generator saw.
        embedder: judges the meaning of a claim that is not a verbatim quote.
        weight: the rarity of a word in the corpus.
        check: looks again at what is not a verbatim quote; when it fails, the verdict without it stands.
        unsupported: what becomes of a claim that no source supports.
    """
    plain, marks = strip_markers(text)
    claims = list(extract_claims(plain, marks, hits))
    judge = QuoteFinder(hits, embedder, weight)
    support = [judge.support(claim.text, claim.cited) if claim.counts or claim.cited else [] for claim in claims]
    failed = _checked(claims, support, judge, check) if check else ""
    alone = [claim.counts and not found for claim, found in zip(claims, support, strict=True)]
    doubted = tuple(claim.text for claim, unheld in zip(claims, alone, strict=True) if unheld)
    missing = sum(number > len(hits) or number < 1 for _, numbers in marks for number in numbers)
    moved = sum(
        bool(found) and bool(claim.cited) and not {quote.place for quote in found} & set(claim.cited)
        for claim, found in zip(claims, support, strict=True)
    )
    numbered, citations = _written(plain, claims, support, hits, "" if unsupported == "remove" else UNSUPPORTED)
    total = sum(claim.counts for claim in claims)
    warnings = tuple(_warnings(missing, moved, doubted, total, unsupported == "remove"))
    return Verified(numbered, citations, (*warnings, failed) if failed else warnings, total, doubted)


def _checked(claims: Sequence[Claim], support: list[list[Quote]], judge: QuoteFinder, check: Check) -> str:
    """Let the check decide about every claim that is no verbatim quote; return what is to be said when it failed."""
    asked: dict[int, Quote] = {}
    for index, (claim, found) in enumerate(zip(claims, support, strict=True)):
        if claim.counts and not any(quote.verbatim for quote in found):
            quote = found[0] if found else judge.nearest(claim.text, claim.cited)
            if quote and has_all_numbers(claim.text, judge.hits[quote.place - 1]):
                asked[index] = quote
    try:
        verdicts = check([(claims[index].text, judge.text(quote)) for index, quote in asked.items()]) if asked else []
    except RagError as error:
        return f"the sentences were checked without {check.name}, which failed: {error}"
    for (index, quote), verdict in zip(asked.items(), verdicts, strict=True):
        if verdict is not None:
            support[index] = (support[index] or [quote]) if verdict else []
    return ""


def _warnings(missing: int, moved: int, unsupported: Sequence[str], total: int, removed: bool) -> Iterator[str]:
    if missing:
        yield f"{missing} citation{'s' * (missing > 1)} of a source that does not exist removed"
    if moved:
        yield f"{moved} citation{'s' * (moved > 1)} moved to the source that supports the sentence"
    if unsupported:
        shown = "; ".join(f"“{_brief(claim)}”" for claim in unsupported[:3])
        done = " (removed)" * removed
        yield f"not supported by the sources{done}: {len(unsupported)} of {total} sentences: {shown}"


def _brief(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else flat[:117] + "…"


def _written(
    plain: str, claims: Sequence[Claim], support: Sequence[list[Quote]], hits: Sequence[Hit], doubt: str
) -> tuple[str, tuple[Citation, ...]]:
    """Write the text with marks 1..n in order of appearance; `doubt` stands behind what nothing supports, or ""."""
    found = [[_citation(hits[quote.place - 1], quote) for quote in quotes] for quotes in support]
    folded = _folded([citation for citations in found for citation in citations])
    numbers: dict[Citation, int] = {}
    text, at, removed = "", 0, False
    for claim, cited in zip(claims, found, strict=True):
        own = [numbers.setdefault(folded[citation], len(numbers) + 1) for citation in cited]
        mark = "".join(f"[{n}]" for n in dict.fromkeys(own)) or doubt * claim.counts
        if claim.counts and not mark:
            text, at, removed = text + plain[at : claim.sentence.start], claim.sentence.end, True
            continue
        inside = claim.sentence.kind == "row" and claim.text.endswith("|")  # after it, a mark would break the table
        end = claim.sentence.end - inside
        text += f"{plain[at:end].rstrip()} {mark}{' ' * inside}" if mark else plain[at:end]
        at = end
    text += plain[at:]
    text = re.sub(r"(?<=\S)[ \t]{2,}", " ", _EMPTY_ITEM.sub("\n", text)) if removed else text
    return text.strip(), tuple(replace(citation, n=n) for citation, n in numbers.items())


def _citation(hit: Hit, quote: Quote) -> Citation:
    passage = hit.at(hit.span[0] + quote.start)
    return Citation(
        n=0,
        doc_id=hit.doc_id,
        chunk_id=passage.chunk_id,
        uri=hit.uri,
        title=hit.title,
        quote=hit.text[quote.start : quote.end],
        span=(hit.span[0] + quote.start, hit.span[0] + quote.end),
        raw_sha256=hit.raw_sha256,
        published_at=hit.published_at,
        page=passage.page,
        trust=hit.trust,
        language=hit.language,
    )


def _folded(citations: Sequence[Citation]) -> dict[Citation, Citation]:
    """Map each citation to the one that it becomes a part of: quotes of a document that overlap are one."""
    folded: dict[Citation, Citation] = {}
    group: list[Citation] = []
    for citation in sorted(set(citations), key=lambda one: (one.doc_id, one.span)):
        whole = folded[group[0]] if group else None
        if whole and citation.doc_id == whole.doc_id and citation.span[0] < whole.span[1]:
            more = citation.quote[whole.span[1] - citation.span[0] :]
            span = (whole.span[0], max(whole.span[1], citation.span[1]))
            whole = replace(whole, quote=whole.quote + more, span=span)
            group.append(citation)
        else:
            whole, group = citation, [citation]
        folded |= dict.fromkeys(group, whole)
    return folded
