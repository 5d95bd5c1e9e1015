"""Which language a text is in."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from copy import copy
from functools import cache, lru_cache

from py3langid.langid import LanguageIdentifier

from rag_platform.text.cleaning import UNSPACED
from rag_platform.text.language_model import open_classifier

UNDETERMINED = "und"

_FEWEST = 20
"""Letters; with fewer every classifier guesses, and only a script can tell."""
CERTAIN = 200
"""Letters; from here on the classifier is trusted more than what a page declares, which is often its template's."""
_SAMPLE = 4000
_BEYOND_DOUBT = 10.0
"""By so much a language's log-likelihood must exceed the next one's: of XQuAD's questions, at most two in a
thousand are then taken for those of a neighbour (Nepali for Hindi, Dutch for German), and some stay in doubt."""
_CODE = re.compile(r"[a-z]{2,3}(?![a-z])")
_SPACED = f"(?!{UNSPACED})"
# code, addresses, and words with digits, which are codes and hashes; where no blank ends a word, another script does
_NOISE = re.compile(
    rf"```.*?```|https?://(?:{_SPACED}\S)+|(?<!{_SPACED}[\w.+-])(?:{_SPACED}[\w.+-])++@(?:{_SPACED}[\w.-])+|`[^`\n]+`"
    rf"|(?<!{_SPACED}\w)(?:{_SPACED}[^\W\d])*+\d(?:{_SPACED}\w)*+",
    re.DOTALL,
)
# first words of names that name no script
_NAMED = {
    "KATAKANA-HIRAGANA": "KATAKANA",
    "HALFWIDTH": "KATAKANA",
    "IDEOGRAPHIC": "CJK",
    "FULLWIDTH": "LATIN",
    "COMBINING": "",
    "VARIATION": "",
}

# The classifier knows 130 languages; rare ones draw short texts, codes and Romanised ones to
# themselves, so those count only where they are declared.
_BY_SCRIPT = {
    "LATIN": "af az bs ca cs cy da de en es et eu fi fr ga gl hr hu id is it lt lv ms mt nl no pl pt ro sk sl sq "
    "sv sw tl tr uz vi",
    "CYRILLIC": "be bg kk ky mk mn ru sr tg tt uk",
    "DEVANAGARI": "hi mr ne sa",
    "ARABIC": "ar fa ku ps sdh ug ur",
    "BENGALI": "as bn",
    "HEBREW": "he",
    "CJK": "zh",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "GREEK": "el",
    "ARMENIAN": "hy",
    "GEORGIAN": "ka",
    "THAI": "th",
    "LAO": "lo",
    "KHMER": "km",
    "MYANMAR": "my",
    "ETHIOPIC": "am",
    "TIBETAN": "dz",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "ORIYA": "or",
    "TAMIL": "ta",
    "TELUGU": "te",
    "KANNADA": "kn",
    "MALAYALAM": "ml",
    "SINHALA": "si",
}
_LANGUAGES = {script: frozenset(codes.split()) for script, codes in _BY_SCRIPT.items()}
_LANGUAGES["CJK"] |= {"ja"}
_SCRIPTED = frozenset().union(*_LANGUAGES.values())


def detect_language(text: str, declared: str | None = None, fallback: str | None = None) -> str:
    """Return the ISO 639-1 code of a text's language, or "und".

    Args:
        text: The text; code and addresses in it do not count.
        declared: What the document or its source says: believed for a text too short to tell.
        fallback: What to say when nothing else is known.
    """
    code = _CODE.match((declared or "").strip().lower())
    declared = code[0] if code else None
    sample = _NOISE.sub(" ", text[: 2 * _SAMPLE])[:_SAMPLE]
    scripts = _scripts(sample)
    letters = scripts.total()
    if declared and letters < CERTAIN:
        return declared
    if letters < _FEWEST:
        return _sole(scripts) or fallback or UNDETERMINED
    possible = [*_possible(scripts), *filter(None, [declared])]
    if len(possible) == 1:
        return possible[0]
    return next((code for code, _ in _classifier().rank(sample) if code in possible), fallback or UNDETERMINED)


def likeliest(question: str, among: Iterable[str]) -> str | None:
    """Return which of these languages a question is in; None in doubt."""
    scripts = _scripts(question)
    if not scripts:
        return None
    known = tuple(sorted({*_possible(scripts)} & {*among}))
    if len(known) < 2:
        return known[0] if known else None
    (first, best), (_, second), *_ = _classifier(known).rank(question)
    return first if best - second > _BEYOND_DOUBT else None


def may_be(text: str, languages: Iterable[str]) -> bool:
    """Return whether a text may be in one of these languages: false only beyond doubt."""
    return _may_be(text, frozenset(languages))


@lru_cache(256)
def _may_be(text: str, languages: frozenset[str]) -> bool:
    """Return what `may_be` does; a question is asked about the same languages at each step of its search."""
    scripts = _scripts(text)
    possible = _possible(scripts) if scripts else []
    own = {*possible} & languages
    if not own:
        return not possible
    likely = {code: value for code, value in _likelihoods(text) if code in possible}
    best = max((likely[code] for code in own if code in likely), default=None)
    return best is None or max(likely.values()) - best <= _BEYOND_DOUBT


def writes(language: str, script: str) -> bool:
    """Return whether a language is written in a script, or in none that is known."""
    return language in _LANGUAGES.get(script, ()) or language not in _SCRIPTED


def same_script(language: str, among: Iterable[str]) -> set[str]:
    """Return those of the languages that are written like this one, itself included."""
    return {code for code in among if any({code, language} <= written for written in _LANGUAGES.values())}


@lru_cache(64)
def _likelihoods(text: str) -> list[tuple[str, float]]:
    """Return what `rank` does; a question is asked about several languages."""
    found: list[tuple[str, float]] = _classifier().rank(text)
    return found


def _possible(scripts: Counter[str]) -> list[str]:
    """Return the languages written in the text's main script."""
    kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
    if kana > scripts["CJK"] / 20 and kana + scripts["CJK"] > scripts.total() / 2:
        return ["ja"]
    main = scripts.most_common(1)[0][0]
    return _BY_SCRIPT.get(main, "").split()


def _sole(scripts: Counter[str]) -> str | None:
    """Return the language whose scripts all letters are in; None if several have them, as two have Han."""
    languages = [_LANGUAGES.get(script, frozenset()) for script in scripts]
    shared = frozenset.intersection(*languages) if languages else frozenset()
    return next(iter(shared)) if len(shared) == 1 else None


def _scripts(text: str) -> Counter[str]:
    return Counter(script for script in map(script_of, text) if script)


@cache
def script_of(character: str) -> str:
    """Return a letter's script, in most cases the first word of its name; "" for what is no letter or has none."""
    if not (character.isalpha() or unicodedata.category(character) in ("Mn", "Mc")):  # Indic vowels are marks
        return ""
    first = unicodedata.name(character, "").partition(" ")[0]
    return _NAMED.get(first, first)


@cache
def _classifier(among: tuple[str, ...] | None = None) -> LanguageIdentifier:
    if among is None:
        return open_classifier()
    narrowed = copy(_classifier())
    narrowed.set_languages(among)
    return narrowed
