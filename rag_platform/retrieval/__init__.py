"""Question to hits."""

from rag_platform.retrieval.retriever import Retriever

__all__ = ["Retriever"]
