"""Sync, ask, search and evaluate from a program: ``from rag_platform import ask, search, sync``."""

import logging
from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_platform.config.settings import MODES, Mode
from rag_platform.config.settings_file import home_folder
from rag_platform.core.answers import Answer, Turn
from rag_platform.core.hits import Filters, Match
from rag_platform.core.ports import quiet
from rag_platform.retrieval.results import SearchResult
from rag_platform.workspace import Workspace, open_workspace
from rag_platform.workspace.applications import load_application

if TYPE_CHECKING:  # a search need not import the stages
    from rag_platform.pipeline.sync import SyncReport

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
    archived: bool = False,
    as_of: str | date | None = None,
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
        archived: only documents that are archived by their age, in place of the others.
        as_of: answer from the version that was live then: a moment, a day (at its end), or the name of a version.

    Returns:
        The answer; when the documents hold none, `abstained` is true.

    Raises:
        SettingsError: rag.toml is wrong, or there is no such generator.
        NothingPublished: the workspace has no live version yet.
        RagError: anything else that the library raises on purpose.
    """
    filters = _filters(principals, collections, sources, languages, types, tags, since, until, match, archived)
    workspace = _workspace(home_folder(home))
    answerer = workspace.answerer if as_of is None else workspace.answerer_as_of(workspace.versions.as_of(as_of))
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
    archived: bool = False,
    as_of: str | date | None = None,
) -> SearchResult:
    """Return the k passages of the live version that answer a question best; for the arguments and errors see `ask`."""
    filters = _filters(principals, collections, sources, languages, types, tags, since, until, match, archived)
    workspace = _workspace(home_folder(home))
    retriever = workspace.retriever if as_of is None else workspace.retriever.as_of(workspace.versions.as_of(as_of))
    return retriever.search(question, k=k, mode=mode, filters=filters)


def sync(
    *sources: str,
    home: str | Path | None = None,
    full: bool = False,
    fetch: bool = True,
    publish: bool = True,
    allow_mass_delete: bool = False,
    allow_mass_change: bool = False,
) -> "SyncReport":
    """Bring sources up to date, then build and judge a version, and publish it if it is good enough: as `rag sync`.

    Args:
        sources: their ids; none: all that are not paused.
        home: as of `ask`.
        full: read everything anew, also what seems unchanged.
        fetch: False: read no source; build, judge and publish what is there.
        publish: False: build and judge, and leave the live version.
        allow_mass_delete: let a source lose more documents than the settings allow.
        allow_mass_change: publish the sources' newest state, whatever the brake on change says of it.

    Returns:
        What was done. Its `errors` name sources that failed; they keep their last good state and stop no other.

    Raises:
        MissingExtra: the extra `eval`, whose gate judges each version, is not installed.
        WorkspaceBusy: another sync is running.
        RagError: anything else that the library raises on purpose.
    """
    from rag_platform.operations.whole_sync import load_gate, tell_of_sync
    from rag_platform.pipeline.sync import sync as sync_workspace

    workspace = _workspace(home_folder(home))
    report = sync_workspace(
        workspace,
        sources,
        gate=load_gate(workspace),
        full=full,
        fetch=fetch,
        publish=publish,
        allow_mass_delete=allow_mass_delete,
        allow_mass_change=allow_mass_change,
    )
    for problem in tell_of_sync(workspace, report):
        logging.getLogger(__name__).warning("%s", problem)
    return report


def evaluate(
    path: str | Path | None = None, *, home: str | Path | None = None, version: str | None = None, split: str = "test"
) -> dict[str, Any]:
    """Judge a version on the workspace's questions, or measure retrieval on others: as `rag eval`.

    Args:
        path: a folder in the layout of BEIR, or a question set; None: the workspace's questions.
        home: as of `ask`.
        version: without `path`: which; None: the candidate.
        split: of a folder's qrels.

    Returns:
        What `rag eval --json` prints: with `path`, the measures of each mode; else the verdict with its reasons.

    Raises:
        MissingExtra: the extra `eval` is not installed.
        NothingPublished: there is no version yet.
    """
    module = load_application("evals.commands.evaluation", extra="eval", purpose="evaluating")
    workspace = _workspace(home_folder(home))
    judged: dict[str, Any] = (
        module.evaluate_version(workspace, version, reporter=quiet)
        if path is None
        else module.evaluate_path(workspace, Path(path), modes=MODES, split=split, reporter=quiet)
    )
    return judged


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
    archived: bool,
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
    return Filters(**named, since=since, until=until, match=match, archived=archived)
