"""Hits to a better order."""

from rag_platform.reranking.cache import CachingReranker
from rag_platform.reranking.cross_encoder import CrossEncoder, open_cross_encoder
from rag_platform.reranking.endpoint import RerankEndpoint
from rag_platform.reranking.late_interaction import LateInteraction
from rag_platform.reranking.llm_judge import LanguageModelReranker

__all__ = [
    "CachingReranker",
    "CrossEncoder",
    "LanguageModelReranker",
    "LateInteraction",
    "RerankEndpoint",
    "open_cross_encoder",
]
