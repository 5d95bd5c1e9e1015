"""The sentences of an answer -> the state of each: quoted, supported, not verified or contradicted.

What stands in a hit word for word is quoted. Of the rest a check without a model decides (support.py), and, when one is
configured, a model that reads both the sentence and the passage that comes closest to it (checks/).
"""

from collections.abc import Sequence

from rag_platform.answering.checks.check import Check, Judgement
from rag_platform.answering.checks.own_curve import Curves, OwnCurve
from rag_platform.answering.citations.claims import Claim
from rag_platform.answering.citations.fidelity import has_all_numbers
from rag_platform.answering.citations.support import Judged, Quote, QuoteFinder
from rag_platform.core.errors import RagError

_SURE = 0.5
"""Probability from which a check's judgement is a state."""


def judge(
    claims: Sequence[Claim], finder: QuoteFinder, check: Check | None, own: Curves | None = None
) -> tuple[list[Judged], str]:
    """Return the state of each claim, and what is to be said when the check failed, or ""; `own`: the workspace's."""
    judged = [
        finder.judge(claim.text, claim.cited) if claim.counts or claim.cited else Judged("unverified")
        for claim in claims
    ]
    asked = _doubtful(claims, judged, finder) if check else {}
    if not check or not asked:
        return judged, ""
    try:
        told = check([(claims[index].text, _source(finder, quotes[0])) for index, quotes in asked.items()])
    except RagError as error:
        return judged, f"the sentences were checked without {check.name}, which failed: {error}"
    curve = own.get(check.name) if own else None
    for (index, quotes), judgement in zip(asked.items(), told, strict=True):
        if judgement:
            judged[index] = _decided(judgement, quotes, check.name, curve)
    return judged, ""


def _doubtful(claims: Sequence[Claim], judged: Sequence[Judged], finder: QuoteFinder) -> dict[int, tuple[Quote, ...]]:
    """Return what a check is asked: claims that are not verbatim, by their place, with what each is held to."""
    asked: dict[int, tuple[Quote, ...]] = {}
    for index, (claim, one) in enumerate(zip(claims, judged, strict=True)):
        if claim.counts and one.state != "quoted":
            nearest = None if one.quotes else finder.nearest(claim.text, claim.cited)
            quotes = one.quotes or ((nearest,) if nearest else ())
            if quotes and has_all_numbers(claim.text, finder.hits[quotes[0].place - 1]):
                asked[index] = quotes
    return asked


def _source(finder: QuoteFinder, quote: Quote) -> str:
    """Return the passage of a quote under its title, which often names what the passage speaks of."""
    hit = finder.hits[quote.place - 1]
    return f"{hit.title}\n\n{hit.text}"


def _decided(judgement: Judgement, quotes: tuple[Quote, ...], check: str, own: OwnCurve | None) -> Judged:
    supported, name = (own.of(judgement.supported), own.name) if own else (judgement.supported, check)
    if supported >= _SURE:
        return Judged("supported", supported, name, quotes)
    if judgement.contradicted >= _SURE:
        return Judged("contradicted", supported, name, quotes)
    return Judged("unverified", supported, name)
