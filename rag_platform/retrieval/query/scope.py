"""What a question says it is to be answered from: `#collection` and `@document`, taken out of its words.

Both only ever narrow what its asker may search. What names nothing that they may read stays a part of the words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rag_platform.core.hits import Filters
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.retrieval.query.syntax import Sign, scope_signs

MOST = 100
"""Documents that one name may stand for: several may have the same title."""
NOTHING = "\0"
"""A value that no document has: what is left of two filters that exclude each other."""


@dataclass(frozen=True, slots=True)
class Scoped:
    """A question, and where it is to be answered from."""

    text: str
    """Without the signs."""
    filters: Filters
    """The asker's, narrowed."""
    named: tuple[tuple[str, str], ...] = ()
    """("collection", its id) or ("document", as it was called) of each sign."""


def scoped(question: str, index: OpenVersion, filters: Filters) -> Scoped:
    """Take the signs out of a question; several collections, and several documents, are alternatives."""
    found = [(sign, _meant(sign, index, filters.principals)) for sign in scope_signs(question)]
    taken = [(sign, meant) for sign, meant in found if meant]
    if not taken:
        return Scoped(question, filters)
    for kind in ("collection", "document"):
        meant = tuple(dict.fromkeys(one for sign, values in taken if sign.field == kind for one in values))
        if meant:
            filters = replace(filters, **{f"{kind}s": narrowed(getattr(filters, f"{kind}s"), meant)})
    named = tuple((sign.field, meant[0] if sign.field == "collection" else sign.text) for sign, meant in taken)
    left = _without(question, [sign for sign, _ in taken])
    return Scoped(left if any(map(str.isalnum, left)) else question, filters, named)


def narrowed(chosen: Sequence[str], meant: Sequence[str]) -> Any:
    """Return what two lists of alternatives leave, an empty one being everything: a tuple that is never empty."""
    return tuple(one for one in meant if not chosen or one in chosen) or (NOTHING,)


def _meant(sign: Sign, index: OpenVersion, principals: tuple[str, ...]) -> list[str]:
    if sign.field == "document":
        return index.catalog.called(sign.text, principals, MOST)
    known = index.catalog.facets(principals)["collection"]
    return [name for name in known if name.casefold() == sign.text.casefold()]


def _without(question: str, taken: Sequence[Sign]) -> str:
    for sign in reversed(taken):
        question = question[: sign.start] + question[sign.end :]
    return " ".join(question.split())
