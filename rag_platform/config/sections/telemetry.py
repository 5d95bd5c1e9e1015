"""What the platform tells those who run it: [telemetry] of rag.toml."""

from typing import Literal

from pydantic import Field, field_validator

from rag_platform.config.placeholders import Headers
from rag_platform.config.sections.section import Section
from rag_platform.core.urls import is_web


class TelemetrySettings(Section):
    """Metrics, traces and logs."""

    metrics_local: bool = False
    """Whether this machine's own requests get /metrics without a token; never those that come through a proxy."""
    logs: Literal["text", "json"] = "text"
    """How `rag serve` writes its log; json: a line for each request too, on standard output."""
    endpoint: str | None = None
    """The address of an OTLP receiver (HTTP), without /v1/traces; None: nothing is exported."""
    headers: Headers = Field({}, repr=False)
    """Sent with every export; ``${NAME}`` in a value stands for a variable of the environment."""
    service: str = "rag-platform"
    """The name under which traces appear."""
    sample: float = Field(1.0, ge=0, le=1)
    """Share of the traces that are exported; those that another service began follow its decision."""
    content: bool = False
    """Whether questions, prompts and answers are exported with the traces."""

    @field_validator("endpoint")
    @classmethod
    def _of_the_web(cls, endpoint: str | None) -> str | None:
        if endpoint is not None and not is_web(endpoint):
            raise ValueError("expected the address of an OTLP receiver, such as 'http://127.0.0.1:4318'")
        return endpoint.rstrip("/") if endpoint else None
