"""What a question does not ask for: "papers about ferries, but not about rivers".

A sentence model places both halves of such a question near each other, and a list of words holds the words of both. So
the question is split at the words that exclude; only its wanted half is searched for, and candidates that are near the
other half are lowered. Words that exclude only at times ("without", "instead of", "unrelated to") split no question.
"""

import re

import numpy as np

from rag_platform.retrieval.search.fusion import fuse

_ABOUT = r"(?:\s+(?:about|on|regarding|concerning|those|any|anything|information|results|papers|documents|articles))*"
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
    rf"(?i)(?P<comma>,\s*|\s+)\(?(?:{_CUE})\s+(?P<unwanted>(?:[^?!;.\n]|\.(?=\w)|(?<=\b\w)\.(?=\s\w))+)"
)
_STARTS_ASKING = re.compile(rf"(?i)\W*(?:{_ASKS})\b")
_NEXT_CLAUSE = re.compile(rf"(?i),\s+(?=(?:{_ASKS})\b)")
# "the team aside from the Ducks to reside here": what follows tells of the team
_REST = re.compile(r"(?i)\s+(?=(?:that|to\s+[a-z]+|is|are|was|were|does|did|has|have|had|can|could|will|would)\b)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_MOST_UNWANTED = 25
"""Words: what is longer is the rest of a text rather than what somebody does not want."""

WEIGHT = 0.3
"""How far the candidate that is nearest to the unwanted half falls, where the first of all has a score of 1."""


def split(question: str) -> tuple[str, str]:
    """Return what is wanted and what is not; a question that excludes nothing is wanted as it is.

    A statement, such as a claim to be checked, is never split: it means what it denies.
    """
    if question.rstrip().endswith(".") and not (_STARTS_ASKING.match(question) or _BEFORE.match(question)):
        return question, ""
    before = _BEFORE.match(question)
    if before:
        wanted, unwanted = before["wanted"], before["unwanted"]
    else:
        after = _AFTER.search(question)
        if not after:
            return question, ""
        beside = after["beside"] and "," not in after["comma"]
        further = (_REST if beside else _NEXT_CLAUSE).search(after["unwanted"])
        end = after.start("unwanted") + further.start() if further else after.end()
        wanted, unwanted = question[: after.start()] + question[end:], question[after.start("unwanted") : end]
    wanted, unwanted = wanted.strip(" ,"), unwanted.strip(" ,)")
    asked, refused = len(_WORD.findall(wanted)), len(_WORD.findall(unwanted))
    return (wanted, unwanted) if asked >= 2 and 1 <= refused <= _MOST_UNWANTED else (question, "")


def penalties(lexical: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return what candidates lose for their nearness to the unwanted half: float32 in [0, WEIGHT].

    The square spares all but the nearest: whatever is about the question is somewhat near to both halves.

    Args:
        lexical: BM25 of the unwanted half, NaN where none of its words stands; float32, shape (n,).
        vector: Cosine similarity to the unwanted half, likewise.
    """
    return (WEIGHT * fuse(lexical, vector, "minmax", 0.5) ** 2).astype(np.float32)
