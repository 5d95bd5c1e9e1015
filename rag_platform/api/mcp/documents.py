"""Documents as resources: listed page by page and read, each as who asks may."""

import base64
import binascii
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
from rag_platform.api.mcp.results import DOCUMENTS
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
    """Return a page of the documents that the caller may read, in the order of their ids."""
    catalog = workspace.versions.live().catalog
    found = catalog.readable_after(_after(cursor), caller.principals, _PAGE + 1)
    listed = [
        Resource(uri=DOCUMENTS + row["doc_id"], name=row["uri"], title=row["title"] or row["uri"], mime_type=_MARKDOWN)
        for row in found[:_PAGE]
    ]
    more = _cursor(found[_PAGE - 1]["doc_id"]) if len(found) > _PAGE else None
    return ListResourcesResult(resources=listed, next_cursor=more)


def read_document(workspace: Workspace, caller: Caller, uri: str) -> ReadResourceResult:
    """Return a document's text; `MCPError` where the caller can read none of that address."""
    if not caller.admin:
        workspace.rates.take("searches", caller.who)
    name = unquote(uri.removeprefix(DOCUMENTS)) if uri.startswith(DOCUMENTS) else uri
    found = open_named(workspace, name, caller.principals, who=caller.who)
    if found is None:
        raise MCPError(INVALID_PARAMS, f"no document {name!r} is known to you", {"uri": uri})
    contents = TextResourceContents(uri=uri, text=found.document.text, mime_type=_MARKDOWN)
    return ReadResourceResult(contents=[contents])


def _cursor(doc_id: str) -> str:
    return base64.urlsafe_b64encode(doc_id.encode()).decode()


def _after(cursor: str | None) -> str:
    try:
        return base64.urlsafe_b64decode(cursor or "").decode()
    except (binascii.Error, ValueError) as error:
        raise MCPError(INVALID_PARAMS, f"the cursor {cursor!r} is none that was given out") from error
