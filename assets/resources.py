"""What the assets report progress to; the workspace itself is the other resource."""

from collections.abc import Callable

from rag_platform.ports import Progress, silent

Reporter = Callable[[str], Progress]
"""Gives, for the name of a stage, where its progress goes."""


def quiet(stage: str) -> Progress:  # noqa: ARG001
    """Report no progress: what a run did is in its metadata."""
    return silent
