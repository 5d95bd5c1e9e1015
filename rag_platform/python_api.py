"""Ask and search from a program: ``from rag_platform import ask, search``."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from rag_platform.config.settings import Mode, home_folder
from rag_platform.core.answers import Answer, Turn
from rag_platform.core.hits import Filters, Match
from rag_platform.retrieval.results import SearchResult
from rag_platform.workspace import Workspace, open_workspace

_OPEN = 4
"""Workspaces that are kept open: each holds a model and its index in memory."""


def ask(
    question: str,
    *,
    home: str | Path | None = None,
    generator: str | None = None,
    history: Sequence[Turn] = (),
    k: int | None = None,
    mode: Mode | None = None,
    principals: Sequence[str] = (),
    collections: Sequence[str] = (),
    sources: Sequence[str] = (),
    languages: Sequence[str] = (),
    types: Sequence[str] = (),
    tags: Sequence[str] = (),
    since: datetime | None = None,
    until: datetime | None = None,
    match: Match | None = None,
) -> Answer:
    """Answer a question from the live version, every sentence cited, and leave a receipt.

    Args:
        question: in any language.
        home: the workspace's folder; None: RAG_HOME, else the current folder. It is opened once, with the settings that
            it has then.
        generator: the name of the one that writes the answer; None: the default.
        history: what was asked and answered before in the same chat, oldest first.
        k: how many hits the answer is written from; None: as set.
        mode: "lexical", "vector", "hybrid" or "rerank"; None: as set.
        principals: who asks: a user and its groups; none: the public.
        collections: only documents of one of these; none: of all. Likewise `sources`, `languages` and `types`.
        sources: their ids.
        languages: ISO 639-1.
        types: such as "pdf".
        tags: only documents that carry all of these.
        since: only documents published at or after this moment, which has a time zone.
        until: only documents published before this moment.
        match: what a passage must hold: "any" word, "all" words, the "exact" text, or that as a "part"; None: as set.

    Returns:
        The answer; when the documents hold none, `abstained` is true.

    Raises:
        SettingsError: rag.toml is wrong, or there is no such generator.
        NothingPublished: the workspace has no live version yet.
        RagError: anything else that the library raises on purpose.
    """
    filters = _filters(principals, collections, sources, languages, types, tags, since, until, match)
    answerer = _workspace(home_folder(home)).answerer
    return answerer.ask(question, generator=generator, history=history, k=k, mode=mode, filters=filters)


def search(
    question: str,
    *,
    home: str | Path | None = None,
    k: int = 10,
    mode: Mode | None = None,
    principals: Sequence[str] = (),
    collections: Sequence[str] = (),
    sources: Sequence[str] = (),
    languages: Sequence[str] = (),
    types: Sequence[str] = (),
    tags: Sequence[str] = (),
    since: datetime | None = None,
    until: datetime | None = None,
    match: Match | None = None,
) -> SearchResult:
    """Return the k passages of the live version that answer a question best; for the arguments and errors see `ask`."""
    filters = _filters(principals, collections, sources, languages, types, tags, since, until, match)
    return _workspace(home_folder(home)).retriever.search(question, k=k, mode=mode, filters=filters)


@lru_cache(_OPEN)
def _workspace(home: Path) -> Workspace:
    return open_workspace(home)


def _filters(
    principals: Sequence[str],
    collections: Sequence[str],
    sources: Sequence[str],
    languages: Sequence[str],
    types: Sequence[str],
    tags: Sequence[str],
    since: datetime | None,
    until: datetime | None,
    match: Match | None,
) -> Filters:
    """Put the filters together; a single text where several may stand is a mistake that would match nothing."""
    lists = {
        "principals": principals,
        "collections": collections,
        "sources": sources,
        "languages": languages,
        "types": types,
        "tags": tags,
    }
    for name, given in lists.items():
        if isinstance(given, str):
            raise TypeError(f"{name} = {given!r}; expected a list of texts, such as [{given!r}]")
    named: dict[str, Any] = {name: tuple(given) for name, given in lists.items()}
    return Filters(**named, since=since, until=until, match=match)
