"""What the platform runs beside: [dagster], [secrets] and [audit] of rag.toml."""

from typing import Literal

from pydantic import Field, field_validator

from rag_platform.config.sections.section import Section
from rag_platform.core.urls import is_web


class DagsterSettings(Section):
    """Where Dagster's web server is, from which the page starts runs, and how the steps of a run are executed."""

    url: str | None = None
    """None: the page starts syncs in a process of their own."""
    executor: Literal["in-process", "multiprocess"] = "in-process"
    """Whether the steps of a run share its process, or each has its own."""
    prefix: str = Field("", pattern="^([a-z][a-z0-9_]{0,39})?$")
    """What stands before this workspace's assets, partitions and pools, where several share one Dagster."""

    @field_validator("url")
    @classmethod
    def _of_the_web(cls, url: str | None) -> str | None:
        if url is not None and not is_web(url):
            raise ValueError("expected the address of Dagster's web server, such as 'http://127.0.0.1:3000'")
        return url.rstrip("/") if url else None

    def named(self, what: str) -> str:
        """Return the name of a partition set or a pool of this workspace."""
        return f"{self.prefix}_{what}" if self.prefix else what


class SecretSettings(Section):
    """Where secrets are kept."""

    store: Literal["auto", "keyring", "file"] = "auto"
    """auto: the keyring where there is one, else an encrypted file."""


class AuditSettings(Section):
    """What is recorded of who was shown what."""

    record: bool = True
    """Whether anything is."""
    texts: Literal["on", "hash", "off"] = "on"
    """Whether questions are recorded as they are, as their SHA-256, or not."""
    keep_days: int = Field(365, ge=0)
    """After which an event goes; 0: never."""
