"""What the bridges' kinds share: whose library is called with what, where, and within which limits."""

from pathlib import Path
from typing import Any

from pydantic import Field

from rag_platform.sources.databases.row_documents import RowSettings


class BridgeSettings(RowSettings):
    """A source that another library reads. Its rows become documents as those of a query do."""

    key: str = ""
    """Column that identifies a row; empty: what the library itself says."""
    template: str = ""
    """The document's Markdown text, a template; empty: the text of the row, or all its columns."""
    type: str = "document"
    arguments: dict[str, Any] = Field(default_factory=dict)
    """What it is called with; ``${secret:NAME}`` is a stored secret, ``${NAME}`` a variable of the environment."""
    environment: dict[str, str] = Field(default_factory=dict)
    """Variables of its process, with the same placeholders; it has none of ours."""
    python: Path | None = None
    """A Python in which the library is installed; None: the one that runs the platform."""
    code: Path | None = None
    """A folder of modules that it may import."""
    whole: bool | None = None
    """Whether each reading names all there is, so that what is missing was deleted; None: as the library tells."""
    timeout: float = Field(3600.0, gt=0)
    """Seconds that one reading may take."""
    memory_limit: int = Field(4096, ge=256)
    """Megabytes that its process may take."""
    max_rows: int = Field(1_000_000, gt=0)
    """A reading that gives more is not used."""
    max_bytes: int = Field(1_000_000_000, gt=0)
    """Of all that one reading gives."""
