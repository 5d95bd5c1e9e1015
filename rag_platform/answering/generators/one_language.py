"""An answer is in one language: the question's, where a source of it answers nearly as well as any.

Where each passage is in one of five languages (XQuAD, dealt out), the best sentence in the question's language is of
the document that answers in .40 of questions if 60 % of the best relevance are enough, in .53 from 85 % on, and in .57
from 100 % on.
"""

from collections.abc import Collection, Sequence

from rag_platform.answering.generators.evidence import Candidate
from rag_platform.answering.generators.voices import NEAR_BEST
from rag_platform.core.hits import Hit
from rag_platform.text.analysis.stopwords import is_stop_word
from rag_platform.text.language import UNDETERMINED, likeliest, may_be
from rag_platform.text.word_alignment import words_of


def of_one_language(
    question: str, candidates: Sequence[Candidate], hits: Sequence[Hit]
) -> tuple[list[Candidate], list[Candidate]]:
    """Return the sentences in the answer's language, and the best in each other, all by descending relevance.

    Args:
        question: what is asked.
        candidates: sentences of the hits, most relevant first.
        hits: where they stand. What is in no known language belongs to the answer's.
    """
    good = [one for one in candidates if one.relevance >= NEAR_BEST * candidates[0].relevance]
    best: dict[str, Candidate] = {}
    for one in good:
        best.setdefault(hits[one.place - 1].language, one)
    best.pop(UNDETERMINED, None)
    if len(best) < 2:
        return list(candidates), []
    own = _language_of(question, best)
    kept = [one for one in candidates if hits[one.place - 1].language in (own, UNDETERMINED)]
    return kept, [one for code, one in best.items() if code != own]


def _language_of(question: str, languages: Collection[str]) -> str:
    """Return which of some languages a question is in; in doubt, the first that it may be in, else the first.

    Short questions are known by their little words: the classifier takes "When did Luther die?" for German.
    """
    said = words_of(question)
    little = {code: sum(is_stop_word(word, code) for word in said) for code in languages}
    most = [code for code in languages if little[code] == max(little.values()) > 0]
    likely = [*(most if len(most) == 1 else []), likeliest(question, languages), *languages]
    return next((code for code in likely if code and may_be(question, (code,))), next(iter(languages)))
