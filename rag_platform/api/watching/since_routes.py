"""What changed since: of an answer, of a document, of all that the caller may read."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from rag_platform.api.access import CurrentAsker, CurrentReader, Served
from rag_platform.api.answers import count_request
from rag_platform.api.problems import Problem, reply
from rag_platform.api.resources.receipts import readable_receipt
from rag_platform.core.hits import Filters
from rag_platform.operations.search_scope import refuse_unknown, version_as_of
from rag_platform.operations.watching.since import (
    AnswerSince,
    CorpusSince,
    DocumentSince,
    answer_since,
    corpus_since,
    document_since,
)
from rag_platform.provenance.openings import open_document

router = APIRouter(prefix="/v1", tags=["what changed"])
Since = Annotated[str, Query(min_length=1, description="A date such as 2026-05-31, a time, or a version.")]
Id = Annotated[str, Path(alias="id")]


@router.get("/receipts/{id}/since", response_model=AnswerSince)
def tell_answer_since(workspace: Served, caller: CurrentAsker, receipt: Id) -> Response:
    """Tell whether an answer's quotes still stand, and until when they did."""
    found = readable_receipt(workspace, caller, receipt)
    count_request(workspace, caller, "searches")
    return reply(answer_since(workspace.versions, found, caller.principals))


@router.get("/documents/{id}/since", response_model=DocumentSince)
def tell_document_since(workspace: Served, caller: CurrentReader, doc_id: Id, since: Since) -> Response:
    """Tell what changed in a document, line by line."""
    count_request(workspace, caller, "searches")
    before = version_as_of(workspace, since, operator=caller.admin)
    open_document(workspace, doc_id, caller.principals, who=caller.who)  # for the audit
    found = document_since(workspace.versions, doc_id, before, caller.principals)
    if found is None:
        raise Problem(404, f"there is no document {doc_id!r}", "the id of one", "GET /v1/documents lists them.")
    return reply(found)


@router.get("/changes", response_model=CorpusSince)
def tell_changes(
    workspace: Served,
    caller: CurrentReader,
    since: Since,
    source: Annotated[list[str], Query()] = [],  # noqa: B006 - FastAPI makes a new one
    collection: Annotated[list[str], Query()] = [],  # noqa: B006
) -> Response:
    """Tell which documents came, changed and went, of those that the caller may read."""
    count_request(workspace, caller, "searches")
    filters = Filters(sources=tuple(source), collections=tuple(collection), principals=caller.principals)
    refuse_unknown(workspace, filters, operator=caller.admin)
    before = version_as_of(workspace, since, operator=caller.admin)
    return reply(corpus_since(workspace.versions, before, filters))
