"""An answer is in one language: the question's, where a source of it answers nearly as well as any."""

from collections.abc import Sequence

from rag_platform.answering.generators.evidence import Candidate
from rag_platform.core.hits import Hit
from rag_platform.text.language import UNDETERMINED, likeliest, may_be

_GOOD = 0.6
"""Share of the best sentence's relevance, from which another language's may answer as well."""


def of_one_language(
    question: str, candidates: Sequence[Candidate], hits: Sequence[Hit]
) -> tuple[list[Candidate], list[Candidate]]:
    """Return the sentences in the answer's language, and the best in each other, all by descending relevance.

    Args:
        question: what is asked.
        candidates: sentences of the hits, most relevant first.
        hits: where they stand. What is in no known language belongs to the answer's.
    """
    good = [one for one in candidates if one.relevance >= _GOOD * candidates[0].relevance]
    best: dict[str, Candidate] = {}
    for one in good:
        best.setdefault(hits[one.place - 1].language, one)
    best.pop(UNDETERMINED, None)
    if len(best) < 2:
        return list(candidates), []
    likely = [likeliest(question, best), *best]  # in doubt, the language of the better sentence
    own = next((code for code in likely if code and may_be(question, (code,))), next(iter(best)))
    kept = [one for one in candidates if hits[one.place - 1].language in (own, UNDETERMINED)]
    return kept, [one for code, one in best.items() if code != own]
