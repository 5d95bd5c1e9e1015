"""A word to its stem, by Snowball's stemmers (https://snowballstem.org), and to its beginning."""

from collections.abc import Iterable
from functools import cache
from threading import Lock

import Stemmer

from rag_platform.text.analysis.folding import fold, for_stemmer, toned
from rag_platform.text.language import script_of, writes

STEMMERS = {
    "ar": "arabic",
    "bs": "serbian",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hr": "serbian",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ms": "indonesian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
"""Languages with a stemmer, their own or that of a sister language."""

_NO_BEGINNINGS = frozenset(
    ["ca", "en", "es", "fr", "it", "pt", "ro", "und", "vi", "km", "ko", "ja", "lo", "my", "th", "zh"]
)
"""Languages whose stems suffice, or whose words have one form, and those of which pairs of characters are indexed."""
_BEGINNING = 5
"""Letters; with stems of that length alone words of ten languages are found nearly as well as with a stemmer (McNamee,
Nicholas and Mayfield, "Addressing morphological variation in alphabetic languages", SIGIR 2009)."""
BEGINS = "*"
"""Stands after the beginning of a word, which is then no word."""
BARE = "~"
"""Stands after a word without its marks, where these tell words apart: so "viet nam" finds "Việt Nam"."""
_MOST = 500_000
"""Words cached per language: a corpus has fewer, and one of random codes must not fill the memory."""


class Stems(dict[str, str]):
    """Words of texts, in lower case, to their terms in one language; cached as they are met."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language
        self._stemmer = Stemmer.Stemmer(STEMMERS[language], 0) if language in STEMMERS else None  # 0: it keeps no words
        self._lock = Lock()  # a stemmer keeps a state

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST:
            self.clear()
        self[word] = found = self.anew(word)
        return found

    def anew(self, word: str) -> str:
        """Return the same for a word of a question: how long it takes must not tell whether a text has the word."""
        if not self.own(word) and self._language not in ("en", "und"):
            return stems("en" if "a" <= word[0] <= "z" else "und").anew(word)
        written = for_stemmer(word, self._language)
        if self._stemmer:
            with self._lock:
                written = self._stemmer.stemWord(written)
        return (toned(written) if marks_matter(self._language) else fold(written)) or word

    def own(self, word: str) -> bool:
        """Return whether a word is in the script of the language."""
        return writes(self._language, script_of(word[0]))


@cache
def stems(language: str) -> Stems:
    """Return the stems of a language."""
    return Stems(language)


def marks_matter(language: str) -> bool:
    """Return whether a language tells words apart by their marks alone."""
    return language == "vi"


def bare(found: Iterable[str]) -> list[str]:
    """Return words that have marks without them."""
    return [fold(word) + BARE for word in found if not word.isascii()]


def has_beginnings(language: str) -> bool:
    """Return whether the beginnings of words are indexed too."""
    return language not in _NO_BEGINNINGS


def beginnings(found: Iterable[str]) -> list[str]:
    """Return the beginnings of terms, also where that is the whole term: so "fluss" finds "flussufer"."""
    return [term[:_BEGINNING] + BEGINS for term in found if len(term) >= _BEGINNING]
