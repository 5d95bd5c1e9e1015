"""A retriever and a query engine for LlamaIndex: ``from rag_platform.adapters.llamaindex import RagRetriever``."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from pydantic import Field

from rag_platform import aio
from rag_platform.adapters.passage_metadata import metadata_of
from rag_platform.core.answers import Answer
from rag_platform.core.errors import MissingExtra
from rag_platform.core.hits import Hit
from rag_platform.python_api import ask, search
from rag_platform.retrieval.results import SearchResult

try:
    from llama_index.core.base.response.schema import Response
    from llama_index.core.query_engine import CustomQueryEngine
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ModuleNotFoundError as error:
    raise MissingExtra("llama-index-core", "llamaindex", "a retriever for LlamaIndex") from error


class RagRetriever(BaseRetriever):  # type: ignore[misc]  # the package has no types here
    """Finds passages of a workspace as its page does."""

    def __init__(self, home: str | None = None, k: int = 10, **options: Any) -> None:
        """Search the workspace in that folder; the options are those of `rag_platform.search`."""
        super().__init__()
        self._given = {"home": home, "k": k, **options}

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(search(query_bundle.query_str, **self._given))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(await aio.search(query_bundle.query_str, **self._given))


class RagQueryEngine(CustomQueryEngine):  # type: ignore[misc]  # the package has no types here
    """Answers from a workspace, every sentence cited; the receipt and the citations are in the response's metadata."""

    home: str | None = None
    """The workspace's folder; None: RAG_HOME, else the current folder."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Whatever `rag_platform.ask` takes: `principals`, `collections`, `generator`, `as_of` and so on."""

    def custom_query(self, query_str: str) -> Response:
        """Answer a question."""
        return _response(ask(query_str, home=self.home, **self.options))

    async def acustom_query(self, query_str: str) -> Response:
        """Answer a question."""
        return _response(await aio.ask(query_str, home=self.home, **self.options))


def _nodes(found: SearchResult, hits: Iterable[Hit] | None = None) -> list[NodeWithScore]:
    return [
        NodeWithScore(
            node=TextNode(
                id_=hit.chunk_id,
                text=hit.text,
                metadata=metadata_of(hit, found),
                start_char_idx=hit.span[0],
                end_char_idx=hit.span[1],
            ),
            score=hit.score,
        )
        for hit in (found.hits if hits is None else hits)
    ]


def _response(answer: Answer) -> Response:
    cited = {one.doc_id for one in answer.citations}
    found = SearchResult(answer.question, answer.version, "", {}, answer.hits)
    kept = {name: getattr(answer, name) for name in ("receipt_id", "version", "model", "abstained")}
    told = kept | {"citations": [asdict(one) for one in answer.citations]}
    return Response(answer.answer, _nodes(found, [hit for hit in answer.hits if hit.doc_id in cited]), told)
