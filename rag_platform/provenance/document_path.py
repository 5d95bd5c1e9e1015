"""How far a document that is not in the searched version came on the way from its source to the index.

Stages: "unknown", "forgotten", "fetching", "gone", "reading", "excluded", "unread", "unpublished" or "earlier".
"""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from rag_platform.core.errors import SettingsError
from rag_platform.core.ids import document_id
from rag_platform.core.principals import PUBLIC
from rag_platform.provenance.inventory import KnownDocument, catalogs
from rag_platform.raw.suppression import readers_of, target_hash
from rag_platform.retrieval.explain.document import Explanation
from rag_platform.workspace import Workspace

UNKNOWN = "unknown"
MayRead = Callable[[Sequence[str]], bool]
"""Given who may read a document: may the asker know of it?"""


def reader(principals: Sequence[str], *, operator: bool = False) -> MayRead:
    """Return a check whether these principals may know of a document; an operator may know of every one."""
    own = {PUBLIC, *principals}
    return lambda readers: operator or not own.isdisjoint(readers)


def in_tables(workspace: Workspace, name: str, may_read: MayRead) -> dict[KnownDocument, Explanation]:
    """Return how far the documents of that address or id, or that end of an address, came by the stages' tables.

    Only a document that was read states who may read it. For one that was never fetched, its source's listing does;
    for others that are only in the raw table nothing does, and operators alone may know of them.
    """
    found: dict[KnownDocument, Explanation] = {}
    for source in sorted({*workspace.store.sources("raw"), *workspace.store.sources("documents")}):
        for row in _rows(workspace, "raw", source, name):
            known = KnownDocument(source, row["uri"], document_id(source, row["uri"]))
            fetched = row["sha256"] is not None or row["status"] == "gone"
            if may_read(() if fetched else _readers(workspace, source, row["metadata"])):
                found[known] = _in_raw_table(known, row)
        for row in _rows(workspace, "documents", source, name):
            known = KnownDocument(source, row["uri"], row["doc_id"])
            found.pop(known, None)
            if may_read(row["principals"] or ()):
                found[known] = _in_documents_table(known, row)
    return found


def in_other_versions(workspace: Workspace, name: str, may_read: MayRead) -> dict[KnownDocument, list[str]]:
    """Return the versions, newest first, that hold such documents, if the asker may read the newest of them."""
    found: dict[KnownDocument, list[str]] = {}
    hidden: set[KnownDocument] = set()
    for version, catalog in catalogs(workspace, newest_first=True):
        for row in catalog.named(name):
            known = KnownDocument(row["source"], row["uri"], row["doc_id"])
            if known not in found and not may_read(row["principals"]):
                hidden.add(known)
            if known not in hidden:
                found.setdefault(known, []).append(version)
    return found


def unpublished(workspace: Workspace, searched: str, versions: Sequence[str]) -> Explanation:
    """Explain a document that was read, and is not in the version that was searched."""
    live, candidate = workspace.versions.live_id(), workspace.versions.candidate_id()
    stage = "unpublished"
    if live in versions:
        reason = f"Version {searched}, which was searched, does not have it; the live one, {live}, does."
        return Explanation(stage, reason, "Ask the live version: leave out --as-of.")
    if candidate and candidate in versions and candidate != searched:
        verdict = workspace.versions.manifest(candidate).get("verdict")
        judged = f"was refused: {' '.join(verdict['reasons'])}" if verdict else "has not been judged."
        if verdict and verdict["passed"]:
            judged = "passed the gate and is not live."
        reason = f"It was read after version {searched} was built. The candidate {candidate} has it, and {judged}"
        return Explanation(stage, reason, f"`rag index promote {candidate}` makes it live.")
    reason = f"It was read and is not in version {searched}, nor in the candidate."
    return Explanation(stage, reason, "`rag sync` builds a version that has it.")


def dropped(searched: str, versions: Sequence[str], gone: Explanation | None) -> Explanation:
    """Explain a document that only other versions have."""
    why = gone.reason if gone else "Its source no longer has it."
    reason = f"It is in {', '.join(versions[:3])}, and not in {searched}. {why}"
    return Explanation("earlier", reason, f"`--as-of {versions[0]}` asks a version that has it.")


def forgotten(workspace: Workspace, name: str) -> Explanation | None:
    """Explain a document that was forgotten; None: none was. For operators only: it reveals what was forgotten."""
    rule = workspace.suppression.rule()
    for source in workspace.settings.sources:
        doc_id = document_id(source.id, name)
        if {doc_id, name} & rule.doc_ids or target_hash("uri", name) in rule.doc_ids:
            reason = "It was forgotten, and is not read again."
            return Explanation("forgotten", reason, "`rag forget --undo ID` lets it be read again.")
    return None


def unknown(name: str) -> Explanation:
    """Say that nothing is known, in the same words whether or not there is a document that the asker may not read."""
    reason = f"No document of the address {name!r} is known to you: no source has listed one that you may read."
    return Explanation(UNKNOWN, reason, "Check the address, the sources in rag.toml, and who asks (--as).")


def _in_raw_table(known: KnownDocument, row: dict[str, Any]) -> Explanation:
    again = f"`rag sync {known.source}` tries again."
    if row["status"] == "gone":
        reason = f"Its source no longer has it: {row['reason'] or 'it was not listed any more'}."
        return Explanation("gone", reason)
    if row["sha256"] is None:
        return Explanation("fetching", f"It could not be fetched: {row['reason'] or 'no reason was given'}.", again)
    return Explanation("unread", "It was fetched and has not been read yet.", f"`rag sync {known.source}` reads it.")


def _in_documents_table(known: KnownDocument, row: dict[str, Any]) -> Explanation:
    if row["status"] == "failed":
        remedy = f"Mend the document at its source, then `rag sync {known.source}`."
        return Explanation("reading", f"It could not be read: {row['reason']}.", remedy)
    if row["status"] == "excluded":
        return Explanation("excluded", f"It was read and is not indexed: {row['reason']}.")
    return Explanation("unpublished", "It was read.")


def _rows(workspace: Workspace, stage: str, source: str, name: str) -> list[dict[str, Any]]:
    columns = {
        "raw": ("uri", "status", "reason", "sha256", "metadata"),
        "documents": ("uri", "doc_id", "status", "reason", "principals"),
    }[stage]
    ids = pl.col("doc_id") == name if stage == "documents" else pl.lit(document_id(source, "") == name)
    named = (pl.col("uri") == name) | pl.col("uri").str.ends_with("/" + name.lstrip("/")) | ids
    return workspace.store.select(stage, source, columns, named).to_dicts()


def _readers(workspace: Workspace, source: str, metadata: str | None) -> Sequence[str]:
    """Return who may read what a source listed, as far as the listing says."""
    try:
        everyone = workspace.settings.source(source).principals
    except SettingsError:  # the source is no longer in rag.toml
        everyone = ()
    return readers_of(metadata) or everyone
