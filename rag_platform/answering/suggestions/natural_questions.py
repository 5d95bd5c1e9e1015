"""Questions as people ask them, made of what documents say of themselves: their headings, and what they define.

A heading that is a question in all but its sign becomes one, and what a text defines in a sentence of its own ("A weir
is a …") is asked for. Else it is asked what one should know about it, in a way that needs no word to be declined; in a
language whose ways are not here, its name alone is the question.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from rag_platform.answering.suggestions.templates import NEUTRAL, PHRASES
from rag_platform.text.sentences import split_sentences

SHORTEST, LONGEST = 12, 120
"""Characters of a question that people read at a glance."""
_ENDS = ("?", "？", "؟")
_GREEK = re.compile("[α-ωά-ώ].*;$", re.IGNORECASE)
"""Greek asks with the sign that others write between sentences."""
_QUOTED = re.compile(
    '["“”„«»「」`<>|{}=#*\\[\\]]|https?:|\\b(?:this|the above|following) (?:page|passage|document|section|text)\\b',
    re.IGNORECASE,
)
_HOW_TO = re.compile(r"how to\s+(?=[a-z])(?P<rest>.{4,80})", re.IGNORECASE)
_HOW = re.compile(
    r"how (?P<who>(?:the |an? )?[\w’'-]+(?: [\w’'-]+){0,3}?) (?P<verb>is|are|was|were|can|must|may|should|will)"
    r" (?P<rest>\w.{2,60})",
    re.IGNORECASE,
)
_WHAT = re.compile(
    r"(?:what|who|which|where|why)\s+(?:is|are|was|were|can|may|must|happens|counts|makes|goes|changes)\b.{3,80}",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"(?:when|if)\s+(?P<rest>(?:an?|the|no|nothing|something|nobody|somebody|two|several|your)\s.{4,70})", re.IGNORECASE
)
_DOING = re.compile(r"(?P<verb>[A-Z][a-z]{2,}ing)(?P<rest>(?:\s[\w’'-]+){0,5})")
_NO_DOING = frozenset(
    ("during", "nothing", "something", "anything", "everything", "evening", "morning", "building", "spring", "string")
)


class _Way(NamedTuple):
    """How a language defines something, and asks for it."""

    defines: str
    asks: str


_DEFINED: dict[str, _Way] = {
    "en": _Way(r"(?:is|are|was) (?:an?|the|any|one of)\b|(?:is|are) (?:called|known)", "What is {thing}?"),
    "de": _Way(r"(?:ist|war) (?:ein|eine|der|die|das)\b", "Was ist {thing}?"),
    "es": _Way(r"(?:es|fue) (?:una?|el|la)\b", "¿Qué es {thing}?"),
    "fr": _Way(r"(?:est|était) (?:une?|le|la)\b", "Qu’est-ce que {thing} ?"),
    "it": _Way(r"è (?:un[ao’']?|il|la|lo)\b", "Che cos’è {thing}?"),
    "pt": _Way(r"(?:é|foi) (?:uma?|o|a)\b", "O que é {thing}?"),
    "nl": _Way(r"is (?:een|de|het)\b", "Wat is {thing}?"),
    "ca": _Way(r"és (?:una?|el|la)\b", "Què és {thing}?"),
    "ro": _Way(r"(?:este|a fost) (?:un|o)\b", "Ce este {thing}?"),
    "sv": _Way(r"är (?:en|ett)\b", "Vad är {thing}?"),
    "da": _Way(r"er (?:en|et)\b", "Hvad er {thing}?"),
    "cs": _Way(r"je\b", "Co je {thing}?"),
    "pl": _Way(r"(?:to|jest)\b", "Co to jest {thing}?"),
    "fi": _Way(r"on\b", "Mikä on {thing}?"),
    "ru": _Way(r"[—–-]\s*(?:это\b)?", "Что такое {thing}?"),
    "uk": _Way(r"[—–-]\s*(?:це\b)?", "Що таке {thing}?"),
    "el": _Way(r"(?:είναι|ήταν) (?:ένας|μια|μία|ένα|ο|η|το)\b", "Τι είναι {thing};"),
    "tr": _Way(r",?\s.{0,80}(?:dır|dir|dur|dür|tır|tir|tur|tür)\b", "{thing} nedir?"),
    "vi": _Way(r"là\b", "{thing} là gì?"),
    "ar": _Way(r"(?:هو|هي)\b", "ما المقصود بـ {thing}؟"),
    "hi": _Way(r".{3,160}(?:है|हैं|था|थी)(?=[।\s.,]|$)", "{thing} क्या है?"),
    "ne": _Way(r".{3,160}(?:हो|हुन्|छ|थियो)(?=[।\s.,]|$)", "{thing} के हो?"),
    "th": _Way(r"(?:คือ|เป็น)", "{thing}คืออะไร?"),
    "zh": _Way(r"(?:是|指)", "{thing}是什么？"),
    "ja": _Way(r"(?:とは|は)", "{thing}とは何ですか？"),
    "ko": _Way(r"(?:은|는|이란|란)\b", "{thing}(이)란 무엇인가요?"),
}
_FRENCH = re.compile("^[LD]’(?=[a-zà-ÿ])")
_KNOWN = {
    language: re.sub("[“”„«»「」]\\s?(?={)|(?<=})\\s?[“”„«»「」]", "", way) for language, way in PHRASES.items()
} | {
    "el": "{heading}: τι πρέπει να ξέρω;",
    "ro": "{heading}: ce ar trebui să știu?",
    "th": "ควรรู้อะไรเกี่ยวกับ{heading}บ้าง?",
    "vi": "Tôi cần biết gì về {heading}?",
}
"""How one asks about something."""
_SAYS_NOTHING = frozenset(
    (
        *("introduction", "overview", "search", "summary", "contents", "notes", "example", "examples", "references"),
        *("index", "page", "the page", "appendix", "conclusion", "background", "see also", "external links", "inhalt"),
    )
)
_SHORT = 3
_UNSPACED = frozenset(("th", "zh", "ja"))
_ARTICLE = r"(?:(?:the|an?|der|die|das|ein|eine|el|la|los|las|une?|le|les|il|lo|o|os|as|de|het|een|ο|η|το)\s+|l['’])?"
_OPENING = 600
"""Characters of a section in which it says what its heading is."""


def reads_naturally(question: str) -> bool:
    """Tell whether somebody could have asked that: a question of a few words, about nothing that only a reader sees."""
    asked = question.strip()
    spaced = len(asked.split()) > 1 or not asked.isascii()
    return (
        SHORTEST // (1 if asked.isascii() else 2) <= len(asked) <= LONGEST
        and (asked.endswith(_ENDS) or bool(_GREEK.search(asked)))
        and spaced
        and not _QUOTED.search(asked)
    )


def is_general(question: str, language: str) -> bool:
    """Tell whether a question only asks about something."""
    before, _, behind = _KNOWN.get(language, NEUTRAL).partition("{heading}")
    return question.startswith(before) and question.endswith(behind)


def questions_of(heading: str, text: str, language: str) -> Iterator[str]:
    """Yield the questions that a heading, or what stands below it, answers.

    Args:
        heading: of a section, or the title of a document, without its markup and its number.
        text: that follows it.
        language: of both.
    """
    asked = [heading] if heading.endswith(_ENDS) else list(_of_heading(heading)) if language == "en" else []
    asked += filter(None, [_of_definition(heading, text[:_OPENING], language), _at_all(heading, text, language)])
    yield from filter(reads_naturally, dict.fromkeys(asked))


def _of_heading(heading: str) -> Iterator[str]:
    """Yield what an English heading asks, where only its sign or its order is missing."""
    heading = heading.rstrip(" .:!…")
    if found := _HOW_TO.fullmatch(heading):
        yield f"How do I {found['rest']}?"
    elif found := _HOW.fullmatch(heading):
        yield f"How {found['verb'].lower()} {_lower(found['who'])} {found['rest']}?"
    elif _WHAT.fullmatch(heading):
        yield f"{heading[0].upper()}{heading[1:]}?"
    elif found := _WHEN.fullmatch(heading):
        yield f"What happens {heading.split()[0].lower()} {found['rest']}?"
    elif (found := _DOING.fullmatch(heading)) and found["verb"].lower() not in _NO_DOING:
        yield f"How does {heading[0].lower()}{heading[1:]} work?"


def _lower(words: str) -> str:
    """Write the first word small, unless it is a name."""
    first, _, rest = words.partition(" ")
    return words if not first[1:].islower() else f"{first.lower()} {rest}".strip()


def _at_all(heading: str, text: str, language: str) -> str | None:
    """Ask about a heading of a few words; amid a sentence its first one is small where the text below has it so."""
    way, words = _KNOWN.get(language, NEUTRAL), heading.split()
    letters = sum(unicodedata.category(sign)[0] in "LM" for sign in heading)
    if not _SHORT <= len(heading) <= 50 or len(words) > 5 or letters < len(heading) * 0.7:
        return None
    if heading.lower() in _SAYS_NOTHING or _QUOTED.search(heading) or heading[-1] in ".:!…,":
        return None
    first = words[0].lower()
    within = language != "de" and not way.startswith("{heading}")
    small = within and words[0][1:].islower() and re.search(rf"\b{re.escape(first)}\b", text)
    return way.format(heading=" ".join([first, *words[1:]]) if small else heading)


def _of_definition(heading: str, text: str, language: str) -> str | None:
    way = _DEFINED.get(language)
    if not way or not 2 <= len(heading) <= 60 or len(heading.split()) > 5 or _QUOTED.search(heading):
        return None
    gap = r"\s*" if language in _UNSPACED | {"ko", "tr"} else r"\s+"
    aside = r"(?:\s*[(（][^()（）]{0,120}[)）])?"
    defined = re.compile(rf"(?P<thing>{_ARTICLE}{re.escape(heading)}){aside}{gap}(?:{way.defines})", re.IGNORECASE)
    for start, end, kind in split_sentences(text)[:3]:
        if kind == "prose" and (found := defined.match(text[start:end])):
            article = found["thing"][: -len(heading)]
            thing = article.lower() + found["thing"][len(article) :] if article else heading
            return way.asks.format(thing=_FRENCH.sub(lambda word: word[0].lower(), thing))
    return None
