"""Which sentences of hits to quote, by who says them: trusted sources first, and what independent ones agree on."""

from collections.abc import Sequence
from dataclasses import replace

from rag_platform.answering.agreement.disagreements import relation
from rag_platform.answering.agreement.origins import origins, restates
from rag_platform.answering.coverage import TermWeight, term_weights
from rag_platform.answering.generators.evidence import Candidate
from rag_platform.core.hits import Hit
from rag_platform.core.trust import LEVELS

NEAR_BEST = 0.85
"""Share of the best sentence's relevance: what is further off only dilutes the answer."""
_GOOD = 0.6
"""The same, from which a more trusted sentence takes the place of a less trusted one."""
_AGREED = 0.1
"""What a further origin adds to the relevance of a sentence that it agrees with."""
_MOST = 2
"""Further origins that count."""


def weigh_voices(
    question: str, candidates: Sequence[Candidate], hits: Sequence[Hit], weight: TermWeight
) -> list[Candidate]:
    """Return the sentences, most relevant first, as who says them counts.

    The question said again is no answer. Beside a more trusted sentence that may answer as well, a less trusted one has
    no place. What several independent origins say gains; where all hits are of one, nothing changes.
    """
    if not candidates:
        return []
    said = [one for one in candidates if not (one.text.rstrip().endswith("?") and restates(question, one.text))]
    candidates = said or candidates
    good = [one for one in candidates if one.relevance >= _GOOD * candidates[0].relevance]
    trusted = max(_level(one, hits) for one in good)
    kept = [one for one in candidates if _level(one, hits) >= trusted]
    near = [one for one in kept if one.relevance >= NEAR_BEST * kept[0].relevance]
    group = origins(question, hits)
    if len(set(group)) < 2:
        return kept
    gained = [_gaining(question, one, near, group, hits, weight) if one in near else one for one in kept]
    return sorted(gained, key=lambda one: -one.relevance)


def _level(candidate: Candidate, hits: Sequence[Hit]) -> int:
    return LEVELS.index(hits[candidate.place - 1].trust)


def _gaining(
    question: str,
    candidate: Candidate,
    near: Sequence[Candidate],
    group: Sequence[int],
    hits: Sequence[Hit],
    weight: TermWeight,
) -> Candidate:
    language = hits[candidate.place - 1].language
    weights, own = term_weights(question, language, weight), group[candidate.place - 1]
    agreeing = {
        group[other.place - 1]
        for other in near
        if group[other.place - 1] != own
        and relation(question, weights, candidate.text, other.text, language) == "agree"
    }
    return replace(candidate, relevance=candidate.relevance + _AGREED * min(_MOST, len(agreeing)))
