"""What every table of rag.toml is."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A table of rag.toml: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
