"""What a question does not ask for: "papers about ferries, but not about rivers".

A sentence model places both halves of such a question near each other, and a list of words holds the words of both. So
the question is split at the words that exclude; only its wanted half is searched for, and candidates that are near the
other half are demoted. Words that exclude only at times ("without", "instead of", "unrelated to") split no question.

Each pattern takes time in proportion to the length of the question: runs of blanks become one before it is matched.
"""

import re

# possessive, and whole words: what was read as "about" is never tried again as something unwanted
_ABOUT = (
    r"(?:\s(?:about|on|regarding|concerning|those|any|anything|information|results|papers|documents|articles)(?=\s))*+"
)
_CUES = (
    rf"(?:but|and)\s+(?:i\s+)?(?:do\s+not|don['’]t)\s+(?:want|need|include|mention|show)(?:\s+to\s+\w+)?{_ABOUT}",
    rf"(?:but|and)\s+not{_ABOUT}",
    rf"(?:but|and)\s+exclude{_ABOUT}",
    rf"(?:but\s+)?(?:excluding|except(?:\s+for|ing)?|omitting|leaving\s+out|with\s+the\s+exception\s+of){_ABOUT}",
    rf"(?:but\s+)?(?P<beside>other\s+than|apart\s+from|aside\s+from|besides){_ABOUT}",
    rf"not\s+(?:including|mentioning|discussing|covering|about){_ABOUT}",
    r"without\s+(?:mentioning|discussing|including|considering|covering|referring\s+to|(?:any\s+)?mention\s+of)",
    r"(?:that|which|who)\s+(?:do|does|did)(?:\s+not|n['’]t)\s+(?:mention|discuss|include|cover|concern|talk\s+about)",
    r"ausgenommen|aber\s+nicht(?:\s+über)?",
    r"excepto|excluyendo|aparte\s+de|pero\s+no(?:\s+sobre)?",
    r"sauf|excepté|hormis|à\s+l['’]exception\s+de|mais\s+pas(?:\s+sur)?",
    r"exceto|excluindo|mas\s+não(?:\s+sobre)?|eccetto|tranne|ma\s+non(?:\s+su)?",
)
_CUE = "|".join(_CUES)
_ASKS = (
    r"what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|would|will|should|has|have|"
    r"tell|find|show|list|give|name|describe|explain|provide|search|look|please|i|i['’]d|i['’]m|papers|articles|"
    r"documents|studies|research|information|passages|texts"
)
_BEFORE = re.compile(rf"(?is)^\W*(?:{_CUE})\s+(?P<unwanted>[^?!;]+?),\s+(?P<wanted>(?:and\s+)?(?:{_ASKS})\b.*)$")
# to the end of the sentence, which is no full stop inside a word or after an initial
_AFTER = re.compile(
    rf"(?i)(?P<comma>\s?,\s?|\s)\(?(?:{_CUE})\s+(?P<unwanted>(?:[^?!;.\n]|\.(?=\w)|(?<=\b\w)\.(?=\s\w))+)"
)
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


def split(question: str) -> tuple[str, str]:
    """Return the wanted and the unwanted half; a question that excludes nothing is returned as it is, with "".

    A statement, such as a claim to be checked, is never split: it means what it denies.
    """
    text = _BLANKS.sub(lambda blanks: "\n" if "\n" in blanks[0] else " ", question)
    before = _BEFORE.match(text)
    if text.rstrip().endswith(".") and not (before or _STARTS_ASKING.match(text)):
        return question, ""
    wanted, unwanted = (before["wanted"], before["unwanted"]) if before else _split_after(text)
    wanted, unwanted = wanted.strip(" ,"), unwanted.strip(" ,)")
    long_enough = len(_WORD.findall(wanted)) >= 2 and 1 <= len(_WORD.findall(unwanted)) <= _MOST_UNWANTED
    return (wanted, unwanted) if long_enough else (question, "")


def _split_after(text: str) -> tuple[str, str]:
    """Split a question whose unwanted half follows the wanted one."""
    after = _AFTER.search(text)
    if not after:
        return text, ""
    beside = after["beside"] and "," not in after["comma"]
    further = (_REST if beside else _NEXT_CLAUSE).search(after["unwanted"])
    end = after.start("unwanted") + further.start() if further else after.end()
    return text[: after.start()] + text[end:], text[after.start("unwanted") : end]
