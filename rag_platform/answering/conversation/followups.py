"""A short follow-up -> a question that names its subject, by the words of the question before it: no model is needed.

A question follows up when it has no word of its own ("why?"), when it begins as the rest of a sentence does ("and in
2025?", "what about contractors?"), or when a pronoun stands before anything that it could mean ("does it expire?").
Then the words that tell something are carried over from the question before. What does not look like a follow-up is
left as it is: a word too many finds less than a word too few in a question that names its subject.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from rag_platform.answering.coverage import term_weights, uniform_weight
from rag_platform.text.analysis.stopwords import is_stop_word

_LISTED = ("en", "de", "es", "fr", "it", "pt", "nl")
_FEW = 4
"""Words of its own that a question may have which begins as the rest of a sentence does."""
_OPENERS = re.compile(
    r"(?:and|or|but|so|then|also|what about|how about|what if|und|oder|aber|auch|was ist mit|wie ist es mit|"
    r"wie sieht es mit|wie steht es mit|y|o|pero|qué hay de|que hay de|qué pasa con|et|ou|mais|qu['’]en est-il de|"
    r"e|ed|ma|mas|en|और|तो|लेकिन|फिर)\b",
    re.IGNORECASE,
)


def _words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PREPOSITIONS = _words_of(
    "in for on at by with without from since until before after under during im für bei mit ohne seit bis vor nach"
    " para por con sin desde hasta pour avec sans depuis dans chez"
)
_PRONOUNS = _words_of(
    "it its they them their theirs he him his she her hers this that these those there ones"
    " es er sie ihn ihm ihr ihre ihren ihrem ihrer sein seine dies diese dieser dieses diesem diesen dort davon dafür"
    " dazu darüber damit dabei daran darauf"
    " esto eso esta este ese esa estos esos estas esas ello él ella ellos ellas su sus allí ahí"
    " il elle ils elles cela ça ceci celui celle ceux celles leur leurs lui"
    " यह ये वह वे इसका इसकी इसके उसका उसकी उसके इनका इनकी इनके उनका उनकी उनके"
    " इसमें उसमें इसे उसे इन्हें उन्हें वहाँ वहां"
)
_VAGUE = _words_of(
    "many much exactly give show elaborate example details happened happen next viele viel vieles genau beispiel"
    " mucho mucha muchos muchas ejemplo beaucoup exemple"
)
"""Words that no list of stop words has, and that tell nothing either."""
_NO_PRONOUNS = re.compile(
    r"(?i:\bthere\s+(?:is|are|was|were|be)\b|\b(?:is|are|was|were|will)\s+there\b"
    r"|\b(?:is|was|would)\s+it(?=\s+\w+\s+(?:to|that|for)\b)|\bgibt\s+es\b|\bes\s+gibt\b"
    r"|\bil\s+y\s+a\b|\best-il(?=\s+\w+\s+(?:de|que)\b)"
    r"|\b(?:this|dieses|este|esta|cette)(?=\s+(?:year|month|week|jahr|año|mes|semana|année|semaine)\b))"
    r"|(?<=\s)Sie\b"  # the polite form
    r"|(?i:\b(?:cuál|cual|qué|que|quién|quien|dónde|donde|cómo|como|cuándo|cuando)\s+es\b|\bè\s+il\b)"
)
_DAS = re.compile(r"\s[Dd]as(?=\s*[?.!]?$|\s+(?:auch|denn|nur|immer|noch|so|für|in|bei|mit)\b)")
"""German "das" that is no article."""
_HAN_FOLLOWS = re.compile(
    r"^\s*(?:那|那么|那麼|为什么|為什麼|还有|還有)|它|(?<!其)[他她]|[这這那](?:个|個|些)?(?:呢|是|有|会|會)|呢\s*[?？]?\s*$"
)
_HAN = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_YEAR = re.compile(r"(?:19|20)\d\d")


def is_standalone(question: str) -> bool:
    """Tell whether a question names its subject, so that it needs none of what was said before it."""
    if _HAN.search(question):
        return not _HAN_FOLLOWS.search(question)
    question = _DAS.sub(" dies", question)
    words = _words(_NO_PRONOUNS.sub(" ", question))
    own = [word for word in words if _tells(word)]
    if not own:
        return False
    if _OPENERS.match(question.lstrip("¿¡ ")) and len(own) <= _FEW:
        return False
    if words[0] in _PREPOSITIONS and len(words) <= _FEW and len(own) <= 2:
        return False
    before: list[str] = []
    for word in words:
        if word in _PRONOUNS and len(before) < 2:
            return False
        before += [word] * _tells(word)
    return True


def carry_subject_over(question: str, before: str) -> str:
    """Return the question with what tells something of the one before it, if it does not stand alone.

    Args:
        question: what is asked now.
        before: the question before it, itself so that it can be understood; empty: there is none.
    """
    if not before or is_standalone(question):
        return question
    if _HAN.search(before):  # whose words have no spaces between them
        return f"{before} {question}"
    said = set(_words(question))
    dated = any(_YEAR.fullmatch(word) for word in said)
    kept = [
        word
        for word in map(_bare, before.split())
        if word and word.lower() not in said and _tells(word.lower()) and not (dated and _YEAR.fullmatch(word))
    ]
    return " ".join([question, *dict.fromkeys(kept)])


def resolve_followup(question: str, earlier: Iterable[str]) -> str:
    """Return a question so that it can be understood without the ones before it, oldest first."""
    subject = ""
    for one in (*earlier, question):
        subject = carry_subject_over(one, subject)
    return subject


def _words(text: str) -> list[str]:
    return [bare.lower() for word in text.split() if (bare := _bare(word))]


def _bare(word: str) -> str:
    """Return a word without the punctuation around it; not `strip` of a list, for every script has its own."""
    inner = [place for place, letter in enumerate(word) if unicodedata.category(letter)[0] in "LMN"]
    return word[inner[0] : inner[-1] + 1] if inner else ""


@lru_cache(maxsize=4096)
def _tells(word: str) -> bool:
    """Tell whether a word, in lower case, says something by itself, in any of the languages that have a list."""
    known = word in _PRONOUNS | _VAGUE or any(is_stop_word(word, language) for language in _LISTED)
    return not known and bool(term_weights(word, "und", uniform_weight))
