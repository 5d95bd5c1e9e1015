"""The settings of a language model's server, whatever it is used for."""

import os
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field

from rag_platform.config.sections.section import Section


class KeyedSection(Section):
    """A section with the key of a server."""

    api_key_env: str
    """Name of the variable that holds the key."""

    @property
    def api_key(self) -> str | None:
        """The key itself, from the environment: it is in no file and in no record."""
        return os.environ.get(self.api_key_env) or None


class ServerSettings(KeyedSection):
    """An OpenAI-compatible server; without `base_url` there is none."""

    base_url: str | None = None
    model: str | None = None
    """None: the server's first model."""
    api_key_env: str = "OPENAI_API_KEY"
    """Name of the variable that holds the key."""
    headers: dict[str, str] = Field({})
    """Sent with every request; ``${NAME}`` in a value stands for a variable of the environment."""
    extra_body: dict[str, Any] = Field({})
    """What a request carries beside OpenAI's fields, such as ``chat_template_kwargs``."""
    context: int | None = Field(None, ge=256)
    """Tokens that prompt and answer may have together; None: as the server says, else 4096."""
    timeout: float = Field(60.0, gt=0)
    """Seconds until the first token."""
    idle_timeout: float = Field(30.0, gt=0)
    """Seconds between two tokens."""
    max_tokens: int = Field(1024, gt=0)
    temperature: float = Field(0.0, ge=0)
    input_price: float = Field(0.0, ge=0)
    """Of a million tokens of prompts, in whatever currency; what requests cost is counted by it."""
    output_price: float = Field(0.0, ge=0)
    """Of a million tokens of replies."""

    @property
    def shown_url(self) -> str:
        """The address without what may be secret in it."""
        parts = urlsplit(self.base_url or "")
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
