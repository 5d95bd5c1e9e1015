"""Candidates, best first, to a list for people: repeats folded, neighbours merged, no document crowding out others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rag_platform.text.analysis.texts import has_unspaced
from rag_platform.text.shingles import shared, shingles

_WIDTH = 3
_SAME = 0.7
"""Share of the shorter passage's words in a row from which it says nearly the same: chunks of two versions of a text
rarely begin and end at the same words."""
LONGEST = 4
"""Chunks that are merged at most: about what fits on a screen, and in a language model's attention."""


class Row(Protocol):
    """The columns of a candidate by their names."""

    def __getitem__(self, name: str, /) -> object: ...


@dataclass(slots=True)
class KeptHit:
    """What stands behind one hit, as places in the list of candidates."""

    folded: list[int] = field(default_factory=list)
    """Passages of other documents that say nearly the same, best first."""
    merged: list[int] = field(default_factory=list)
    """Chunks of the same document that stand beside it, best first."""


@dataclass(slots=True)
class Arrangement:
    """Which candidates become hits, and what became of those that stood before the last of them."""

    kept: dict[int, KeptHit] = field(default_factory=dict)
    """By place, best first."""
    crowded: list[int] = field(default_factory=list)
    """Left out because their document has as many hits as it may."""
    needed: list[int] = field(default_factory=list)
    """For each candidate, the least k with which it would have been considered."""

    @property
    def saved(self) -> bool:
        """Tell whether any candidate made way for others."""
        return bool(self.crowded) or any(one.folded or one.merged for one in self.kept.values())


def arrange(
    rows: Sequence[Row], k: int, *, fold: bool = True, merge: bool = False, per_document: int = 0
) -> Arrangement:
    """Choose the k best rows.

    Args:
        rows: candidates, best first: `doc_id`, `ordinal`, `text` and `near`, the group of their document.
        k: how many to keep.
        fold: take no passage that repeats a better one of another document.
        merge: make one hit of chunks that stand beside each other; at most `LONGEST` of them.
        per_document: how many hits of one document are taken; 0: any number.
    """
    made, repeats, most = Arrangement(), _Repeats(rows), 1
    for place in range(len(rows)):
        most = max(most, len(made.kept) + 1)
        made.needed.append(most)
        original = repeats.of(place) if fold else None
        if original is not None:
            made.kept[original].folded.append(place)
        elif len(made.kept) < k:
            beside = _beside(rows, place, made.kept) if merge else []
            if beside:
                _merge(made.kept, beside, place)
                repeats.move(beside[1:], beside[0])
            elif per_document and _hits_of(rows, place, made.kept) >= per_document:
                made.crowded.append(place)
            else:
                made.kept[place] = KeptHit()
            if fold and place not in made.crowded:
                repeats.add(place, beside[0] if beside else place)
    return made


def _hits_of(rows: Sequence[Row], place: int, kept: dict[int, KeptHit]) -> int:
    return sum(rows[other]["doc_id"] == rows[place]["doc_id"] for other in kept)


def _beside(rows: Sequence[Row], place: int, kept: dict[int, KeptHit]) -> list[int]:
    """Return the hits, best first, that a chunk stands beside, as many as may become one hit with it."""
    found, size = [], 1
    for hit, behind in kept.items():
        chunks = (hit, *behind.merged)
        near = any(_neighbours(rows[place], rows[other]) for other in chunks)
        if near and size + len(chunks) <= LONGEST:
            found.append(hit)
            size += len(chunks)
    return found


def _neighbours(one: dict, other: dict) -> bool:
    return one["doc_id"] == other["doc_id"] and abs(one["ordinal"] - other["ordinal"]) == 1


def _merge(kept: dict[int, KeptHit], hits: Sequence[int], place: int) -> None:
    """Make one hit, the best, of these hits and the chunk between or beside them."""
    best, *others = hits
    kept[best].merged.append(place)
    for other in others:
        gone = kept.pop(other)
        kept[best].merged += [other, *gone.merged]
        kept[best].folded += gone.folded
    kept[best].merged.sort()
    kept[best].folded.sort()


class _Repeats:
    """Finds the hit that a passage of a near-duplicate repeats."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._by_group: dict[str, dict[int, int]] = {}
        """Group of documents -> place of each of its passages that are shown -> place of its hit."""
        self._words: dict[int, set[str]] = {}

    def of(self, place: int) -> int | None:
        """Return the hit that shows what this passage repeats; None: it repeats nothing."""
        shown = self._by_group.get(self._rows[place]["near"] or "", {})
        return next((hit for other, hit in shown.items() if self._same(place, other)), None)

    def add(self, place: int, hit: int) -> None:
        """Let others be compared with this passage."""
        if group := self._rows[place]["near"]:
            self._by_group.setdefault(group, {})[place] = hit

    def move(self, hits: Sequence[int], into: int) -> None:
        """Let what these hits showed be shown by another."""
        for shown in self._by_group.values():
            shown.update({place: into for place, hit in shown.items() if hit in hits})

    def _same(self, place: int, other: int) -> bool:
        if self._rows[place]["doc_id"] == self._rows[other]["doc_id"]:
            return False
        return shared(self._shingles(place), self._shingles(other)) >= _SAME

    def _shingles(self, place: int) -> set[str]:
        if place not in self._words:
            self._words[place] = _in_a_row(self._rows[place]["text"])
        return self._words[place]


def _in_a_row(text: str) -> set[str]:
    """Return every three words in a row; where there are blanks, with the marks beside them: that is quicker."""
    words = text.casefold().split()
    if len(words) < _WIDTH or (not text.isascii() and has_unspaced(text)):
        return shingles(text)
    return set(map(" ".join, zip(words, words[1:], words[2:], strict=False)))


def originals(rows: Sequence[Row]) -> list[int]:
    """Return the place of what each row repeats, a better one of another document; its own if it repeats nothing."""
    repeats, found = _Repeats(rows), []
    for place in range(len(rows)):
        original = repeats.of(place)
        if original is None:
            repeats.add(place, place)
        found.append(place if original is None else original)
    return found


def pairs(made: Arrangement) -> Iterator[tuple[int, int, str]]:
    """Yield (place, place of its hit, "folded" or "merged") of every candidate that stands behind a hit."""
    for hit, behind in made.kept.items():
        yield from ((place, hit, "folded") for place in behind.folded)
        yield from ((place, hit, "merged") for place in behind.merged)
