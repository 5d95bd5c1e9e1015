"""What may be set for a source that reads another system's store."""

from typing import Literal, get_args

from pydantic import Field

from rag_platform.config.placeholders import Headers
from rag_platform.config.sections.sources import FetchSettings
from rag_platform.config.source_kinds import Kind, opened_by
from rag_platform.sources.bridges.settings import BridgeSettings

Format = Literal[
    "chroma", "qdrant", "pgvector", "lancedb", "llamaindex", "langchain", "faiss", "beir", "jsonl", "parquet"
]
FORMATS: tuple[Format, ...] = get_args(Format)


class StoreSource(BridgeSettings):
    """Passages of a store. Those of one document become one document again."""

    kind: Literal["store"]
    format: Format
    """Whose store it is."""
    place: str
    """A file or folder, the address of a server, or that of a database; with placeholders as in `arguments`."""
    name: str = ""
    """The collection or table; empty: the only one."""
    group: str | None = None
    """Column that says of which document a passage is; empty: each is one of its own; None: as its columns suggest."""
    headers: Headers = Field(default_factory=dict)
    """What a server is sent with each request, such as ``api-key = "${secret:qdrant}"``."""
    fetch: FetchSettings = FetchSettings(delay=0, timeout=60, robots=False)


EXAMPLE = """
[[sources]]
id = "old-assistant"
kind = "store"
format = "chroma"
place = "../assistant/chroma_db"
"""
KIND = Kind(
    StoreSource,
    opened_by("rag_platform.sources.stores.vector_store:VectorStore"),
    example=EXAMPLE,
    extras=("lancedb", "postgres"),
)
