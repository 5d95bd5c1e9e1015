"""Why a document was found for a question, or at which stage between its source and the hits it was lost."""

from dataclasses import dataclass
from datetime import datetime

from rag_platform.config.sections.retrieval import Mode
from rag_platform.core.hits import Filters
from rag_platform.provenance import document_path
from rag_platform.provenance.document_path import Reader
from rag_platform.provenance.inventory import KnownDocument, find_documents, only_one
from rag_platform.retrieval.audited import AuditedRetriever
from rag_platform.retrieval.explain.chunk_outcomes import ChunkOutcome
from rag_platform.retrieval.explain.document import Explanation, explain_document
from rag_platform.retrieval.explain.outcomes import RETURNED
from rag_platform.retrieval.results import SearchTrace
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Why:
    """Where a document ended on its way to the hits of a question, and what would bring it back."""

    question: str
    version: str
    mode: str
    k: int
    document: KnownDocument | None
    """None: nothing of that name is known to the asker."""
    explanation: Explanation

    @property
    def returned(self) -> bool:
        """Return whether a hit shows it."""
        return self.explanation.stage == RETURNED

    @property
    def chunks(self) -> tuple[ChunkOutcome, ...]:
        """The outcomes of its chunks, the one that came furthest first."""
        return self.explanation.chunks


def why(
    workspace: Workspace,
    question: str,
    name: str,
    *,
    k: int = 10,
    mode: Mode | None = None,
    filters: Filters = Filters(),  # noqa: B008 - frozen
    retriever: AuditedRetriever | None = None,
    now: datetime | None = None,
    per_document: int | None = None,
    operator: bool = False,
    who: str | None = None,
) -> Why:
    """Explain what a search made of a document.

    Args:
        workspace: where it may be.
        question: what is asked.
        name: the document's address, the end of it from a slash on, or its id.
        k: how many hits are asked for.
        mode: as of a search.
        filters: what is searched, and who asks. Of what they may not read, nothing is said, not even that it exists.
        retriever: searches another version than the live one.
        now: the moment from which ages are counted; None: this one.
        per_document: as of a search.
        operator: explain every document, whoever may read it.
        who: asks, for the audit.

    Raises:
        NotFound: several documents have that name; the message lists those that the asker may read.
    """
    result = (retriever or workspace.retriever).search(
        question, k=k, mode=mode, filters=filters, now=now, per_document=per_document, explain=True, who=who
    )
    search = result.trace
    if search is None:
        raise AssertionError("a search with `explain` has a trace")
    document, lost = _located(workspace, search, name, Reader(filters.principals, operator))
    if lost is None and document:
        explanation = explain_document(search, document.doc_id, result.understood)
    else:
        forgotten = document_path.forgotten(workspace, name) if document is None and operator else None
        explanation = forgotten or lost or document_path.unknown(name)
    return Why(question, result.version, result.mode, k, document, explanation)


def _located(
    workspace: Workspace, search: SearchTrace, name: str, reader: Reader
) -> tuple[KnownDocument | None, Explanation | None]:
    """Return the document, and where it was lost if the version that was searched does not have it for the asker."""
    unreadable = set(search.candidates.trace.hidden.get("unreadable", ()))
    named = search.index.catalog.named(name)
    ids = reader.in_version(search.index.catalog, [row["doc_id"] for row in named]) if named else ()
    here = {
        KnownDocument(row["source"], row["uri"], row["doc_id"])
        for row in named
        if row["doc_id"] in ids and (row["doc_id"] not in unreadable or reader.operator)
    }
    if len(exact := find_documents(here, name)) == 1 and name in (exact[0].uri, exact[0].doc_id):
        return exact[0], None
    tables = document_path.in_tables(workspace, name, reader)
    others = document_path.in_other_versions(workspace, name, reader)
    if not (known := find_documents({*here, *tables, *others}, name)):
        return None, None
    one = only_one(known, name)
    if one in here:
        return one, None
    last = tables.get(one)
    if last is None or (last.stage == "gone" and one in others):
        return one, document_path.dropped(search.index.id, others[one], last)
    if last.stage == "unpublished":
        last = document_path.unpublished(workspace, search.index.id, others.get(one, ()))
    return one, last
