"""Text to the terms of the lexical index, in the text's own language.

Words are runs of letters, marks and digits (a mark belongs to its word: Devanagari is not cut at the virama), in lower
case, stemmed where the language has a stemmer, without accents. A run of a script that puts no spaces between words
is cut into overlapping pairs of characters (bigrams), whatever the language is said to be.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

VERSION = "1"
"""Changes when the same text gives other terms: part of a version's identity."""

STEMMERS = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
"""Languages with a Snowball stemmer."""

# ZWNJ and ZWJ stand inside words of several Indic languages.
_WORD = r"[\p{L}\p{M}\p{N}\x{200C}\x{200D}]+"
# Thai, Lao, Myanmar, Khmer, kana, Han (with its extensions)
_UNSPACED = (
    "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3040-\\u30ff\\u31f0-\\u31ff"
    "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\U00020000-\\U0003134f"
)
_HAS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_RUNS = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")


def normalise(text: str) -> str:
    """Fold what looks or means the same: composed forms, full width, ligatures."""
    return unicodedata.normalize("NFKC", text)


def terms(text: str, language: str) -> list[str]:
    """Return the terms of a text, in its order."""
    found = _analyzer(STEMMERS.get(language)).analyze(normalise(text))
    return list(_cut_unspaced(found)) if _HAS_UNSPACED.search(text) else found


def query_terms(question: str, languages: Iterable[str]) -> list[list[str]]:
    """Return, for each word of a question, the terms it may have become in an index of those languages.

    A question is too short to tell its language; so each word is analysed in every language that the index holds, and
    its variants compete (the best counts) rather than add up.
    """
    stemmers = sorted({STEMMERS[language] for language in languages if language in STEMMERS})
    analyzers = [_analyzer(None), *(_analyzer(stemmer) for stemmer in stemmers)]
    if stemmers and all(language in STEMMERS for language in languages):
        analyzers = analyzers[1:]  # nothing in the index is unstemmed
    words = dict.fromkeys(_cut_unspaced(_words().analyze(normalise(question))))
    variants = (
        list(dict.fromkeys(term for analyzer in analyzers for term in analyzer.analyze(word))) for word in words
    )
    return [variant for variant in variants if variant]


def _cut_unspaced(words: Iterable[str]) -> Iterable[str]:
    for word in words:
        for run in _RUNS.findall(word):
            if len(run) < 3 or not _HAS_UNSPACED.match(run):
                yield run
            else:
                yield from (run[start : start + 2] for start in range(len(run) - 1))


@cache
def _words() -> TextAnalyzer:
    return TextAnalyzerBuilder(Tokenizer.regex(_WORD)).filter(Filter.lowercase()).build()


@cache
def _analyzer(stemmer: str | None) -> TextAnalyzer:
    builder = TextAnalyzerBuilder(Tokenizer.regex(_WORD)).filter(Filter.lowercase())
    if stemmer:
        builder = builder.filter(Filter.stemmer(stemmer))
    return builder.filter(Filter.ascii_fold()).build()
