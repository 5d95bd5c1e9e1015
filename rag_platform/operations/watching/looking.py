"""The way in: after a publication, ask what people watch again, as them, and keep what is another thing than before."""

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from rag_platform.config.sections.retrieval import Mode
from rag_platform.core.answers import Answer, Citation
from rag_platform.core.errors import DocumentForgotten, NothingPublished, message_of
from rag_platform.core.hits import Filters
from rag_platform.core.threads.repeating import repeat
from rag_platform.journal.journal import Journal
from rag_platform.journal.receipts import Receipt
from rag_platform.operations.watching.rights import reading_as
from rag_platform.operations.watching.telling import send_due
from rag_platform.people.watches import Finding, Watch
from rag_platform.retrieval.results import SearchResult
from rag_platform.workspace import Workspace

FIRST = 10
"""Documents of a search that are watched: the best ones."""
FAILED = "it could not be asked; it is tried again"
"""What its owner is told of a look that failed: why, which may name servers of the house, is for the log."""
LIMIT = 60.0
"""Seconds after which what has not been asked yet is left to the next look."""
_TIMES = ("since", "until")


def look(workspace: Workspace, now: datetime | None = None, *, limit: float = LIMIT) -> list[str]:
    """Ask what has not been asked since the live version was moved last, and send the e-mails that are due.

    Args:
        workspace: of which.
        now: the clock.
        limit: seconds after which no other watch is begun.

    Returns:
        What went wrong, in sentences; it is tried again. It never raises.
    """
    now, problems, begun = now or datetime.now(UTC), list[str](), time.monotonic()
    try:
        move = _last_move(workspace)
        while move and time.monotonic() - begun < limit and (watch := workspace.watches.claim(move, now)):
            problems += _looked(workspace, watch, move, now)
        problems += send_due(workspace, now)
    except Exception as error:  # noqa: BLE001  whatever it is, the sync or the server goes on
        problems.append(message_of(error))
    return problems


def keep_looking(workspace: Workspace, every: timedelta = timedelta(minutes=1)) -> threading.Event:
    """Look again and again, in a thread, as long as the program runs; setting what this returns ends it."""

    def again() -> None:
        for problem in look(workspace):
            logging.getLogger(__name__).warning("watches: %s", problem)

    return repeat(again, every, "watches")


def look_first(workspace: Workspace, watch_id: str, now: datetime | None = None) -> list[str]:
    """Let a watch that was just made find what it begins with; returns what went wrong."""
    now, move = now or datetime.now(UTC), _last_move(workspace)
    watch = workspace.watches.claim(move, now, watch_id) if move else None
    return _looked(workspace, watch, move, now) if watch and move else []


def options_of(filters: Filters, **more: Any) -> dict[str, Any]:
    """Return what a watch keeps of how it is asked: what is set, as JSON can hold it, and not as whom."""
    given = asdict(filters) | more | {name: _written(getattr(filters, name)) for name in _TIMES}
    return {name: value for name, value in given.items() if value and name != "principals"}


def _written(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _last_move(workspace: Workspace) -> str | None:
    moves = workspace.versions.moves()
    return str(moves[-1]["at"]) if moves else None


def _looked(workspace: Workspace, watch: Watch, move: str, now: datetime) -> list[str]:
    try:
        principals = reading_as(workspace, watch, now)
        if principals is not None:  # else nobody may read it now; it rests
            _ask(workspace, watch, principals, now)
    except NothingPublished:
        pass
    except Exception as error:  # noqa: BLE001  one watch never stops the others
        workspace.watches.failed(watch, FAILED)
        return [f"watch {watch.id}: {message_of(error)}"]
    workspace.watches.looked(watch, move)
    return []


def _ask(workspace: Workspace, watch: Watch, principals: tuple[str, ...], now: datetime) -> None:
    last = next(iter(workspace.watches.findings(watch.id, 1)), None)
    filters = _filters(watch.options, principals)
    if watch.kind == "search":
        _search(workspace, watch, filters, last, now)
    else:
        _answer(workspace, watch, filters, last, now)


def _search(workspace: Workspace, watch: Watch, filters: Filters, last: Finding | None, now: datetime) -> None:
    order = watch.options.get("order", "relevance")
    found = _found(workspace, watch, filters, k=FIRST, order=order, now=now)
    documents = {hit.doc_id: hit.revision for hit in found.hits} if not found.nothing_relevant else {}
    if last is None or documents != last.documents:
        workspace.audit.searched(watch.question, found.hits, found.version, filters.principals, watch.owner)
        workspace.watches.add(watch, found.version, now, documents=documents)


def _answer(workspace: Workspace, watch: Watch, filters: Filters, last: Finding | None, now: datetime) -> None:
    """Answer, unless the same passages are found, from which the same would be written."""
    receipt = workspace.journal.receipt(last.receipt_id) if last and last.receipt_id else None
    if receipt and _same_passages(_found(workspace, watch, filters, k=receipt.k, now=now), receipt):
        return
    held = _Held()
    answerer = workspace.answerer_beside(workspace.retriever.live().id)
    answerer.journal = held
    generator = watch.options.get("generator")
    generator = generator if generator and workspace.generators.knows(generator) else None
    mode: Mode | None = watch.options.get("mode")
    answer = answerer.ask(watch.question, filters=filters, generator=generator, mode=mode, asker=watch.owner, now=now)
    if receipt and evidence_of(answer) == evidence_of(receipt):
        return
    try:
        receipt_id = workspace.journal.record(answer, **held.recorded)
    except DocumentForgotten:
        return  # while it was written; the next publication, which is without it, is looked at
    workspace.audit.answered(answer, filters.principals, watch.owner)
    workspace.watches.add(watch, answer.version, now, receipt_id=receipt_id)


class Evidence(NamedTuple):
    """What an answer rests on: two that rest on the same are the same, however a model words them."""

    abstained: bool
    verdict: str
    quotes: frozenset[tuple[str, str]]


def evidence_of(answer: Answer | Receipt) -> Evidence:
    """Return what an answer rests on."""
    cited: tuple[Citation, ...] = (*answer.citations, *answer.also)
    quotes = frozenset((one.doc_id, " ".join(one.quote.split())) for one in cited)
    return Evidence(answer.abstained, answer.verdict, quotes)


def _found(workspace: Workspace, watch: Watch, filters: Filters, **options: Any) -> SearchResult:
    return workspace.retriever_of(None).search(
        watch.question,
        mode=watch.options.get("mode"),
        filters=filters,
        **{key: one for key, one in options.items() if one},
    )


def _same_passages(found: SearchResult, receipt: Receipt) -> bool:
    return [hit.chunk_id for hit in found.hits] == [hit["chunk_id"] for hit in receipt.hits]


def _filters(options: Mapping[str, Any], principals: tuple[str, ...]) -> Filters:
    named = ("collections", "sources", "languages", "types", "tags")
    given: dict[str, Any] = {name: tuple(options[name]) for name in named if name in options}
    given |= {name: datetime.fromisoformat(options[name]) for name in _TIMES if name in options}
    given |= {name: options[name] for name in ("match", "archived") if name in options}
    return Filters(**given, principals=principals)


class _Held(Journal):
    """A journal without a file: it holds what it was to record, until it is known whether that is to be kept."""

    def __init__(self) -> None:
        self.recorded: dict[str, Any] = {}

    def record(self, answer: Answer, **recorded: Any) -> str:  # noqa: ARG002  the journal's
        """Hold it."""
        self.recorded = recorded
        return ""
