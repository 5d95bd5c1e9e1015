"""A watch's findings as changes that somebody reads: before, after, the difference; without what they may not read."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Literal

from rag_platform.core.answers import Citation
from rag_platform.index.releases.document_history import document_state
from rag_platform.journal.permissions import closed
from rag_platform.journal.receipts import Receipt
from rag_platform.people.watches import Finding, Watch
from rag_platform.text.text_diff import Line, hunk_lines, hunks
from rag_platform.workspace import Workspace

_MARKS = re.compile(r"^> ?|\*\*", re.MULTILINE)
"""Of quotes and of short answers, where an answer is of quotes."""
Change = Literal["came", "changed", "went"]


@dataclass(frozen=True, slots=True)
class SaidThen:
    """An answer, as it was given of a version."""

    version: str
    at: datetime
    text: str | None
    """None: it was forgotten, or it is withheld."""
    abstained: bool
    citations: tuple[Citation, ...]
    withheld: bool
    """It rests on a document that the reader may not read now."""


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document that a search finds now and did not before, finds changed, or does not find any more."""

    doc_id: str
    title: str
    uri: str
    change: Change


@dataclass(frozen=True, slots=True)
class WatchChange:
    """A change that a watch found."""

    id: int
    at: datetime
    version: str
    said: str
    """What happened, in a sentence."""
    before: SaidThen | None
    """Of a question; None: of a search."""
    after: SaidThen | None
    lines: tuple[Line, ...]
    """The difference of the two texts; none where one of them is not shown."""
    documents: tuple[DocumentChange, ...]
    """Of a search."""
    seen: bool
    mailed: datetime | None
    mail_error: str


def changes_of(workspace: Workspace, watch: Watch, readers: Sequence[str] | None) -> list[WatchChange]:
    """Return what changed, the newest first, as `readers` may read it now; None: whoever may read everything."""
    found = workspace.watches.findings(watch.id)
    receipts = {one.receipt_id: workspace.journal.receipt(one.receipt_id) for one in found if one.receipt_id}
    documents = {doc_id for receipt in receipts.values() if receipt for doc_id in receipt.documents}
    hidden = frozenset[str]() if readers is None else closed(workspace.versions, documents, readers)

    def said(one: Finding) -> SaidThen:
        return _said(one, receipts.get(one.receipt_id or ""), hidden)

    return [
        _of_search(workspace, before, after, readers)
        if watch.kind == "search"
        else _of_answer(after, said(before), said(after))
        for after, before in pairwise(found)
    ]


def last_said(workspace: Workspace, watch: Watch, readers: Sequence[str] | None) -> SaidThen | None:
    """Return the answer that a watched question has now; None: it has not looked yet, or is a search."""
    last = next(iter(workspace.watches.findings(watch.id, 1)), None)
    if last is None or watch.kind == "search":
        return None
    receipt = workspace.journal.receipt(last.receipt_id) if last.receipt_id else None
    hidden = closed(workspace.versions, receipt.documents, readers) if receipt and readers is not None else ()
    return _said(last, receipt, hidden)


def difference(before: str, after: str, *, marks: bool = False) -> tuple[Line, ...]:
    """Return the lines by which two texts differ, with the words that do; without the marks of quotes."""
    old, new = ((text if marks else _MARKS.sub("", text)).split("\n") for text in (before, after))
    return tuple(line for group in hunks(old, new) for line in hunk_lines(old, new, group, 1))


def _said(one: Finding, receipt: Receipt | None, hidden: Collection[str]) -> SaidThen:
    if receipt is None:
        return SaidThen(one.version, one.at, None, False, (), withheld=False)
    if not receipt.documents.isdisjoint(hidden):
        return SaidThen(one.version, one.at, None, False, (), withheld=True)
    return SaidThen(one.version, one.at, receipt.answer, receipt.abstained, receipt.citations, withheld=False)


def _of_answer(finding: Finding, before: SaidThen, after: SaidThen) -> WatchChange:
    shown = before.text is not None and after.text is not None
    lines = difference(before.text or "", after.text or "") if shown else ()
    return _change(finding, _sentence(before, after), before, after, lines)


def _sentence(before: SaidThen, after: SaidThen) -> str:
    if after.withheld:
        return "The answer changed. It rests on a document that you may not read now, and is not shown."
    if after.text is None:
        return "The answer changed. It was forgotten since."
    if after.abstained:
        return "There is no answer any more."
    if before.abstained:
        return "There is an answer now."
    return "The answer changed." + (" The one before is not shown." if before.text is None else "")


def _of_search(workspace: Workspace, before: Finding, after: Finding, readers: Sequence[str] | None) -> WatchChange:
    documents = tuple(_documents(workspace, before, after, readers))
    said = f"Other documents are found: {len(documents)}." if documents else "Other documents are found."
    return _change(after, said, None, None, (), documents)


def _documents(
    workspace: Workspace, before: Finding, after: Finding, readers: Sequence[str] | None
) -> Iterator[DocumentChange]:
    for doc_id in sorted(before.documents.keys() | after.documents.keys()):
        was, now = before.documents.get(doc_id), after.documents.get(doc_id)
        if was == now:
            continue
        state = document_state(workspace.versions, doc_id, readers or ())
        if state is not None:  # else it is not theirs to hear of any more
            change: Change = "came" if was is None else "went" if now is None else "changed"
            yield DocumentChange(doc_id, state.document.title, state.document.uri, change)


def _change(
    finding: Finding,
    said: str,
    before: SaidThen | None,
    after: SaidThen | None,
    lines: tuple[Line, ...],
    documents: tuple[DocumentChange, ...] = (),
) -> WatchChange:
    about = {name: getattr(finding, name) for name in ("id", "at", "version", "seen", "mailed", "mail_error")}
    return WatchChange(**about, said=said, before=before, after=after, lines=lines, documents=documents)
