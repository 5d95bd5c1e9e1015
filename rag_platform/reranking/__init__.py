"""Hits to a better order."""

from rag_platform.reranking.late_interaction import LateInteraction

__all__ = ["LateInteraction"]
