"""Are permissions kept? No hit is one that its asker may not read, and every planted document is asked for."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import polars as pl

from evals.questions.question import Question
from rag_platform.config.settings import Mode
from rag_platform.core.hits import Duplicate, Filters, Hit
from rag_platform.core.principals import PUBLIC
from rag_platform.core.schemas import CANARY
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.retrieval import Retriever

MayRead = Callable[[str, str | None], bool]
"""Given a document's id and who asks: may they read it now?"""
_MODES: tuple[Mode, ...] = ("lexical", "vector", "rerank")
_MOST = 8
"""Canaries asked for, evenly chosen."""
_OTHERS = 3
"""Other principals that ask for each, beside the public: its next neighbours."""


def leaks(found: Iterable[tuple[Question, Sequence[Hit]]], may_read: MayRead) -> Iterator[str]:
    """Name what was shown to somebody who may not read it, also what was collapsed into a hit."""
    for question, hits in found:
        for hit in chain.from_iterable(map(_passages, hits)):
            if not may_read(hit.doc_id, question.principal):
                asker = question.principal or "everyone"
                yield f"{question.id}: {hit.uri!r} was shown to {asker!r}, who may not read it"


def _passages(hit: Hit) -> tuple[Hit | Duplicate, ...]:
    return (hit, *hit.duplicates)


def named_readers(documents: pl.DataFrame) -> MayRead:
    """Let those read a document whom it names."""
    if "principals" not in documents.columns:
        return lambda _doc_id, _principal: True
    readers = dict(documents.select("doc_id", "principals").iter_rows())
    return lambda doc_id, principal: not {PUBLIC, principal}.isdisjoint(readers.get(doc_id) or ())


def leaked_canaries(version: OpenVersion, retriever: Retriever) -> list[str]:
    """Return what is wrong: a canary that somebody else finds, or one that its owner does not find."""
    canaries = version.catalog.canaries()
    step = -(-len(canaries) // _MOST) or 1
    problems: list[str] = []
    for place in range(0, len(canaries), step):
        owner, words = canaries[place]
        others = [canaries[(place + offset) % len(canaries)][0] for offset in range(1, _OTHERS + 1)]
        askers = [None, *dict.fromkeys(other for other in others if other != owner)]
        for mode in _MODES:
            problems += _problems(retriever, mode, owner, words, askers)
        problems += _unreadable(version, retriever, words)
    return list(dict.fromkeys(problems))


def _problems(retriever: Retriever, mode: Mode, owner: str, words: str, askers: list[str | None]) -> Iterator[str]:
    for asker in askers:
        if f"{CANARY}:{owner}" in _found(retriever, mode, words, asker):
            yield (
                f"The planted document of {owner!r} was found by {asker or 'everyone'!r} in {mode} search: "
                "permissions are not kept."
            )
    if f"{CANARY}:{owner}" not in _found(retriever, mode, words, owner):
        yield (
            f"The planted document of {owner!r} was not found by {owner!r} in {mode} search, so that the check of "
            "permissions is blind."
        )


def _found(retriever: Retriever, mode: Mode, words: str, asker: str | None) -> set[str]:
    filters = Filters(types=(CANARY,), principals=(asker,) if asker else ())
    return {hit.uri for hit in retriever.search(words, mode=mode, filters=filters).hits}


def _unreadable(version: OpenVersion, retriever: Retriever, words: str) -> Iterator[str]:
    """Search as people do, for whom canaries are hidden: what is found must be readable."""
    for hit in retriever.search(words).hits:
        if version.document(hit.doc_id) is None:
            yield f"{hit.uri!r} was found by everyone, who may not read it."
