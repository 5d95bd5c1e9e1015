"""Documents: which there are, their texts, what they were read from, and what they were before."""

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentReader, Served
from rag_platform.api.answers import count_request
from rag_platform.api.models.fields import model_of
from rag_platform.api.paging import AskedPage
from rag_platform.api.problems import Problem, reply
from rag_platform.core.hits import Filters
from rag_platform.index.catalog.catalog import StoredDocument
from rag_platform.index.releases.document_history import DocumentState, Revision, revisions
from rag_platform.operations.search_scope import version_as_of
from rag_platform.operations.status.document_list import ListedDocument, listed_documents
from rag_platform.provenance.openings import open_document, record_opening
from rag_platform.provenance.originals import original, page_at, rendered_original, words_on
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1/documents", tags=["documents"])
Id = Annotated[str, Path(alias="id", description="A document's id.")]
Version = Annotated[str | None, Query(description="As it was in a version, or on a day; without it, as it is.")]
Start = Annotated[int, Query(ge=0, description="The first character.")]
End = Annotated[int | None, Query(ge=0, description="The character after the last; without it, the end.")]
_SAFE = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
}


def _bytes(kind: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {kind: {"schema": {"type": "string", "format": "binary"}}}}}


class DocumentsDocument(BaseModel):
    """Documents, by source and address."""

    documents: list[ListedDocument]
    next: str | None


DocumentDocument = model_of(
    "DocumentDocument",
    "A document, and a part of its text or all of it.",
    StoredDocument,
    without=("flags",),
    version=Annotated[str, Field(description="The version in which it stands so.")],
    live=bool,
    span=Annotated[tuple[int, int], Field(description="Which characters of its text `text` is.")],
    characters=Annotated[int, Field(description="Of its whole text.")],
    pages=Annotated[list[int], Field(description="Where its pages begin, in characters of its text.")],
    losses=Annotated[list[dict[str, Any]], Field(description="What its file has and the text does not.")],
)


class HistoryDocument(BaseModel):
    """The texts that a document had, newest first."""

    revisions: list[Revision]


@router.get("", response_model=DocumentsDocument)
def list_documents(
    workspace: Served,
    caller: CurrentReader,
    page: AskedPage,
    source: Annotated[list[str], Query()] = [],  # noqa: B006 - FastAPI makes a new one
    collection: Annotated[list[str], Query()] = [],  # noqa: B006
) -> Response:
    """List the documents that the caller may read."""
    filters = Filters(sources=tuple(source), collections=tuple(collection), principals=caller.principals)
    return page.reply("documents", listed_documents(workspace, filters, page.limit + 1, page.address), _key)


@router.get("/{id}", response_model=DocumentDocument)
def read_document(
    workspace: Served, caller: CurrentReader, doc_id: Id, version: Version = None, start: Start = 0, end: End = None
) -> Response:
    """Read a document's text, or a span of it."""
    found = _opened(workspace, caller, doc_id, version)
    document = found.document
    names = [name for name in DocumentDocument.model_fields if hasattr(document, name)]
    text = document.text[start:end]
    about = {"text": text, "span": (start, start + len(text)), "characters": len(document.text)}
    return reply(
        {name: getattr(document, name) for name in names} | about | {"version": found.version, "live": found.live}
    )


@router.get("/{id}/original", response_class=Response, responses=_bytes("application/octet-stream"))
def read_original(workspace: Served, caller: CurrentReader, doc_id: Id, version: Version = None) -> Response:
    """Return the bytes that a document was read from."""
    found = _opened(workspace, caller, doc_id, version)
    file = original(workspace, found)
    record_opening(workspace, found, caller.principals, who=caller.who, kind="original")
    named = f"attachment; filename*=UTF-8''{quote(file.name)}"
    return Response(file.content, 200, _SAFE | {"content-disposition": named}, "application/octet-stream")


@router.get("/{id}/original/page", response_class=Response, responses=_bytes("image/webp"))
def draw_original(
    workspace: Served,
    caller: CurrentReader,
    doc_id: Id,
    version: Version = None,
    start: Start = 0,
    end: End = None,
) -> Response:
    """Draw the page of a PDF or an image that holds a span of the text; the header `X-Marks` says where its words are.

    The marks are a list of boxes: left, top, right and bottom as shares of the picture.
    """
    found = _opened(workspace, caller, doc_id, version)
    file = original(workspace, found)
    if file.kind not in ("pdf", "image"):
        raise Problem(404, f"{file.name} has no pages", "a PDF or an image", "Read /original, or the text.")
    page = page_at(found.document.pages, start) if found.document.pages else 1
    drawn = rendered_original(file, page - 1, words_on(found.document, (start, start if end is None else end), page))
    record_opening(workspace, found, caller.principals, who=caller.who, kind="original")
    marks = ";".join(",".join(f"{edge:.4f}" for edge in box) for box in drawn.boxes)
    return Response(drawn.picture, 200, _SAFE | {"x-page": str(page), "x-marks": marks}, "image/webp")


@router.get("/{id}/history", response_model=HistoryDocument)
def show_history(workspace: Served, caller: CurrentReader, doc_id: Id) -> Response:
    """List the texts that a document had in the versions that are kept."""
    count_request(workspace, caller, "searches")
    found = revisions(workspace.versions, doc_id, caller.principals)
    if not found:
        raise _unknown(doc_id)
    return reply({"revisions": found})


def _opened(workspace: Workspace, caller: Caller, doc_id: str, named: str | None) -> DocumentState:
    count_request(workspace, caller, "searches")
    version = version_as_of(workspace, named, operator=caller.admin) if named else None
    found = open_document(workspace, doc_id, caller.principals, version=version, who=caller.who)
    if found is None:
        raise _unknown(doc_id)
    return found


def _unknown(doc_id: str) -> Problem:
    return Problem(404, f"there is no document {doc_id!r}", "the id of one", "GET /v1/documents lists them.")


def _key(document: ListedDocument) -> tuple[str, ...]:
    return document.address
