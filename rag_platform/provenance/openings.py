"""Documents opened by somebody: found as they may read them, and recorded with what was refused."""

from collections.abc import Sequence

from rag_platform.audit.hash_chain import Kind
from rag_platform.index.releases.document_history import DocumentState, document_state
from rag_platform.provenance.inventory import KnownDocument, find_documents, only_one
from rag_platform.workspace import Workspace


def open_document(
    workspace: Workspace, doc_id: str, principals: Sequence[str], *, version: str | None = None, who: str | None = None
) -> DocumentState | None:
    """Return a document as `document_state` does, and record that it was opened, or that it was refused."""
    found = document_state(workspace.versions, doc_id, principals, version)
    if found is None:
        workspace.audit.record("open", who, principals, shown=_named(doc_id), version=version or "", refused=True)
    else:
        record_opening(workspace, found, principals, who=who)
    return found


def open_named(
    workspace: Workspace, name: str, principals: Sequence[str], *, who: str | None = None
) -> DocumentState | None:
    """Open a document by its id, its address, or the end of its address from a slash on; see `open_document`.

    Raises:
        NotFound: several documents that they may read have that name.
    """
    catalog = workspace.versions.live().catalog
    named = catalog.named(name)
    ids = catalog.readable([row["doc_id"] for row in named], principals)
    known = [KnownDocument(row["source"], row["uri"], row["doc_id"]) for row in named if row["doc_id"] in ids]
    found = find_documents(known, name)
    return open_document(workspace, only_one(found, name).doc_id if found else name, principals, who=who)


def record_opening(
    workspace: Workspace, found: DocumentState, principals: Sequence[str], *, who: str | None, kind: Kind = "open"
) -> None:
    """Record that a document's text ("open"), its original or an export of it was given to somebody."""
    document = found.document
    shown = _named(document.doc_id, revision=document.revision, raw_sha256=document.raw_sha256)
    workspace.audit.record(kind, who, principals, shown=shown, version=found.version)


def _named(doc_id: str, **hashes: str) -> dict[str, list[dict[str, str]]]:
    return {"hits": [{"doc_id": doc_id, **hashes}]}
