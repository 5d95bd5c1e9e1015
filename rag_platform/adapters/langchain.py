"""A retriever for LangChain: ``from rag_platform.adapters.langchain import RagRetriever``."""

from typing import Any

from pydantic import Field

from rag_platform import aio
from rag_platform.adapters.passage_metadata import metadata_of
from rag_platform.core.errors import MissingExtra
from rag_platform.python_api import search
from rag_platform.retrieval.results import SearchResult

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ModuleNotFoundError as error:
    raise MissingExtra("langchain-core", "langchain", "a retriever for LangChain") from error


class RagRetriever(BaseRetriever):
    """Finds passages of a workspace as its page does."""

    home: str | None = None
    """The workspace's folder; None: RAG_HOME, else the current folder."""
    k: int = 10
    """How many passages."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Whatever `rag_platform.search` takes: `principals`, `collections`, `since`, `mode`, `as_of` and so on."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:  # noqa: ARG002  as LangChain asks
        return _documents(search(query, home=self.home, k=self.k, **self.options))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002  as LangChain asks
    ) -> list[Document]:
        return _documents(await aio.search(query, home=self.home, k=self.k, **self.options))


def _documents(found: SearchResult) -> list[Document]:
    return [Document(id=hit.chunk_id, page_content=hit.text, metadata=metadata_of(hit, found)) for hit in found.hits]
