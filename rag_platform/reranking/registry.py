"""Settings to the reranker that they name."""

from collections.abc import Callable, Mapping
from typing import Any

from rag_platform.config.settings import GeneratorSettings, Settings
from rag_platform.core.ports import Reranker
from rag_platform.embeddings.embedding_model import EmbeddingModel, TokenModel
from rag_platform.reranking.cache import CachingReranker
from rag_platform.reranking.without_tokens import WithoutTokens


def open_reranker(
    settings: Settings,
    embedder: Callable[[], EmbeddingModel],
    embedder_of: Callable[[Mapping[str, Any]], EmbeddingModel] | None = None,
) -> Reranker:
    """Open the reranker of [retrieval]; what asks a server or runs a large model caches its scores.

    Late interaction compares the token vectors of the model that embedded a passage: `embedder_of` gives that of a
    vector space, `embedder` that of [model].
    """
    own = settings.reranker
    match settings.retrieval.reranker:
        case "cross-encoder":
            from rag_platform.reranking.cross_encoder import open_cross_encoder

            return CachingReranker(open_cross_encoder(own))
        case "http":
            from rag_platform.reranking.endpoint import RerankEndpoint

            return CachingReranker(RerankEndpoint(own, own.api_key))
        case "llm":
            return CachingReranker(_llm_judge(settings))
    from rag_platform.reranking.late_interaction import LateInteraction

    opened = embedder()
    return LateInteraction(opened, embedder_of) if isinstance(opened, TokenModel) else WithoutTokens(opened.card.name)


def _llm_judge(settings: Settings) -> Reranker:
    """Open the judge on the server of [reranker], or on that of [generator] when [reranker] names none."""
    from rag_platform.llm.client import OpenAICompatible
    from rag_platform.reranking.llm_judge import LanguageModelReranker

    own, server, table = settings.reranker, settings.generator, "generator"
    if own.base_url:
        fields = own.model_dump(include={"base_url", "model", "api_key_env"})
        server, table = GeneratorSettings(**fields), "reranker"
    server = server.model_copy(update={"timeout": own.timeout, "max_tokens": own.max_tokens, "temperature": 0.0})
    return LanguageModelReranker(OpenAICompatible(server, server.api_key), own.timeout, table)
