"""Documents as resources: listed page by page and read, each as who asks may."""

from urllib.parse import unquote

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from rag_platform.api.access import Caller
from rag_platform.api.answers import count_request
from rag_platform.api.mcp.results import DOCUMENTS
from rag_platform.api.paging import address_of, cursor_of, key_of
from rag_platform.core.hits import Filters
from rag_platform.operations.status.document_list import listed_documents
from rag_platform.provenance.openings import open_named
from rag_platform.workspace import Workspace

_PAGE = 100
_MARKDOWN = "text/markdown"
TEMPLATE = ResourceTemplate(
    uri_template=DOCUMENTS + "{document}",
    name="document",
    title="A document",
    description="Its text, in Markdown, by its id or its percent-encoded address.",
    mime_type=_MARKDOWN,
)


def list_documents(workspace: Workspace, caller: Caller, cursor: str | None) -> ListResourcesResult:
    """Return a page of the documents that the caller may read, in the order of their addresses."""
    after = address_of(key_of(cursor)) if cursor else None
    found = listed_documents(workspace, Filters(principals=caller.principals), _PAGE + 1, after)
    listed = [
        Resource(uri=DOCUMENTS + one.doc_id, name=one.uri, title=one.title or one.uri, mime_type=_MARKDOWN)
        for one in found[:_PAGE]
    ]
    more = cursor_of(found[_PAGE - 1].address) if len(found) > _PAGE else None
    return ListResourcesResult(resources=listed, next_cursor=more)


def read_document(workspace: Workspace, caller: Caller, uri: str) -> ReadResourceResult:
    """Return a document's text; `MCPError` where the caller can read none of that address."""
    count_request(workspace, caller, "searches")
    name = unquote(uri.removeprefix(DOCUMENTS)) if uri.startswith(DOCUMENTS) else uri
    found = open_named(workspace, name, caller.principals, who=caller.who)
    if found is None:
        raise MCPError(INVALID_PARAMS, f"no document {name!r} is known to you", {"uri": uri})
    contents = TextResourceContents(uri=uri, text=found.document.text, mime_type=_MARKDOWN)
    return ReadResourceResult(contents=[contents])
