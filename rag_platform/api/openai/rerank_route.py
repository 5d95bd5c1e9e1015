"""`POST /v1/rerank`: texts in the order in which they answer a question, in the form of Jina and Cohere."""

from collections.abc import Callable
from math import isfinite
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentReader, Served
from rag_platform.api.answers import count_request
from rag_platform.api.openai.openai_route import ERRORS, BadField, ComputingRoute, OpenAIBody
from rag_platform.api.problems import reply
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1", route_class=ComputingRoute, tags=["OpenAI"], responses=ERRORS)


class TextDocument(OpenAIBody):
    """A text as an object."""

    text: str


class RerankRequest(OpenAIBody):
    """A question, and the texts that may answer it."""

    model: str | None = None
    query: Annotated[str, Field(min_length=1)]
    documents: Annotated[list[str | TextDocument], Field(min_length=1, max_length=1000)]
    top_n: int | None = Field(None, ge=1)
    return_documents: bool = False


class RerankDocument(BaseModel):
    """The places of the texts that were given, best first, each with its score; the scale is the reranker's."""

    id: str | None
    model: str
    results: list[dict[str, Any]]
    usage: dict[str, int]


@router.post("/rerank", response_model=RerankDocument)
def rerank(workspace: Served, caller: CurrentReader, given: RerankRequest) -> Response:
    """Order texts by how well they answer a question, with the reranker of [reranker]."""
    reranker = workspace.reranker
    if given.model not in (None, reranker.name, "default"):
        said = f"there is no reranker {given.model!r}"
        raise BadField("model", said, f"{reranker.name!r}, or none", "Leave it out.", 404)
    count_request(workspace, caller, "searches", len(given.documents))
    texts = [one if isinstance(one, str) else one.text for one in given.documents]
    scores = reranker.score(given.query, texts, _weight(workspace, caller)).tolist()
    judged = [place for place, score in enumerate(scores) if isfinite(score)]  # others were not judged, or dropped
    best = sorted(judged, key=lambda place: -scores[place])[: given.top_n]
    results: list[dict[str, Any]] = [{"index": place, "relevance_score": scores[place]} for place in best]
    if given.return_documents:
        results = [one | {"document": {"text": texts[one["index"]]}} for one in results]
    tokens = sum(workspace.embedder.count_tokens([given.query, *texts]))
    return reply({"id": None, "model": reranker.name, "results": results, "usage": {"total_tokens": tokens}})


def _weight(workspace: Workspace, caller: Caller) -> Callable[[str], float]:
    """Return the rarity of a word in what the caller may read; without a live version all words are alike."""
    live = workspace.versions.live_id()
    return workspace.versions.open(live).view(caller.principals).word_weight if live else lambda _: 1.0
