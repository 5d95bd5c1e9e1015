"""Hits that repeat a better one: a passage of a near-duplicate is folded into the hit that says the same."""

from collections.abc import Sequence

from rag_platform.documents.shingles import shared, shingles

_SAME = 0.7
"""Share of the shorter passage's words in a row from which it says nearly the same: chunks of two versions of a text
rarely begin and end at the same words."""


def fold(rows: Sequence[dict], near: Sequence[int], documents: Sequence[int], k: int) -> dict[int, list[int]]:
    """Return the places of the k best rows that repeat no better one, each with the places of those that repeat it.

    Args:
        rows: candidates, best first; the `text` of those is read that another document of their group precedes.
        near: the group of each row's document; -1: none.
        documents: each row's document.
        k: how many to keep.
    """
    kept: dict[int, list[int]] = {}
    by_group: dict[int, list[int]] = {}
    words: dict[int, set[str]] = {}
    for place, group in enumerate(near):
        better = by_group.setdefault(group, []) if group >= 0 else []
        others = (other for other in better if documents[other] != documents[place])
        original = next((other for other in others if _repeats(rows, place, other, words)), None)
        if original is not None:
            kept[original].append(place)
        elif len(kept) < k:
            kept[place] = []
            better.append(place)
    return kept


def _repeats(rows: Sequence[dict], place: int, other: int, words: dict[int, set[str]]) -> bool:
    for one in (place, other):
        if one not in words:
            words[one] = shingles(rows[one]["text"])
    return shared(words[place], words[other]) >= _SAME
