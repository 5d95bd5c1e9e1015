"""What the library refuses, as a failure of a step."""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from rag_platform.core.errors import RagError


@contextmanager
def failing_without_retries() -> Iterator[None]:
    """Translate an error that another attempt would only repeat."""
    try:
        yield
    except RagError as error:
        raise dg.Failure(str(error), allow_retries=False) from error
