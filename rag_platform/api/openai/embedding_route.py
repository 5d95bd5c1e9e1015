"""`POST /v1/embeddings`: texts as vectors of the workspace's own model."""

import base64
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import CurrentReader, Served
from rag_platform.api.answers import count_request
from rag_platform.api.openai.openai_route import ERRORS, BadField, ComputingRoute, OpenAIBody
from rag_platform.api.problems import reply
from rag_platform.embeddings.embedding_model import EmbeddingModel

router = APIRouter(prefix="/v1", route_class=ComputingRoute, tags=["OpenAI"], responses=ERRORS)

Texts = Annotated[list[str], Field(min_length=1, max_length=2048)]


class EmbeddingsRequest(OpenAIBody):
    """Texts to be embedded."""

    model: str
    input: str | Texts
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = None
    input_type: Literal["document", "query"] = Field(
        "document", description="As Cohere and Voyage have it: models that tell questions from passages need it."
    )


class EmbeddingsDocument(BaseModel):
    """A vector for each text, in their order; unit length."""

    object: Literal["list"]
    data: list[dict[str, Any]]
    model: str
    usage: dict[str, int]


@router.post("/embeddings", response_model=EmbeddingsDocument)
def embed(workspace: Served, caller: CurrentReader, given: EmbeddingsRequest) -> Response:
    """Embed texts with the model of [model]."""
    embedder = workspace.embedder
    _must_fit(given, embedder)
    texts = [given.input] if isinstance(given.input, str) else given.input
    count_request(workspace, caller, "searches", len(texts))  # a search embeds one text
    asked = given.input_type == "query"
    vectors = np.stack([embedder.embed_query(one) for one in texts]) if asked else embedder.embed_passages(texts)
    tokens = sum(embedder.count_tokens(texts))
    packed = given.encoding_format == "base64"
    data = [
        {"object": "embedding", "index": place, "embedding": _base64(one) if packed else one.tolist()}
        for place, one in enumerate(vectors)
    ]
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return reply({"object": "list", "data": data, "model": embedder.card.name, "usage": usage})


def _must_fit(given: EmbeddingsRequest, embedder: EmbeddingModel) -> None:
    name = embedder.card.name
    if given.model not in (name, name.rpartition("/")[2]):
        said = f"there is no embedding model {given.model!r}"
        raise BadField("model", said, name, "Name the model of [model] in rag.toml.", 404)
    if given.dimensions not in (None, embedder.dimension):
        said = f"dimensions = {given.dimensions}: vectors of {name} cannot be shortened"
        raise BadField("dimensions", said, str(embedder.dimension), "Leave it out.")


def _base64(vector: np.ndarray) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()
