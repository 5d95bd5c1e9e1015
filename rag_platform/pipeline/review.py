"""Documents that wait for somebody's eyes: held before they answer, listed with why, accepted or rejected.

A held document is in the version and readable by nobody (`access`), so that accepting it takes effect at once and needs
no sync. What is accepted is a text: once the source changes it, the new one is held again.
"""

import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import polars as pl

from rag_platform.access import Access
from rag_platform.access.access_rules import AccessRules
from rag_platform.access.decisions import Target
from rag_platform.access.document_access import DocumentAccess
from rag_platform.access.policy import Policy
from rag_platform.access.ruled import COLUMNS
from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.errors import NotFound
from rag_platform.core.principals import PUBLIC
from rag_platform.text.instructions.injection import INSTRUCTS, find
from rag_platform.workspace import Workspace

NEW = "new, of a source whose documents are reviewed"
CHANGED = "changed since it was accepted, of a source whose documents are reviewed"
_COLUMNS = (*COLUMNS, "title", "flags", "text")
_JUDGED_BY = ("doc_id", "source", "revision", "flags")
_SHOWN = 400
"""Characters of a document that are shown."""
_HEADING = re.compile(r"^#{1,6} +", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A document that is held, or that was noticed."""

    doc_id: str
    source: str
    uri: str
    title: str
    why: str
    """Why it is held, and what it says to a model."""
    passage: str
    """Where it tries to instruct a model, else how it begins."""
    since: datetime | None = None
    """Since when it is held; None: it is not."""


def hold_for_review(workspace: Workspace, version: str) -> int:
    """Hold those documents of a version that somebody has to see first; returns how many were not held before."""
    settings, rules = workspace.settings, workspace.access.rules
    reviewed = {source.id for source in settings.sources if reviews(source)}
    if not reviewed and not settings.documents.hold_flagged:
        return 0
    decided = {one.doc_id for one in rules.held()} | _rejected(rules)
    accepted = {one.doc_id: one.revision for one in rules.held(released=True)}
    live = workspace.versions.live_id()
    before = _revisions(workspace, live) if live else {}
    why: dict[str, dict[str, str]] = defaultdict(dict)
    found = workspace.versions.open(version).catalog.documents(*_JUDGED_BY)
    for row in found.iter_rows(named=True):
        doc_id, revision = row["doc_id"], row["revision"]
        if doc_id in decided or accepted.get(doc_id) == revision:
            continue
        flag = next((one for one in row["flags"] if one.startswith(INSTRUCTS)), None)
        if flag and settings.documents.hold_flagged:
            why[flag][doc_id] = revision
        elif row["source"] in reviewed and before.get(doc_id) != revision:
            why[CHANGED if doc_id in before else NEW][doc_id] = revision
    return sum(rules.quarantine(documents, who="sync", why=reason) for reason, documents in why.items())


def reviews(source: SourceSettings) -> bool:
    """Tell whether the new documents of a source are held."""
    return source.review == "new" or (source.review is None and source.trust == "untrusted")


def held_documents(workspace: Workspace, principals: Collection[str] | None = None) -> list[Reviewed]:
    """Return what waits, oldest first, with its place and a passage where a version still has it.

    Of a document that these principals could not read if it were accepted, only the id is told; None: whoever runs the
    workspace sees all.
    """
    held = workspace.access.rules.held()
    rows = _rows_of(workspace, {one.doc_id for one in held}, principals)
    unknown = {"source": "", "uri": "", "title": "", "text": "", "flags": ()}
    return [
        _reviewed(
            rows.get(one.doc_id, unknown | {"doc_id": one.doc_id}), one.why if one.doc_id in rows else "", one.since
        )
        for one in held
    ]


def flagged_documents(workspace: Workspace, principals: Collection[str] | None = None) -> list[Reviewed]:
    """Return the documents of the live version that try to instruct a model, as `held_documents` does."""
    live = workspace.versions.live_id()
    if not live:
        return []
    flagged = pl.col("flags").list.eval(pl.element().str.starts_with(INSTRUCTS)).list.any()
    rows = _shown(workspace, _documents(workspace, live).filter(flagged), principals).iter_rows(named=True)
    return [_reviewed(row) for row in rows]


def accept(workspace: Workspace, doc_ids: Collection[str], *, who: str, why: str = "") -> int:
    """Let held documents answer, from now on; returns how many there were.

    Raises:
        NotFound: one of them is not held.
    """
    _must_be_held(workspace, doc_ids)
    return workspace.access.rules.release(doc_ids, who=who, why=why or "accepted")


def reject(workspace: Workspace, doc_ids: Collection[str], *, who: str, why: str = "") -> int:
    """Deny held documents to everyone for good, whatever their text becomes; returns how many there were.

    Nothing is deleted: the rule can be taken back, and `rag forget` removes a document.

    Raises:
        NotFound: one of them is not held.
    """
    _must_be_held(workspace, doc_ids)
    for doc_id in doc_ids:  # denied first: at no moment can it be read
        workspace.access.rules.set(Target("document", doc_id), deny=[PUBLIC], who=who, why=why or "rejected")
    return workspace.access.rules.release(doc_ids, who=who, why=why or "rejected")


def _rejected(rules: AccessRules) -> set[str]:
    denied = (one for one in rules.list() if one.effect == "deny" and one.principal == PUBLIC)
    return {one.target.name for one in denied if one.target.kind == "document"}


def _must_be_held(workspace: Workspace, doc_ids: Collection[str]) -> None:
    held = {one.doc_id for one in workspace.access.rules.held()}
    for doc_id in doc_ids:
        if doc_id not in held:
            raise NotFound(f"no document {doc_id!r} is held; `rag quarantine list` names those that are")


def _documents(workspace: Workspace, version: str) -> pl.DataFrame:
    return workspace.versions.open(version).catalog.documents(*_COLUMNS)


def _revisions(workspace: Workspace, version: str) -> dict[str, str]:
    known = workspace.versions.open(version).catalog.documents("doc_id", "revision")
    return dict(known.iter_rows())


class _Accepted:
    """Who could read what if nothing were held."""

    def __init__(self, access: Access) -> None:
        self.table = access.table
        self._access = access

    def policy(self) -> Policy:
        return replace(self._access.policy(), quarantined={})


def _shown(workspace: Workspace, documents: pl.DataFrame, principals: Collection[str] | None) -> pl.DataFrame:
    if principals is None:
        return documents
    readable = DocumentAccess(_Accepted(workspace.access), documents.select(COLUMNS)).readable(principals)
    return documents.filter(pl.Series(readable.documents))


def _rows_of(
    workspace: Workspace, doc_ids: Collection[str], principals: Collection[str] | None
) -> dict[str, dict[str, Any]]:
    """Read the documents from the newest of candidate and live version that has each."""
    rows: dict[str, dict[str, Any]] = {}
    for version in dict.fromkeys(filter(None, (workspace.versions.live_id(), workspace.versions.candidate_id()))):
        found = _documents(workspace, version).filter(pl.col("doc_id").is_in(list(doc_ids)))
        rows |= {row["doc_id"]: row for row in _shown(workspace, found, principals).iter_rows(named=True)}
    return rows


def _reviewed(row: dict[str, Any], held: str = "", since: datetime | None = None) -> Reviewed:
    named = {name: row[name] for name in ("doc_id", "source", "uri", "title")}
    why = dict.fromkeys([held, *(one for one in row["flags"] if one.startswith(INSTRUCTS))])
    return Reviewed(**named, why="; ".join(filter(None, why)), passage=_passage(row["text"], row["title"]), since=since)


def _passage(text: str, title: str) -> str:
    """Return a piece of a text in one line, without the marks of headings and a title that is told beside it."""
    start = min((start for start, _ in find(text)), default=0)
    piece = _HEADING.sub("", text[max(0, start - _SHOWN // 4) :][:_SHOWN]).removeprefix(title)
    return " ".join(piece.split())
