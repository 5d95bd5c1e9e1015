"""A retriever for DSPy: ``dspy.configure(rm=RagRetriever())``, or a part of a program by itself."""

from typing import Any

from rag_platform.adapters.passage_metadata import metadata_of
from rag_platform.core.errors import MissingExtra
from rag_platform.python_api import search

try:
    from dspy import Retrieve
    from dspy.dsp.utils import dotdict
except ModuleNotFoundError as error:
    raise MissingExtra("dspy", "dspy", "a retriever for DSPy") from error


class RagRetriever(Retrieve):  # type: ignore[misc]  # the package has no types here
    """Finds passages of a workspace as its page does."""

    def __init__(self, home: str | None = None, k: int = 3, **options: Any) -> None:
        """Search the workspace in that folder; the options are those of `rag_platform.search`."""
        super().__init__(k=k)
        self._given = {"home": home, **options}

    def forward(self, query: str, k: int | None = None, **_: Any) -> list[dotdict]:
        """Return the passages that answer a question best, as `long_text` with what is known of each."""
        found = search(query, k=k or self.k, **self._given)
        return [dotdict(metadata_of(hit, found) | {"long_text": hit.text}) for hit in found.hits]
