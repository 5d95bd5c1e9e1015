"""Ranked candidates to hits: near-duplicates collapsed, neighbours merged, the hits of one document limited."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, Literal, Protocol, TypedDict

from rag_platform.text.analysis.texts import has_unspaced
from rag_platform.text.shingles import shingles

_WIDTH = 3
_SAME = 0.7
"""Share of the shorter passage's words in a row from which it says nearly the same: chunks of two versions of a text
rarely begin and end at the same words."""
LONGEST = 4
"""Chunks that are merged at most: about what fits on a screen, and in a language model's attention."""
Relation = Literal["collapsed", "merged"]


class Row(Protocol):
    """The columns of a candidate by their names: `doc_id`, `ordinal`, `text` and `near`, its near-duplicate group."""

    def __getitem__(self, name: str, /) -> Any: ...


class GroupingOptions(TypedDict, total=False):
    """How candidates are grouped, as keyword arguments of `group_results`."""

    collapse: bool
    merge: bool
    per_document: int


@dataclass(slots=True)
class HitGroup:
    """The candidates that one hit stands for, as places in the ranking."""

    collapsed: list[int] = field(default_factory=list)
    """Passages of other documents that say nearly the same, best first."""
    merged: list[int] = field(default_factory=list)
    """Adjacent chunks of the same document, best first."""


@dataclass(slots=True)
class Grouping:
    """Which candidates become hits, and what happened to those ranked above the last of them."""

    groups: dict[int, HitGroup] = field(default_factory=dict)
    """By the place of the candidate that is the hit, best first."""
    over_limit: list[int] = field(default_factory=list)
    """Left out because their document has as many hits as it may."""
    least_k: list[int] = field(default_factory=list)
    """For each candidate, the least k with which it would have been considered."""

    @property
    def any_grouped(self) -> bool:
        """Return whether any candidate made way for others."""
        return bool(self.over_limit) or any(one.collapsed or one.merged for one in self.groups.values())

    def members(self) -> Iterator[tuple[int, int, Relation]]:
        """Yield (place, place of its hit, relation) of every candidate that a hit stands for beside its own."""
        for hit, group in self.groups.items():
            yield from ((place, hit, "collapsed") for place in group.collapsed)
            yield from ((place, hit, "merged") for place in group.merged)


def group_results(
    rows: Sequence[Row], k: int, *, collapse: bool = True, merge: bool = False, per_document: int = 0
) -> Grouping:
    """Choose the k best rows.

    Args:
        rows: candidates, best first.
        k: how many hits there may be.
        collapse: a passage that repeats a better one of another document belongs to that one's hit.
        merge: adjacent chunks become one hit, at most `LONGEST` of them.
        per_document: how many hits one document may have; 0: any number.
    """
    made, duplicates, most = Grouping(), _NearDuplicates(rows), 1
    for place in range(len(rows)):
        most = max(most, len(made.groups) + 1)
        made.least_k.append(most)
        original = duplicates.hit_of(place) if collapse else None
        if original is not None:
            made.groups[original].collapsed.append(place)
        elif len(made.groups) < k:
            adjacent = _adjacent_hits(rows, place, made.groups) if merge else []
            if adjacent:
                _merge(made.groups, adjacent, place)
                duplicates.move(adjacent[1:], adjacent[0])
            elif per_document and _hits_of_document(rows, place, made.groups) >= per_document:
                made.over_limit.append(place)
            else:
                made.groups[place] = HitGroup()
            if collapse and place not in made.over_limit:
                duplicates.add(place, adjacent[0] if adjacent else place)
    return made


def _hits_of_document(rows: Sequence[Row], place: int, groups: dict[int, HitGroup]) -> int:
    return sum(rows[hit]["doc_id"] == rows[place]["doc_id"] for hit in groups)


