"""Does a claim say what its quote says, of the same things? By the words alone, whatever the language.

Words in common and a like meaning do not tell "A beat B" from "B beat A", nor 1998 from 1989. So claim and quote are
laid beside each other word by word, and what differs is looked at. Numbers and names must be the source's, and so must
a "not". Where the claim repeats the quote nearly word for word, it may leave words out; if it puts others in their
place, exchanges some, or loses or gains a "not", it is not called supported. It is called contradicted only by what
cannot be another way to say the same: another number or name, two names exchanged, a "not" more or less. A freer
paraphrase is not held to that: there a wrong role passes, for which docs/answers.md names further checks. Rules and
limits were chosen by benchmarks/corruptions.py and benchmarks/claims.py.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from rag_platform.answering.citations.wording import TELLING, Token, tokenize
from rag_platform.core.hits import Hit
from rag_platform.text.sentences import split_sentences

_NEAR = 0.7
"""Share of a claim's words that stand in the quote in their order, from which it is about the same."""
_REPEATS = 0.8
"""The same, from which what stands there in the place of other words is doubted, though it may mean what they do."""
_SAME = 0.95
"""Share of its words that stand in the quote in any order, from which it says the same or exchanges who did what."""
_SPELLING = 0.8
_EXCHANGED = 6
"""Telling words: a longer passage is summed up, a shorter one exchanged."""
_REPLACED = 3
"""Telling words, at most, of which one stands in the place of another."""
_NAMES = frozenset(["name", "capital"])


class _Change(NamedTuple):
    """A place in which claim and quote differ."""

    put: tuple[Token, ...]
    """What the claim has there."""
    left: tuple[Token, ...]
    """What the quote has there."""


def differences(claim: str, hit: Hit, span: tuple[int, int]) -> int:
    """Count what a source lacks of that which must agree: the claim's numbers, its names, and its "not".

    Args:
        claim: a sentence of an answer.
        hit: the source; its title, section and date may say what its text does not repeat.
        span: of the quote that is nearest to the claim, in the hit's text: a "not" must stand there.
    """
    said, quoted = tokenize(claim, hit.language), tokenize(hit.text[slice(*span)], hit.language)
    known = {word.key for word in (*tokenize(hit.text, hit.language), *_about(hit))}
    unknown = {word.kind for word in said if word.key not in known}
    negates, denied = (any(word.kind == "negation" for word in words) for words in (said, quoted))
    return len(unknown & {"number", "name"}) + (negates and not denied)


def has_all_numbers(claim: str, hit: Hit) -> bool:
    """Tell whether every number of a claim stands somewhere in the hit, its title, section or date."""
    known = {word.key for word in (*tokenize(hit.text, hit.language), *_about(hit))}
    return all(word.key in known for word in tokenize(claim, hit.language) if word.kind == "number")


def _about(hit: Hit) -> tuple[Token, ...]:
    return tokenize(f"{hit.title}\n{hit.section}\n{hit.published_at or ''}", hit.language)


def lay_beside(claim: str, hit: Hit, span: tuple[int, int]) -> "Beside":
    """Lay a claim beside a quote, given by its span in the hit's text, or the sentence of it that the claim repeats."""
    said, quote = tokenize(claim, hit.language), hit.text[slice(*span)]
    beside = Beside(said, tokenize(quote, hit.language))
    for start, end, _ in split_sentences(quote):
        alone = Beside(said, tokenize(quote[start:end], hit.language))
        beside = alone if alone.near >= _NEAR else beside  # what stands beside that sentence is no part of it
    return beside


class Beside:
    """A claim and a quote, laid beside each other."""

    def __init__(self, said: Sequence[Token], quoted: Sequence[Token]) -> None:
        matcher = SequenceMatcher(None, [word.key for word in said], [word.key for word in quoted], autojunk=False)
        self.near = sum(block.size for block in matcher.get_matching_blocks()) / max(1, len(said))
        self.changes = [
            _Change(tuple(said[start:end]), tuple(quoted[left:right]))
            for what, start, end, left, right in matcher.get_opcodes()
            if what != "equal"
        ]
        self.negations = sum(word.kind == "negation" for change in self.changes for words in change for word in words)
        """How many came and went."""
        self.said, self.quoted = ({word.key for word in words} for words in (said, quoted))
        words = Counter(word.key for word in said)
        self.same = (words & Counter(word.key for word in quoted)).total() / max(1, words.total())
        """Share of the claim's words that the quote has in any order."""
        self.capitals = any(word.kind in _NAMES for word in (*said, *quoted))

    @property
    def departs(self) -> bool:
        """Whether the claim repeats the quote with others in the place of its words: it may say the same or not."""
        if self.near < _NEAR:
            return self.same >= _SAME and self._reorders()
        changed = [change for change in self.changes if _negates(change) or _exchanges(change)]
        any_word = self.near >= _REPEATS or not self.capitals  # without capitals any word may be a name
        return any(any_word or _is_named(change) for change in changed) or self._reorders()

    @property
    def denies(self) -> bool:
        """Whether the quote surely says otherwise: with another number or name, of exchanged ones, or with a "not"."""
        if self.near < _NEAR:
            return False
        reversed_ = self.negations % 2 == 1 and any(map(_reverses, self.changes))
        return reversed_ or any(map(self._replaces, self.changes)) or self._swaps()

    def _replaces(self, change: _Change) -> bool:
        """Return whether a number or name that the quote lacks stands in the place of one that the claim lacks."""
        put, left = _telling(change.put), _telling(change.left)
        if max(len(put), len(left)) > _REPLACED:
            return False
        new = {word.kind for word in put if word.key not in self.quoted}
        return bool(new & {word.kind for word in left if word.key not in self.said} & {"number", "name"})

    def _swaps(self) -> bool:
        """Return whether two names stand each in the place of the other, and no other word came or went."""
        put = Counter(word.key for change in self.changes for word in change.put)
        names = {word.key for change in self.changes for word in change.put if word.kind in _NAMES}
        left = Counter(word.key for change in self.changes for word in change.left)
        return len(names) > 1 and put == left

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
                yield from ((one.key, other.key) for one, other in pairwise(words) if {one.kind, other.kind} <= TELLING)


def _negates(change: _Change) -> bool:
    """Tell whether a "not" came, or went alone: whoever leaves out a whole clause may leave out its "not"."""
    put, left = (sum(word.kind == "negation" for word in words) for words in (change.put, change.left))
    return put > left or (left > put and len(_telling(change.left)) <= (2 if change.put else 0))


def _reverses(change: _Change) -> bool:
    """Return whether a "not" came or went, with hardly another word."""
    put, left = (sum(word.kind == "negation" for word in words) for words in change)
    return put != left and max(len(_telling(change.put)), len(_telling(change.left))) <= 1


def _is_named(change: _Change) -> bool:
    """Return whether a name or number came or went."""
    return any(word.kind in ("name", "number") for words in change for word in words)


def _exchanges(change: _Change) -> bool:
    """Tell whether words stand in the place of others."""
    put, left = _telling(change.put), _telling(change.left)
    if not put or not left or len(left) > max(_EXCHANGED, 2 * len(put)):
        return False
    return not all(any(_spelt_alike(one, other) for other in left) for one in put)


def _telling(words: Sequence[Token]) -> list[Token]:
    return [word for word in words if word.kind in TELLING]


def _spelt_alike(one: Token, other: Token) -> bool:
    if "number" in (one.kind, other.kind) or one.key[0] != other.key[0]:
        return one.key == other.key
    return SequenceMatcher(None, one.key, other.key, autojunk=False).ratio() >= _SPELLING
