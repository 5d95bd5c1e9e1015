"""What may be set for a reader of LlamaHub."""

from typing import Any, Literal

from pydantic import Field

from rag_platform.config.source_kinds import Kind, opened_by
from rag_platform.sources.bridges.settings import BridgeSettings


class LlamaHubSource(BridgeSettings):
    """The documents of a reader of LlamaHub."""

    kind: Literal["llamahub"]
    reader: str
    """A package's name, such as ``notion``; of several readers with the class: ``google:GoogleDocsReader``."""
    load: dict[str, Any] = Field(default_factory=dict)
    """What its documents are loaded with; placeholders as in `arguments`."""


EXAMPLE = """
[[sources]]
id = "pages"
kind = "llamahub"
reader = "notion"
whole = true
arguments = { integration_token = "${secret:notion}" }
load = { database_ids = ["0f3c…"] }
"""
KIND = Kind(
    LlamaHubSource, opened_by("rag_platform.sources.bridges.llamahub:LlamaHub"), example=EXAMPLE, extras=("llamahub",)
)