def _adjacent_hits(rows: Sequence[Row], place: int, groups: dict[int, HitGroup]) -> list[int]:
    """Return the hits, best first, that a chunk is adjacent to, as many as may become one hit with it."""
    found, size = [], 1
    for hit, group in groups.items():
        chunks = (hit, *group.merged)
        near = any(_adjacent(rows[place], rows[other]) for other in chunks)
        if near and size + len(chunks) <= LONGEST:
            found.append(hit)
            size += len(chunks)
    return found


def _adjacent(one: Row, other: Row) -> bool:
    return bool(one["doc_id"] == other["doc_id"] and abs(one["ordinal"] - other["ordinal"]) == 1)


def _merge(groups: dict[int, HitGroup], hits: Sequence[int], place: int) -> None:
    """Make one hit, the best, of these hits and the chunk between or beside them."""
    best, *others = hits
    groups[best].merged.append(place)
    for other in others:
        gone = groups.pop(other)
        groups[best].merged += [other, *gone.merged]
        groups[best].collapsed += gone.collapsed
    groups[best].merged.sort()
    groups[best].collapsed.sort()


class _Shown:
    """The passages of a near-duplicate group that are shown, and which of them hold each three words."""

    def __init__(self) -> None:
        self.hits: dict[int, int] = {}
        """Place of each -> place of its hit."""
        self._sizes: dict[int, int] = {}
        self._holders: dict[str, list[int]] = {}

    def repeated(self, found: set[str], shingles_of: Callable[[int], set[str]]) -> list[int]:
        """Return the places of those of which, or in which, a text of these three words in a row repeats most."""
        for place in [place for place in self.hits if place not in self._sizes]:
            own = shingles_of(place)  # not before something is compared with it
            self._sizes[place] = len(own)
            for shingle in own:
                self._holders.setdefault(shingle, []).append(place)
        common = self._holders.keys() & found
        counts = Counter(chain.from_iterable(map(self._holders.__getitem__, common))) if common else {}
        return [place for place, count in counts.items() if count >= _SAME * min(len(found), self._sizes[place])]


class _NearDuplicates:
    """Finds the hit that a passage of a near-duplicate document repeats."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._by_group: dict[str, _Shown] = {}

    def hit_of(self, place: int) -> int | None:
        """Return the hit that shows what this passage repeats; None: it repeats nothing."""
        shown = self._by_group.get(self._rows[place]["near"] or "")
        if shown is None or not any(map(partial(self._of_another, place), shown.hits)):
            return None
        repeated = shown.repeated(self._shingles_of(place), self._shingles_of)
        first = min(filter(partial(self._of_another, place), repeated), default=None)
        return None if first is None else shown.hits[first]

    def add(self, place: int, hit: int) -> None:
        """Compare later passages with this one too."""
        if group := self._rows[place]["near"]:
            self._by_group.setdefault(group, _Shown()).hits[place] = hit

    def move(self, hits: Sequence[int], into: int) -> None:
        """Assign what belonged to these hits to another one."""
        for shown in self._by_group.values() if hits else ():
            shown.hits.update({place: into for place, hit in shown.hits.items() if hit in hits})

    def _of_another(self, place: int, other: int) -> bool:
        return bool(self._rows[place]["doc_id"] != self._rows[other]["doc_id"])

    def _shingles_of(self, place: int) -> set[str]:
        return _word_shingles(self._rows[place]["text"])


def _word_shingles(text: str) -> set[str]:
    """Return every three words in a row; where there are blanks, with the marks beside them: that is quicker."""
    words = text.casefold().split()
    if len(words) < _WIDTH or (not text.isascii() and has_unspaced(text)):
        return shingles(text)
    return set(map(" ".join, zip(words, words[1:], words[2:], strict=False)))


def representatives(rows: Sequence[Row]) -> list[int]:
    """Return the place of what each row repeats, a better one of another document; its own if it repeats nothing."""
    duplicates, found = _NearDuplicates(rows), []
    for place in range(len(rows)):
        original = duplicates.hit_of(place)
        if original is None:
            duplicates.add(place, place)
        found.append(place if original is None else original)
    return found
