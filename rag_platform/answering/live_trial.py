"""What follows the answers that people get, and may give some of them another version."""

from contextlib import AbstractContextManager
from typing import Protocol

from rag_platform.answering.search_step import SearchRequest
from rag_platform.core.answers import Answer


class LiveTrial(Protocol):
    """Follows real answers; nothing of it raises an error or takes more than a moment."""

    def version_for(self, session: str) -> str | None:
        """Return the version from which a session is answered; None: the live one."""
        ...

    def underway(self) -> AbstractContextManager[None]:
        """Enclose the writing of an answer."""
        ...

    def answered(self, answer: Answer, request: SearchRequest) -> None:
        """Take note of an answer."""
        ...
