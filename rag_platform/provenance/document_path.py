"""How far a document that is not in the searched version came on the way from its source to the index.

Stages: "unknown", "forgotten", "fetching", "gone", "reading", "excluded", "unread", "unpublished" or "earlier".
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from rag_platform.access import Access
from rag_platform.core.ids import document_id
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.provenance.inventory import KnownDocument, catalogs
from rag_platform.raw.suppression import listed, target_hash
from rag_platform.retrieval.explain.document import Explanation
from rag_platform.workspace import Workspace

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks of what they may know of; an operator may know of every document."""

    principals: Sequence[str]
    operator: bool = False

    def in_version(self, catalog: Catalog, doc_ids: Collection[str]) -> Collection[str]:
        """Return those of a version's documents that they may know of."""
        return doc_ids if self.operator else catalog.readable(doc_ids, self.principals)

    def read(self, access: Access, source: str, rows: pl.DataFrame) -> Collection[str]:
        """Return the ids of those rows of a documents table that they may know of."""
        return rows["doc_id"].to_list() if self.operator else access.of_read(source, rows, self.principals)

    def listed(self, access: Access, source: str, rows: pl.DataFrame) -> Collection[str]:
        """Return the addresses of those rows of a raw table that they may know of; a fetched one says nothing of it."""
        if self.operator:
            return rows["uri"].to_list()
        unfetched = rows.filter(pl.col("sha256").is_null(), pl.col("status") != "gone").select("uri", "metadata")
        return access.of_listed(source, {uri: listed(said) for uri, said in unfetched.iter_rows()}, self.principals)


def in_tables(workspace: Workspace, name: str, reader: Reader) -> dict[KnownDocument, Explanation]:
    """Return how far the documents of that address or id, or that end of an address, came by the stages' tables.

    Only a document that was read states who may read it. For one that was never fetched, its source's listing does;
    for others that are only in the raw table nothing does, and operators alone may know of them.
    """
    found: dict[KnownDocument, Explanation] = {}
    for source in sorted({*workspace.store.sources("raw"), *workspace.store.sources("documents")}):
        raw, documents = (_rows(workspace, stage, source, name) for stage in ("raw", "documents"))
        uris = reader.listed(workspace.access, source, raw) if raw.height else ()
        for row in raw.filter(pl.col("uri").is_in([*uris])).iter_rows(named=True):
            known = KnownDocument(source, row["uri"], document_id(source, row["uri"]))
            found[known] = _in_raw_table(known, row)
        ids = reader.read(workspace.access, source, documents) if documents.height else ()
        for row in documents.iter_rows(named=True):
            known = KnownDocument(source, row["uri"], row["doc_id"])
            found.pop(known, None)
            if row["doc_id"] in ids:
                found[known] = _in_documents_table(known, row)
    return found


def in_other_versions(workspace: Workspace, name: str, reader: Reader) -> dict[KnownDocument, list[str]]:
    """Return the versions, newest first, that hold such documents, if the asker may read the newest of them."""
    found: dict[KnownDocument, list[str]] = {}
    hidden: set[KnownDocument] = set()
    for version, catalog in catalogs(workspace, newest_first=True):
        named = catalog.named(name)
        ids = reader.in_version(catalog, [row["doc_id"] for row in named]) if named else ()
        for row in named:
            known = KnownDocument(row["source"], row["uri"], row["doc_id"])
            if known not in found and row["doc_id"] not in ids:
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


def _rows(workspace: Workspace, stage: str, source: str, name: str) -> pl.DataFrame:
    columns = {
        "raw": ("uri", "status", "reason", "sha256", "metadata"),
        "documents": ("uri", "doc_id", "status", "reason", "collection", "revision", "principals", "type"),
    }[stage]
    ids = pl.col("doc_id") == name if stage == "documents" else pl.lit(document_id(source, "") == name)
    named = (pl.col("uri") == name) | pl.col("uri").str.ends_with("/" + name.lstrip("/")) | ids
    return workspace.store.select(stage, source, columns, named)
