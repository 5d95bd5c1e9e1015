"""Do two sentences of different documents answer a question differently, or alike? By their words alone.

Three signs count. Laid beside each other, the sentences are the same but for one number, name or "not". Or both speak
of what is asked, and where the question asks for a number or a time, each gives another one. Or one of them says the
question again, word for word, and then a number or a name that the other does not have. That sources conflict is said
and not decided (Wang et al., "Astute RAG", 2024; Chen, Zhang and Choi, "Rich Knowledge Sources Bring Complex Knowledge
Conflicts", EMNLP 2022). Sentences that differ in more than one such place speak of different things, such as
the same figure of two years: they are not compared. Limits were chosen by benchmarks/poison.py.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal

from rag_platform.answering.agreement.origins import restates
from rag_platform.answering.citations.wording import Token, tokenize
from rag_platform.answering.coverage import coverage

Relation = Literal["agree", "disagree"]
_ALIGNED = 0.65
"""Share of the words of both sentences, in their order, from which they are the same sentence but for a few places."""
_LONG = 10
"""Words of a sentence that is not the same as another one by chance."""
_ABOUT = 0.75
"""Share of the question's words, by rarity, that both sentences have to have to be answers to it."""
_NEARLY = 0.5
"""The same, of a sentence beside one that says the question again and answers it."""
_FEWEST = 4
"""Words that aligned sentences share at least."""
_TELLING = frozenset(["number", "name", "capital", "other"])
_ASKS_NUMBER = re.compile(
    r"\b(?:how (?:many|much|old|long|far|tall|high|often)|when|what (?:year|date|percentage|number|age)|(?:in )?which "
    r"year|wie ?viele?|wann|in welchem jahr|wie (?:alt|lange|hoch)|cuánt[oa]s?|cuándo|en qué año|combien|quand|quelle "
    r"année|quant[ie]|quando|quant[ao]s|kuinka (?:monta|paljon)|milloin|minä vuonna|hur många|när|hoeveel|wanneer|"
    r"сколько|когда)\b|कितन|कब|多少|几|何时|哪一?年|什么时候|いくつ|いつ|何年|몇|언제|كم|متى",
    re.IGNORECASE,
)


def relation(question: str, weights: dict[str, float], one: str, other: str, language: str) -> Relation | None:
    """Return whether two sentences agree or disagree about a question; None: that cannot be told.

    Args:
        question: what is asked.
        weights: the rarity of its terms.
        one: a sentence.
        other: another one, in the same language.
        language: of both.
    """
    left, right = tokenize(one, language), tokenize(other, language)
    changes = _changes(left, right)
    if changes is not None:
        return _of_changes(changes, alike=min(len(left), len(right)) >= _LONG and len(changes) == 1)
    asked, about = tokenize(question, language), [coverage(weights, text, language) for text in (one, other)]
    if restates(question, one) != restates(question, other):
        kinds = ("number",) if _ASKS_NUMBER.search(question) else ("number", "name")
        return _of_values(asked, left, right, kinds) if min(about) >= _NEARLY else None
    return (
        _of_values(asked, left, right, ("number",)) if min(about) >= _ABOUT and _ASKS_NUMBER.search(question) else None
    )


def _changes(left: Sequence[Token], right: Sequence[Token]) -> list[tuple[Sequence[Token], Sequence[Token]]] | None:
    """Return the places in which two sentences differ, if they are otherwise one; of it, one may have more."""
    matcher = SequenceMatcher(None, [word.key for word in left], [word.key for word in right], autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    if same < _FEWEST or same < _ALIGNED * min(len(left), len(right)):
        return None
    return [(left[a:b], right[c:d]) for what, a, b, c, d in matcher.get_opcodes() if what == "replace"] + [
        (left[a:b], right[c:d])
        for what, a, b, c, d in matcher.get_opcodes()
        if what in ("insert", "delete") and any(word.kind == "negation" for word in (*left[a:b], *right[c:d]))
    ]


def _of_changes(changes: Sequence[tuple[Sequence[Token], Sequence[Token]]], *, alike: bool) -> Relation | None:
    telling = [(_told(one), _told(other)) for one, other in changes]
    exchanged = [(one, other) for one, other in telling if one and other]
    negated = [
        change for change in changes if _negations(change[0]) != _negations(change[1]) and max(map(len, change)) <= 2
    ]
    if not exchanged and not negated:
        return "agree"
    if len(exchanged) + len(negated) > 1:
        return None
    return "disagree" if negated or _rival(*exchanged[0], alike=alike) else None


def _rival(one: Sequence[Token], other: Sequence[Token], *, alike: bool) -> bool:
    """Tell whether two pieces are other values of one thing: both numbers, or both names, with no word in common.

    Whatever stands in the only place in which long sentences differ is such a value.
    """
    if {word.key for word in one} & {word.key for word in other} or max(len(one), len(other)) > 4:
        return False
    kinds = [{"name" if word.kind == "capital" else word.kind for word in words} for words in (one, other)]
    return alike or any(kind in kinds[0] and kind in kinds[1] for kind in ("number", "name"))


def _of_values(
    asked: Sequence[Token], left: Sequence[Token], right: Sequence[Token], kinds: Sequence[str]
) -> Relation | None:
    """Compare the values that sentences give and the question does not, of the first kind that both give."""
    known = {word.key for word in asked}
    for kind in kinds:
        one, other = ({word.key for word in words if word.kind == kind} - known for words in (left, right))
        if one and other:
            lone = kind == "name" or len(one) == len(other) == 1
            return "agree" if one & other else "disagree" if lone else None
    return None


def _told(words: Sequence[Token]) -> list[Token]:
    return [word for word in words if word.kind in _TELLING]


def _negations(words: Sequence[Token]) -> int:
    return sum(word.kind == "negation" for word in words)
