"""Text -> tokens to compare: stems, with what a capital letter, a digit or a negation says about them."""

import re
from functools import lru_cache
from itertools import pairwise
from string import punctuation
from typing import NamedTuple

from rag_platform.text.analysis.stemming import stems
from rag_platform.text.analysis.stopwords import is_stop_word
from rag_platform.text.analysis.texts import WITHOUT_BLANKS, clean, has_unspaced

_SIGNS = re.escape(punctuation) + "“”‘’«»„‚‹›…–—−·•।॥،؛؟、。「」『』（）【】《》！？：；°"
_WORD = re.compile(rf"\d+(?:[.,'’\u00a0\u202f]\d+)*|[{WITHOUT_BLANKS}]|[^\s\d{WITHOUT_BLANKS}{_SIGNS}]+")
_SHORTENED = re.compile(r"(?:(?<=\w)| )n['’]t\b|(?<=can)not\b")
_OPENS = re.compile(r"(?:^|[.!?:;…\n\"“„«(\[|*#>-]|``)\s*$")

NEGATIONS = {
    "ar": "لا لم لن ليس ليست غير بدون",
    "bn": "না নয় নেই নি",
    "da": "ikke ingen intet aldrig uden",
    "de": "nicht kein keine keinen keinem keiner keines nie niemals weder ohne",
    "en": "not no never neither nor none nobody nothing without cannot",
    "es": "no nunca jamás ni sin ningún ninguna ninguno tampoco",
    "fa": "نه نیست نبود بدون",
    "fi": "ei en et emme ette eivät eikä ilman älä",
    "fr": "ne n pas jamais sans ni aucun aucune non",
    "he": "לא אין בלי",
    "hi": "नहीं न मत बिना",
    "hu": "nem sem nincs soha",
    "id": "tidak bukan tanpa",
    "it": "non mai senza né nessun nessuna nessuno",
    "ja": "不 無 非 未",
    "ko": "않 못 없",
    "ne": "छैन छैनन् होइन नभएको बिना",
    "nl": "niet geen nooit noch zonder",
    "no": "ikke ingen intet aldri uten",
    "pl": "nie nigdy bez ani",
    "pt": "não nunca nem sem nenhum nenhuma jamais",
    "ro": "nu niciodată fără nici",
    "ru": "не ни нет никогда без нельзя",
    "sv": "inte ej ingen inget inga aldrig utan",
    "tr": "değil yok asla",
    "uk": "не ні немає ніколи без",
    "vi": "không chưa chẳng",
    "zh": "不 没 沒 無 无 未 非 否 勿",
}
"""By language; English where a language has no list."""
_CAPITALISED = frozenset(["de", "lb"])
"""Languages in which every noun has a capital."""


TELLING = frozenset(["number", "name", "capital", "other"])
"""Kinds of words that say something."""


class Token(NamedTuple):
    """A word of a text."""

    key: str
    """Its stem, by which it is compared; of a number its digits."""
    kind: str
    """"number", "name" (a capital where no sentence begins), "capital" (a capital that may be due to that), "negation",
    "stopword" or "other"."""
    start: int = 0
    """Where it begins in the text that `spelled_out` gives."""
    end: int = 0


def spelled_out(text: str) -> str:
    """Return a text as its words are read: clean, and with every "not" as a word."""
    return _SHORTENED.sub(" not", clean(text))


@lru_cache(maxsize=4096)
def tokenize(text: str, language: str) -> tuple[Token, ...]:
    """Return a text's words in their order; of a script without spaces, its characters."""
    text = spelled_out(text)
    negations, stem_of = negation_words(language), stems(language)
    tokens: list[Token] = []
    for match in _WORD.finditer(text):
        written = match[0]
        word = written.lower()
        key = digits(written) if written[0].isdigit() else word if has_unspaced(word) else stem_of[word]
        kind = _kind(written, word, language, negations, text[: match.start()])
        tokens.append(Token(key, kind, *match.span()))
    for index, (token, following) in enumerate(pairwise(tokens)):
        if (token.kind, following.kind) == ("capital", "name"):  # a name of two words, of which one begins the sentence
            tokens[index] = token._replace(kind="name")
    return tuple(tokens)


def digits(number: str) -> str:
    """Return a number without its separators: 1,000 is 1.000 and 1000."""
    return re.sub(r"\D", "", number).lstrip("0") or "0"


def negation_words(language: str) -> frozenset[str]:
    """Return the words of a language that negate a sentence, in lower case."""
    return frozenset(NEGATIONS.get(language, NEGATIONS["en"]).split())


def _kind(written: str, word: str, language: str, negations: frozenset[str], before: str) -> str:
    if written[0].isdigit():
        return "number"
    if word in negations:
        return "negation"
    if is_stop_word(word, language if language != "und" else "en"):
        return "stopword"
    if not written[0].isupper():
        return "other"
    unsure = language in _CAPITALISED or _OPENS.search(before[-4:]) is not None
    return "capital" if unsure and not written[1:2].isupper() else "name"
