"""Errors of the library, and failed checks that block, as failures of a step: in words that people act on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import dagster as dg

from rag_platform.core.errors import RagError


@contextmanager
def failing_without_retries() -> Iterator[None]:
    """Turn an error that a retry would only repeat into a failure without retries."""
    try:
        yield
    except RagError as error:
        raise dg.Failure(str(error), allow_retries=False) from error


def unless_refused(result: dg.MaterializeResult[Any], refused: str) -> Iterator[dg.MaterializeResult[Any]]:
    """Yield what was made, with its checks; then fail in words: Dagster names only the check that blocks."""
    yield result
    if refused:
        raise dg.Failure(refused, allow_retries=False)
