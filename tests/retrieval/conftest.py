"""Versions in an empty folder, as for the tests of the index."""

from tests.index.conftest import publish, versions

__all__ = ["publish", "versions"]
