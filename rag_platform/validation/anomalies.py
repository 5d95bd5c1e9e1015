"""The ways in which a source changes that do not look like its own doing, counted and told."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import polars as pl
from rapidfuzz.distance import Prefix

from rag_platform.core.principals import PUBLIC
from rag_platform.validation import text_losses
from rag_platform.validation.change_report import Example
from rag_platform.validation.document_pairs import New, Pair, Side
from rag_platform.validation.error_pages import stands_in
from rag_platform.validation.likeness import alike

READERS = "readers"
"""The anomaly of documents that more people may read than before."""
_SHOWN = 400
"""Characters of a text in an example."""
_BEFORE = 60
"""Characters before the first difference."""


@dataclass(frozen=True, slots=True)
class Finding:
    """How many documents of a source changed in one way."""

    name: str
    became: str
    """What became of them, after "12 of 40 documents"."""
    documents: int
    of: int
    examples: tuple[Example, ...] = ()

    @classmethod
    def of_pairs(cls, name: str, became: str, pairs: Sequence[Pair], of: int, looked_at: float) -> "Finding":
        """Count these documents, which were found among that share of what changed, and show three."""
        return cls(name, became, round(len(pairs) / looked_at), of, examples(name, pairs))


def of_changed(pairs: Sequence[Pair], of: int, looked_at: float = 1.0) -> list[Finding]:
    """Count in which ways documents changed.

    Args:
        pairs: those that changed, or a part of them.
        of: documents that the source had.
        looked_at: the share of the changed ones that `pairs` are.
    """
    found = {name: [pair for pair in pairs if question(pair)] for name, (question, _) in _EACH.items()}
    found["alike"] = _became_alike(pairs)
    told = {name: became for name, (_, became) in _EACH.items()} | {"alike": "say nearly the same as each other now"}
    return [Finding.of_pairs(name, told[name], these, of, looked_at) for name, these in found.items()]


def widened(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the documents that more people may read than before."""
    return [pair for pair in pairs if pair.now.read and _wider(pair.then.principals, pair.now.principals)]


def widened_ids(then: pl.DataFrame, now: pl.DataFrame) -> list[str]:
    """Return the documents (`doc_id`) that more people may read than before; columns `doc_id` and `principals`."""
    columns = ["doc_id", "principals"]
    both = then.select(columns).join(now.select(columns), on="doc_id", suffix="_now")
    return [one for one, was, now in both.iter_rows() if _wider(frozenset(was or ()), frozenset(now or ()))]


def returned(pairs: Sequence[Pair], earlier: Collection[tuple[str, str]]) -> list[Pair]:
    """Return the documents whose text is one that they had before the live one: `earlier` has (uri, revision)."""
    rewritten = (pair for pair in pairs if pair.now.revision != pair.then.revision)
    return [pair for pair in rewritten if (pair.uri, pair.now.revision) in earlier]


def examples(name: str, pairs: Iterable[Pair | New]) -> tuple[Example, ...]:
    """Show three of them, each as it was and as it is."""
    return tuple(_example(name, pair) for pair in list(pairs)[:3])


def _example(name: str, pair: Pair | New) -> Example:
    if isinstance(pair, New):
        return Example(pair.uri, "", _shown(name, pair.now, 0))
    at = 0 if name in ("language", "type", "dates", "readers") else _first_difference(pair.then.text, pair.now.text)
    return Example(pair.uri, _shown(name, pair.then, at), _shown(name, pair.now, at))


def _shown(name: str, side: Side, at: int) -> str:
    """Return what tells the difference of a side, with its text from a little before that place."""
    text = ("… " if at else "") + side.text[at : at + _SHOWN].strip()
    said = _TELLING[name](side) if name in _TELLING else ""
    return f"({said}) {text}" if said else text or (f"({side.reason})" if side.reason else "")


def _first_difference(one: str, other: str) -> int:
    return max(0, Prefix.similarity(one, other) - _BEFORE)


def _became_alike(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the documents that another one is nearly like now, and none was."""
    now, then = alike([pair.now.text for pair in pairs]), alike([pair.then.text for pair in pairs])
    return [pair for pair, is_alike, was in zip(pairs, now, then, strict=True) if is_alike and not was]


def _errors(pair: Pair) -> bool:
    return stands_in(pair.now.title, pair.now.text) and not stands_in(pair.then.title, pair.then.text)


def _wider(then: frozenset[str], now: frozenset[str]) -> bool:
    return bool(now - then) and PUBLIC not in then and (PUBLIC in now or then < now or not now & then)


def _dated(side: Side) -> str:
    dates = (("published", side.published_at), ("updated", side.updated_at))
    return ", ".join(f"{name} {date:%Y-%m-%d %H:%M}" for name, date in dates if date) or "no date"


_TELLING: dict[str, Callable[[Side], str]] = {
    "language": lambda side: side.language,
    "type": lambda side: side.type if side.type == side.format else f"{side.type}, {side.format}",
    "dates": _dated,
    "readers": lambda side: "readers: " + ", ".join(sorted(side.principals)),
}
_EACH: dict[str, tuple[Callable[[Pair], bool], str]] = {
    "errors": (_errors, "are error, log-in, maintenance or cookie pages now"),
    "empty": (text_losses.empty, "are empty now, or cannot be read"),
    "shorter": (text_losses.shorter, "lost most of their text"),
    "truncated": (text_losses.truncated, "were cut off: only a beginning is left"),
    "language": (text_losses.language, "are in another language now"),
    "type": (text_losses.type_, "are of another type or format now"),
    "structure": (text_losses.structure, "lost their headings, tables, lists or code"),
    "garbled": (text_losses.garbled, "were read in the wrong encoding"),
    "order": (text_losses.order, "have the same words in another order or in other fields"),
    "dates": (text_losses.dates, "lost a date or have an older one than before"),
}
