"""A component for Haystack: ``from rag_platform.adapters.haystack import RagRetriever``."""

from typing import Any

from rag_platform import aio
from rag_platform.adapters.passage_metadata import metadata_of
from rag_platform.core.errors import MissingExtra
from rag_platform.python_api import search
from rag_platform.retrieval.results import SearchResult

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ModuleNotFoundError as error:
    raise MissingExtra("haystack-ai", "haystack", "a component for Haystack") from error


@component
class RagRetriever:
    """Finds passages of a workspace as its page does."""

    def __init__(self, home: str | None = None, top_k: int = 10, options: dict[str, Any] | None = None) -> None:
        """Search the workspace in that folder; the options are those of `rag_platform.search`."""
        self.home, self.top_k, self.options = home, top_k, options or {}

    @component.output_types(documents=list[Document])
    def run(self, query: str, top_k: int | None = None) -> dict[str, list[Document]]:
        """Return the passages that answer a question best."""
        return _documents(search(query, home=self.home, k=top_k or self.top_k, **self.options))

    @component.output_types(documents=list[Document])
    async def run_async(self, query: str, top_k: int | None = None) -> dict[str, list[Document]]:
        """Return the same, to be awaited."""
        return _documents(await aio.search(query, home=self.home, k=top_k or self.top_k, **self.options))

    def to_dict(self) -> dict[str, Any]:
        """Return it as a pipeline's file holds it."""
        written: dict[str, Any] = default_to_dict(self, home=self.home, top_k=self.top_k, options=self.options)
        return written

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "RagRetriever":
        """Make it of what a pipeline's file holds."""
        made: RagRetriever = default_from_dict(cls, data)
        return made


def _documents(found: SearchResult) -> dict[str, list[Document]]:
    documents = [
        Document(id=hit.chunk_id, content=hit.text, meta=metadata_of(hit, found), score=hit.score) for hit in found.hits
    ]
    return {"documents": documents}
