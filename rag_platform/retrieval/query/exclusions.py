"""What a question does not ask for: "papers about ferries, but not about rivers".

A sentence model places both halves of such a question near each other, and a list of words holds the words of both. So
the question is split at the words that exclude; only its wanted half is searched for, and candidates that are near the
other half are demoted. Words that exclude only at times ("without", "instead of", "unrelated to") split no question,
and neither does what only says that something is not all ("but not exclusively", "including but not limited to").

Each pattern takes time in proportion to the length of the question: runs of blanks become one before it is matched.
"""

import re

from rag_platform.retrieval.query.syntax import last_sign
from rag_platform.text.analysis.stopwords import is_stop_word

# possessive, and whole words: what was read as "about" is never tried again as something unwanted
_ABOUT = (
    r"(?:\s(?:about|on|regarding|concerning|those|any|anything|information|results|papers|documents|articles)(?=\s))*+"
)
# "not only", "not necessarily", "not limited to": of these nothing is excluded
_ENGLISH_LIMITS = (
    r"(?!\s(?:only|just|merely|solely|simply|purely|strictly|exclusively|necessarily|entirely|completely|fully|wholly|"
    r"always|usually|often|primarily|mainly|mostly|all|every|(?:limited|restricted|confined)\sto)\b)"
)
_LIMITS = (
    r"(?!\s(?:nur|bloß|allein|ausschließlich|unbedingt|zwingend|notwendigerweise|immer|s[oó]lo|solamente|únicamente|"
    r"exclusivamente|necesariamente|siempre|seulement|uniquement|exclusivement|nécessairement|forcément|toujours|só|"
    r"somente|apenas|unicamente|necessariamente|sempre|soltanto|solo|esclusivamente)\b)"
)
_CUES = (
    rf"(?:but|and)\s+(?:i\s+)?(?:do\s+not|don['’]t)\s+(?:want|need|include|mention|show)(?:\s+to\s+\w+)?{_ABOUT}",
    rf"(?:but|and)\s+not{_ENGLISH_LIMITS}{_ABOUT}",
    rf"(?:but|and)\s+exclude{_ABOUT}",
    rf"(?:but\s+)?(?<!\bnot\s)(?<!\bwithout\s)(?:excluding|except(?:\s+for|ing)?|omitting|leaving\s+out|with\s+the\s+exception\s+of){_ABOUT}",
    rf"(?:but\s+)?(?P<beside>other\s+than|apart\s+from|aside\s+from|besides){_ABOUT}",
    rf"not\s+(?:including|mentioning|discussing|covering|about){_ABOUT}",
    r"without\s+(?:mentioning|discussing|including|considering|covering|referring\s+to|(?:any\s+)?mention\s+of)",
    r"(?:that|which|who)\s+(?:do|does|did)(?:\s+not|n['’]t)\s+(?:mention|discuss|include|cover|concern|talk\s+about)",
    rf"ausgenommen|aber\s+nicht{_LIMITS}(?:\s+über)?",
    rf"excepto|excluyendo|aparte\s+de|pero\s+no{_LIMITS}(?:\s+sobre)?",
    rf"sauf|excepté|hormis|à\s+l['’]exception\s+de|mais\s+pas{_LIMITS}(?:\s+sur)?",
    rf"exceto|excluindo|mas\s+não{_LIMITS}(?:\s+sobre)?|eccetto|tranne|ma\s+non{_LIMITS}(?:\s+su)?",
)
_CUE = "|".join(_CUES)
_ASKS = (
    r"what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|would|will|should|has|have|"
    r"tell|find|show|list|give|name|describe|explain|provide|search|look|please|i|i['’]d|i['’]m|papers|articles|"
    r"documents|studies|research|information|passages|texts"
)
_BEFORE = re.compile(rf"(?is)^\W*(?:{_CUE})\s+(?P<unwanted>[^?!;]+?),\s+(?P<wanted>(?:and\s+)?(?:{_ASKS})\b.*)$")
# to the end of the sentence, which is no full stop inside a word or after an initial; or of the brackets around it
_AFTER = re.compile(
    rf"(?i)(?:(?P<comma>\s?,\s?)|(?P<bracket>\s?\()|\s)(?:{_CUE})\s+"
    r"(?P<unwanted>(?:[^?!;.\n()]|\([^()\n]*\)|\.(?=\w)|(?<=\b\w)\.(?=\s\w))+)"
)
_FURTHER = re.compile(rf"(?i)(?:\s?,\s?|\s)(?:(?:and|or)\s)?(?:{_CUE.replace('?P<beside>', '?:')})\s")
_STARTS_ASKING = re.compile(rf"(?i)\W*(?:{_ASKS})\b")
_NEXT_CLAUSE = re.compile(rf"(?i),\s++(?=(?:{_ASKS})\b)")
# "the team aside from the Ducks to reside here": what follows is about the team
_REST = re.compile(
    r"(?i)(?<!\s)\s++(?=(?:that|to\s+[a-z]+|is|are|was|were|does|did|has|have|had|can|could|will|would)\b)"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_MOST_UNWANTED = 25
"""Words: what is longer is the rest of a text rather than what somebody does not want."""
_BLANKS = re.compile(r"\s+")


def split(question: str) -> tuple[str, tuple[str, ...]]:
    """Return the wanted part and all that is not wanted; a question that excludes nothing is returned as it is.

    A statement, such as a claim to be checked, is never split: it means what it denies.
    """
    text = _BLANKS.sub(lambda blanks: "\n" if "\n" in blanks[0] else " ", question)
    before = _BEFORE.match(text)
    if last_sign(text) == "." and not (before or _STARTS_ASKING.match(text)):
        return question, ()
    first = _parts(before["unwanted"]) if before else ()
    wanted, further = _split_after(before["wanted"] if before and first else text)
    wanted, unwanted = wanted.strip(" ,"), (*first, *further)
    return (wanted, unwanted) if unwanted and len(_WORD.findall(wanted)) >= 2 else (question, ())


def _split_after(text: str) -> tuple[str, list[str]]:
    """Split a question whose unwanted parts follow the wanted one, or stand within it."""
    kept, unwanted, end = "", list[str](), 0
    while after := _AFTER.search(text, end):
        stop = _stop(after)
        parts = _parts(text[after.start("unwanted") : stop])
        kept += text[end : after.start() if parts else stop]
        unwanted += parts
        end = stop + (bool(parts) and bool(after["bracket"]) and text[stop : stop + 1] == ")")
    return kept + text[end:], unwanted


def _stop(after: re.Match[str]) -> int:
    """Return where the unwanted part of a match ends: its clause may be followed by another of what is wanted."""
    if after["bracket"]:
        return after.end()
    beside = after["beside"] and not after["comma"]
    further = (_REST if beside else _NEXT_CLAUSE).search(after["unwanted"])
    return after.start("unwanted") + further.start() if further else after.end()


def _parts(unwanted: str) -> tuple[str, ...]:
    """Return what is unwanted, each part by itself; none where any of them says nothing, or too much."""
    parts = tuple(part.strip(" ,") for part in _FURTHER.split(unwanted))
    return parts if all(map(_says_something, parts)) else ()


def _says_something(part: str) -> bool:
    words = _WORD.findall(part.lower())
    return len(words) <= _MOST_UNWANTED and any(not is_stop_word(word, "en") for word in words)
