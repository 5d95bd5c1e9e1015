"""Hits, and an embedder whose similarities are known."""

from tests.hits import embedder, hits, make_hit

__all__ = ["embedder", "hits", "make_hit"]
