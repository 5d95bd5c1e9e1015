"""How much of a question, or of a claim, the words of a text cover."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from rag_platform.text.analysis import terms

TermWeight = Callable[[str], float]
"""How much a word tells: its rarity in the corpus (idf)."""


def uniform_weight(_: str) -> float:
    """Weigh all words alike, where there is no corpus to tell their rarity."""
    return 1.0


# Words that ask, in the languages of the question sets: a text that answers need not have them.
_ASKING = (
    "what who whom whose which when where why how do does did is are was were can could would should will has have had"
    " tell me explain describe please said i know about the a an of in on to for and or by with"
    " qué que quién quien cuál cual cuándo cuando dónde donde cómo como cuánto cuanto cuántos es son el la los las de"
    " dice sobre debo saber"
    " was wer wen wem wessen welche welcher welches wann wo warum wie wieviel ist sind der die das den dem des ein eine"
    " steht sagt über zu sollte ich wissen"
    " quel quelle quels quelles qui quoi quand où pourquoi comment combien est sont le les un une du des dit sur"
    " faut il savoir"
    " क्या कौन कब कहाँ कहां क्यों कैसे कितने कितना कितनी किस किसने है हैं था थे थी में के की का को से ने बारे कहता कहा गया"
    " मुझे जानना चाहिए मैले जान्नुपर्छ"
    " 什么 哪个 哪些 谁的 多少 如何 为什 怎么 何时 哪里 关于 我应 应该 了解"
)


def term_weights(text: str, language: str, weight: TermWeight) -> dict[str, float]:
    """Return what each term of a text tells; the words that only ask are left out.

    Args:
        text: a question or a claim.
        language: of the texts it will be compared with, whose stemmer must be used on both sides.
        weight: the rarity of a word in the corpus.
    """
    plain, stemmed = _terms(text, "und"), _terms(text, language)
    if len(plain) != len(stemmed):
        plain = stemmed
    asking = _asking()
    return {term: weight(word) for word, term in zip(plain, stemmed, strict=True) if word not in asking}


def coverage(weights: Mapping[str, float], text: str, language: str) -> float:
    """Return the share of the weights whose terms the text has, in [0, 1]; 0 without any weight."""
    total = sum(weights.values())
    present = set(_terms(text, language))
    return sum(value for term, value in weights.items() if term in present) / total if total > 0 else 0.0


def is_question_word(word: str) -> bool:
    """Tell whether a word is only there to ask, so that a text which answers need not have it."""
    return all(term in _asking() for term in terms(word, "und"))


@lru_cache(maxsize=4096)
def _terms(text: str, language: str) -> tuple[str, ...]:
    return tuple(terms(text, language))


@lru_cache(maxsize=1)
def _asking() -> frozenset[str]:
    return frozenset(term for word in _ASKING.split() for term in terms(word, "und"))
