"""Hits whose texts are known."""

from tests.hits import hits, make_hit

__all__ = ["hits", "make_hit"]
