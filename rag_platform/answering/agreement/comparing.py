"""Citations and hits -> how many independent origins say the same, and which say otherwise."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

from rag_platform.answering.agreement.disagreements import Relation, relation
from rag_platform.answering.agreement.origins import origins, restates
from rag_platform.answering.citations.citing import cite
from rag_platform.answering.coverage import TermWeight, term_weights
from rag_platform.core.answers import Citation, Disagreement
from rag_platform.core.hits import Hit
from rag_platform.core.trust import LEVELS, NORMAL
from rag_platform.text.instructions.injection import instructs
from rag_platform.text.sentences import split_sentences

_MOST = 3
"""Disagreements that are told."""
_LONGEST = 400
"""Characters of two sentences that are taken together."""


def compare_sources(
    question: str, citations: Sequence[Citation], hits: Sequence[Hit], weight: TermWeight
) -> tuple[tuple[Citation, ...], tuple[Disagreement, ...]]:
    """Return the citations with the number of origins that say the same, and what other hits say against them.

    Args:
        question: what was asked.
        citations: what an answer quotes.
        hits: what it was written from.
        weight: the rarity of a word in the corpus.
    """
    group, counted, against = origins(question, hits), [], []
    for citation in citations:
        own = next((place for place, hit in enumerate(hits) if hit.doc_id == citation.doc_id), None)
        agreeing, denying = ([own] if own is not None else []), []
        for place, hit in enumerate(hits):
            if own is None or hit.doc_id == citation.doc_id or hit.language != hits[own].language:
                continue
            told, span = _told(question, _parts(question, citation, hits[own]), hit, weight)
            if told == "agree":
                agreeing.append(place)
            elif told == "disagree":
                denying.append((place, cite(hit, span)))
        counted.append(replace(citation, origins=max(1, len({group[place] for place in agreeing}))))
        for side in _sides(question, denying, hits, weight):
            origins_of = {group[place] for place, _ in side}
            quotes = [quote for _, quote in side]
            against.append(_disagreement(counted[-1], [hits[place] for place in agreeing], quotes, len(origins_of)))
    return tuple(counted), tuple(_distinct(against))[:_MOST]


def trust_warnings(citations: Sequence[Citation]) -> Iterator[str]:
    """Say what rests on less trusted sources alone."""
    if citations and all(LEVELS.index(one.trust) < LEVELS.index(NORMAL) for one in citations):
        yield "it rests on less trusted sources alone"


def age_warnings(
    citations: Sequence[Citation], hits: Sequence[Hit], half_lives: Mapping[str, float], now: datetime
) -> Iterator[str]:
    """Say when all that an answer quotes is older than the days after which its sources count half.

    Args:
        citations: what is quoted.
        hits: what it was written from.
        half_lives: in days, by source; where there is none, its documents do not age.
        now: the moment from which age is counted.
    """
    sources = {hit.doc_id: hit.source for hit in hits}
    dated = [(one.published_at, half_lives.get(sources.get(one.doc_id, ""))) for one in citations]
    if dated and all(at and days and now - at > timedelta(days=days) for at, days in dated):
        newest = max(at for at, _ in dated if at)
        yield f"what it quotes is old for its sources: the newest is of {newest.day} {newest:%B %Y}"


_Denying = tuple[int, Citation]
"""The place of a hit, and what it says against a quote."""


def _sides(
    question: str, denying: Sequence[_Denying], hits: Sequence[Hit], weight: TermWeight
) -> Iterator[list[_Denying]]:
    """Yield what is said against a quote: those that say the same together."""
    left = list(denying)
    while left:
        place, first = left[0]
        language = hits[place].language
        weights = term_weights(question, language, weight)
        side = [
            one
            for one in left
            if one is left[0] or relation(question, weights, first.quote, one[1].quote, language) == "agree"
        ]
        left = [one for one in left if one not in side]
        yield side


def _disagreement(said: Citation, agreeing: Sequence[Hit], against: Sequence[Citation], origins: int) -> Disagreement:
    """Count both sides, and tell which of them the newest is on."""
    ours, theirs = [hit.published_at for hit in agreeing], [quote.published_at for quote in against]
    first = max(against, key=lambda quote: quote.published_at.timestamp() if quote.published_at else 0.0)
    dated = [moment for moment in (*ours, *theirs) if moment]
    if len(dated) < len(ours) + len(theirs):
        return Disagreement(said, first, said.origins, origins)
    newest, older = max(dated), max(dated) in ours
    if newest.date() in {moment.date() for moment in (theirs if older else ours) if moment}:
        return Disagreement(said, first, said.origins, origins)
    return Disagreement(said, first, said.origins, origins, "said" if older else "against", newest)


def _told(question: str, parts: Sequence[str], hit: Hit, weight: TermWeight) -> tuple[Relation | None, tuple[int, int]]:
    """Return what a hit says to a quote, and where; whoever says it in one place does not deny it in another."""
    weights = term_weights(question, hit.language, weight)
    found: tuple[Relation | None, tuple[int, int]] = None, (0, 0)
    for start, end in _sentences(hit):
        for said in parts:
            told = relation(question, weights, said, hit.text[start:end], hit.language)
            if told == "agree":
                return told, (start, end)
            if told and not found[0]:
                found = told, (start, end)
    return found


def _sentences(hit: Hit) -> Iterator[tuple[int, int]]:
    """Yield sentences, and two that follow each other, as a question and what answers it do."""
    alone = [(start, end) for start, end, kind in split_sentences(hit.text) if kind != "heading"]
    yield from (span for span in alone if not instructs(hit.text[slice(*span)]))
    yield from ((left[0], right[1]) for left, right in pairwise(alone) if right[1] - left[0] <= _LONGEST)


def _parts(question: str, citation: Citation, hit: Hit) -> list[str]:
    """Return the sentences of a quote, and the whole; where the question is said again before it, with that."""
    quote, at = citation.quote, citation.span[0] - hit.span[0]
    before = hit.text[max(0, at - _LONGEST) : max(0, at)]
    asked = f"{question} {quote}" if restates(question, before) else quote
    return [*(quote[start:end] for start, end, _ in split_sentences(quote)), asked]


def _distinct(found: Sequence[Disagreement]) -> Iterator[Disagreement]:
    """Yield each disagreement once: two sides, exchanged, are one, and so are two quotes against the same one."""
    told: set[str] = set()
    pairs: set[frozenset[str]] = set()
    for one in found:
        both = frozenset((one.said.quote, one.against.quote))
        if both not in pairs and one.against.quote not in told:
            told.add(one.against.quote)
            pairs.add(both)
            yield one
