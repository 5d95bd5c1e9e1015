"""The models and servers that a workspace is set up to use, and a real request to one of them."""

import io
import time
import wave
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit
from uuid import uuid4

from rag_platform.config.sections.servers import ServerSettings
from rag_platform.config.settings import ModelSettings, Settings
from rag_platform.core.errors import NotFound, RagError
from rag_platform.workspace import Workspace

Sort = Literal["language", "embedding", "reranking", "transcription"]
_SHOWN = 300
"""Characters of a reply that are shown."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model here, or on a server."""

    table: str
    """Of rag.toml, such as "generators.large": its name here."""
    sort: Sort
    model: str
    """Empty: the server's first."""
    url: str
    """Without what may be secret in it; empty: it runs in this process."""
    key_variable: str
    """Of the environment, with the server's key; empty: none is needed."""
    has_key: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a request."""

    passed: bool
    said: str
    """The answer, or the error in words."""
    took_ms: int


def endpoints(settings: Settings) -> list[Endpoint]:
    """Return all models and servers that are set up, in the order of a question: embedded, found, answered."""
    found = [_embedding("model", settings.model)]
    found += [_embedding(f"models.{name}", one) for name, one in settings.models.items()]
    if settings.retrieval.reranker == "http":
        own = settings.reranker
        found.append(_server("reranker", "reranking", own.model, own.base_url, own.api_key_env, own.api_key))
    for name, one in settings.servers.items():
        found.append(_language("generator" if name == settings.generator.name else f"generators.{name}", one))
    if settings.vision.base_url:
        found.append(_language("vision", settings.vision))
    own_ears = settings.transcription
    if own_ears.base_url:
        key = own_ears.api_key_env, own_ears.api_key
        found.append(_server("transcription", "transcription", own_ears.model, own_ears.base_url, *key))
    return found


def try_endpoint(workspace: Workspace, table: str) -> Trial:
    """Send a small request to a model or server, as a question or a document would, and tell what came of it.

    Raises:
        NotFound: no model or server has that table.
    """
    endpoint = next((one for one in endpoints(workspace.settings) if one.table == table), None)
    if endpoint is None:
        known = ", ".join(one.table for one in endpoints(workspace.settings))
        raise NotFound(f"there is no model or server {table!r}; there are {known}")
    began = time.perf_counter()
    try:
        said, passed = _TRIED[endpoint.sort](workspace, table), True
    except RagError as error:
        said, passed = str(error), False
    return Trial(passed, said, round((time.perf_counter() - began) * 1000))


def _embedding(table: str, one: ModelSettings) -> Endpoint:
    key = (one.api_key_env, one.api_key) if one.base_url else ("", None)
    return _server(table, "embedding", one.name, one.base_url, *key)


def _language(table: str, one: ServerSettings) -> Endpoint:
    return _server(table, "language", one.model, one.base_url, one.api_key_env, one.api_key)


def _server(table: str, sort: Sort, model: str | None, url: str | None, variable: str, key: str | None) -> Endpoint:
    parts = urlsplit(url or "")
    shown = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
    return Endpoint(table, sort, model or "", shown, variable, key is not None)


def _try_language(workspace: Workspace, table: str) -> str:
    from rag_platform.llm.client import OpenAICompatible

    settings = workspace.settings
    name = table.removeprefix("generators.")
    server = {"generator": settings.generator, "vision": settings.vision}.get(table) or settings.servers[name]
    client = OpenAICompatible(server, server.api_key, table=table)
    return client.complete([{"role": "user", "content": "Say in one short sentence that you are ready."}])[:_SHOWN]


def _try_embedding(workspace: Workspace, table: str) -> str:
    from rag_platform.embeddings.runtimes import open_model

    settings = workspace.settings
    model = workspace.embedder if table == "model" else open_model(settings.models[table.removeprefix("models.")])
    vector = model.embed_query(f"Are you ready? {uuid4()}")  # no cache has it
    return f"{model.card.name}: {len(vector)} numbers"


def _try_reranking(workspace: Workspace, table: str) -> str:  # noqa: ARG001 - there is one
    from rag_platform.reranking.endpoint import RerankEndpoint

    own = workspace.settings.reranker
    passages = ["The ferry leaves at dusk.", "Bread is baked in an oven."]
    scores = RerankEndpoint(own, own.api_key).score("When does the ferry leave?", passages, lambda _: 1.0)
    return ", ".join(f"{score:.3f} {passage}" for score, passage in zip(scores, passages, strict=True))


def _try_transcription(workspace: Workspace, table: str) -> str:  # noqa: ARG001 - there is one
    from rag_platform.documents.extracted import Extracted
    from rag_platform.documents.transcription import Transcriber

    heard = Transcriber(workspace.settings.transcription).read(Extracted("", "audio"), _silence(), "silence.wav")
    return (heard.text or ", ".join(heard.flags))[:_SHOWN]


def _silence() -> bytes:
    """Return half a second of nothing, as WAV."""
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(bytes(16_000))
    return content.getvalue()


_TRIED: dict[Sort, Callable[[Workspace, str], str]] = {
    "language": _try_language,
    "embedding": _try_embedding,
    "reranking": _try_reranking,
    "transcription": _try_transcription,
}
