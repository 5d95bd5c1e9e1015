"""The quotes of claims -> citations with the numbers 1..n, by which the claims name them."""

from collections.abc import Sequence
from dataclasses import replace

from rag_platform.answering.citations.citing import cite
from rag_platform.answering.citations.support import Quote
from rag_platform.core.answers import Citation
from rag_platform.core.hits import Hit


def number_quotes(
    quotes: Sequence[Sequence[Quote]], away: Sequence[bool], hits: Sequence[Hit]
) -> tuple[list[tuple[int, ...]], tuple[Citation, ...]]:
    """Return the numbers of each claim's quotes, and the citations in the order of their numbers.

    Args:
        quotes: of each claim, in the order of the text.
        away: whether a claim is taken away: what only such claims quote is numbered last.
        hits: where the quotes stand.
    """
    found = [[cite(hits[quote.place - 1], (quote.start, quote.end)) for quote in own] for own in quotes]
    folded = _folded([citation for own in found for citation in own])
    in_order = sorted(zip(away, found, strict=True), key=lambda pair: pair[0])
    distinct = dict.fromkeys(folded[citation] for _, own in in_order for citation in own)
    numbers = {citation: n for n, citation in enumerate(distinct, 1)}
    named = [tuple(dict.fromkeys(numbers[folded[citation]] for citation in own)) for own in found]
    return named, tuple(replace(citation, n=n) for citation, n in numbers.items())


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
