"""Hits, and an embedder whose similarities are known."""

from tests.hits import embedder, make_hit

__all__ = ["embedder", "make_hit"]
