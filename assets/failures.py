"""Errors of the library as failures of a step."""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from rag_platform.core.errors import RagError


@contextmanager
def failing_without_retries() -> Iterator[None]:
    """Turn an error that a retry would only repeat into a failure without retries."""
    try:
        yield
    except RagError as error:
        raise dg.Failure(str(error), allow_retries=False) from error
