"""Questions that are worth asking."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel
from starlette.responses import Response

from rag_platform.api.access import CurrentAsker, Served
from rag_platform.api.answers import count_request
from rag_platform.api.problems import reply
from rag_platform.api.resources.receipts import readable_receipt

After = Annotated[str | None, Query(description="The receipt of the answer after which to ask; none: to begin.")]
router = APIRouter(prefix="/v1/suggestions", tags=["search and ask"])


class SuggestionsDocument(BaseModel):
    """Questions that the documents which the caller may read do answer."""

    questions: list[str]


@router.get("", response_model=SuggestionsDocument)
def suggest(workspace: Served, caller: CurrentAsker, receipt: After = None) -> Response:
    """Suggest questions to begin with, or after an answer; they are searched for, and so count as a search."""
    count_request(workspace, caller, "searches")
    suggestions = workspace.suggestions
    if receipt is None:
        return reply({"questions": suggestions.examples(caller.principals)})
    return reply({"questions": suggestions.after(readable_receipt(workspace, caller, receipt), caller.principals)})
