"""Are permissions kept? Every planted document is asked for as everybody else, and as its owner."""

from collections.abc import Iterator

from rag_platform.config.settings import Mode
from rag_platform.core.hits import Filters
from rag_platform.core.schemas import CANARY
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.retrieval import Retriever

_MODES: tuple[Mode, ...] = ("lexical", "vector", "rerank")
_MOST = 8
"""Canaries asked for, evenly chosen."""
_OTHERS = 3
"""Other principals that ask for each, beside the public: its next neighbours."""


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
