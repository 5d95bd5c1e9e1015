"""Does a claim say what its quote says, of the same things? By the words alone, whatever the language.

Words in common and a like meaning do not tell "A beat B" from "B beat A", nor 1998 from 1989. So claim and quote are
laid beside each other word by word, and what differs is looked at. Numbers, names, units and most of the other words
must be the source's. Where the claim repeats the quote nearly word for word, it may leave words out, but put no others
in their place, exchange none, and neither lose nor gain a "not". A freer paraphrase is not held to that: there a wrong
role passes, for which docs/answers.md names further checks. Rules and limits were chosen by benchmarks/corruptions.py.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from rag_platform.answering.citations.wording import Token, tokenize
from rag_platform.core.hits import Hit
from rag_platform.text.sentences import split_sentences

_NEAR = 0.7
"""Share of a claim's words that stand in the quote in their order, from which it repeats the quote."""
_RETELLS = 0.5
"""The same, from which a "not" more or less is of the same statement."""
_FOREIGN = 0.25
"""Share of a claim's telling words that are nowhere in the hit, from which it says something else."""
_SAME = 0.95
"""Share of its words that stand in the quote in any order, from which it says the same or exchanges who did what."""
_SPELLING = 0.8
_EXCHANGED = 6
"""Telling words: a longer passage is summed up, a shorter one exchanged."""
_TELLING = frozenset(["number", "name", "capital", "other"])
_NAMES = frozenset(["name", "capital"])


class _Change(NamedTuple):
    """A place in which claim and quote differ."""

    put: tuple[Token, ...]
    """What the claim has there."""
    left: tuple[Token, ...]
    """What the quote has there."""


def is_faithful(claim: str, hit: Hit, span: tuple[int, int]) -> bool:
    """Tell whether a claim takes over from a quote what it says, without another number, name, unit, order or "not".

    Args:
        claim: a sentence of an answer.
        hit: where the quote stands; its title, section and date may say what the quote does not repeat.
        span: of the quote, in the hit's text.
    """
    said = tokenize(claim, hit.language)
    quote = hit.text[slice(*span)]
    about = tokenize(f"{hit.title}\n{hit.section}\n{hit.published_at or ''}", hit.language)
    known = {word.key for word in (*tokenize(hit.text, hit.language), *about)}
    quoted = tokenize(quote, hit.language)
    if _foreign(said, known) or _other_number(said, {word.key for word in (*quoted, *about)}):
        return False
    return not _beside(said, quote, hit.language).contradicts


def contradicts(claim: str, hit: Hit, span: tuple[int, int]) -> bool:
    """Return whether a quote says the same as a claim of others, with another number, or with a "not" more or less."""
    return _beside(tokenize(claim, hit.language), hit.text[slice(*span)], hit.language).contradicts


def has_all_numbers(claim: str, hit: Hit) -> bool:
    """Tell whether every number of a claim stands somewhere in the hit, its title, section or date."""
    source = f"{hit.text}\n{hit.title}\n{hit.section}\n{hit.published_at or ''}"
    return not _other_number(tokenize(claim, hit.language), {word.key for word in tokenize(source, hit.language)})


def _foreign(said: Sequence[Token], known: set[str]) -> bool:
    """Tell whether the claim names what the hit does not, or has too many other words of its own."""
    telling = [word for word in said if word.kind in _TELLING]
    unknown = [word for word in telling if word.key not in known]
    named = any(word.kind == "name" for word in unknown)
    return named or len(unknown) >= _FOREIGN * max(2, len(telling)) or _other_unit(said, known)


def _other_unit(said: Sequence[Token], known: set[str]) -> bool:
    """Tell whether a number of the claim is followed by a word that the hit does not have."""
    pairs = pairwise(said)
    return any(left.kind == "number" and word.kind in _TELLING and word.key not in known for left, word in pairs)


def _other_number(said: Sequence[Token], known: set[str]) -> bool:
    return any(word.kind == "number" and word.key not in known for word in said)


def _beside(said: Sequence[Token], quote: str, language: str) -> "_Beside":
    """Lay a claim beside a quote, or beside the sentence of it that the claim repeats."""
    beside = _Beside(said, tokenize(quote, language))
    for start, end, _ in split_sentences(quote):
        alone = _Beside(said, tokenize(quote[start:end], language))
        beside = alone if alone.near >= _NEAR else beside  # what stands beside that sentence is no part of it
    return beside


class _Beside:
    """A claim and a quote, laid beside each other."""

    def __init__(self, said: Sequence[Token], quoted: Sequence[Token]) -> None:
        matcher = SequenceMatcher(None, [word.key for word in said], [word.key for word in quoted], autojunk=False)
        self.near = sum(block.size for block in matcher.get_matching_blocks()) / max(1, len(said))
        self.changes = [
            _Change(tuple(said[start:end]), tuple(quoted[left:right]))
            for what, start, end, left, right in matcher.get_opcodes()
            if what != "equal"
        ]
        words = Counter(word.key for word in said)
        self.same = (words & Counter(word.key for word in quoted)).total() / max(1, words.total())
        """Share of the claim's words that the quote has in any order."""
        self.capitals = any(word.kind in _NAMES for word in (*said, *quoted))

    @property
    def contradicts(self) -> bool:
        """Whether the claim says the same of others, or the opposite."""
        if self.near >= _RETELLS and any(map(_negates, self.changes)):
            return True
        if self.near >= _NEAR and any(map(_exchanges, self.changes)):
            return True
        return (self.near >= _NEAR or self.same >= _SAME) and self._reorders()

    def _reorders(self) -> bool:
        """Tell whether a name went from one place to another; without capitals, any two words in a row may be one."""
        put = Counter(self._movable([change.put for change in self.changes]))
        left = Counter(self._movable([change.left for change in self.changes]))
        return bool(put & left)

    def _movable(self, changed: Sequence[tuple[Token, ...]]) -> Iterator[tuple[str, ...]]:
        for words in changed:
            if self.capitals:
                yield from ((word.key,) for word in words if word.kind in _NAMES)
            else:
                yield from (
                    (one.key, other.key) for one, other in pairwise(words) if {one.kind, other.kind} <= _TELLING
                )


def _negates(change: _Change) -> bool:
    """Tell whether a "not" came, or went alone: whoever leaves out a whole clause may leave out its "not"."""
    put, left = (sum(word.kind == "negation" for word in words) for words in (change.put, change.left))
    return put > left or (left > put and len(_telling(change.left)) <= (2 if change.put else 0))


def _exchanges(change: _Change) -> bool:
    """Tell whether words stand in the place of others."""
    put, left = _telling(change.put), _telling(change.left)
    if not put or not left or len(left) > max(_EXCHANGED, 2 * len(put)):
        return False
    return not all(any(_spelt_alike(one, other) for other in left) for one in put)


def _telling(words: Sequence[Token]) -> list[Token]:
    return [word for word in words if word.kind in _TELLING]


def _spelt_alike(one: Token, other: Token) -> bool:
    if "number" in (one.kind, other.kind) or one.key[0] != other.key[0]:
        return one.key == other.key
    return SequenceMatcher(None, one.key, other.key, autojunk=False).ratio() >= _SPELLING
