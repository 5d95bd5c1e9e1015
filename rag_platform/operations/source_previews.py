"""What a source would read, before it is added."""

from collections.abc import Mapping
from typing import Any

from rag_platform.config.placeholders import PLACEHOLDER
from rag_platform.raw.preview import SECONDS, Preview, PreviewProcess
from rag_platform.workspace import Workspace


def preview_source(workspace: Workspace, table: Mapping[str, Any], seconds: float = SECONDS) -> Preview:
    """List what a source, as its table in rag.toml would stand, would read; it knows only the secrets that it names."""
    names = {match[2] for match in PLACEHOLDER.finditer(str(table)) if match[1]}
    secrets = {name: value for name in names if (value := workspace.secrets.get(name)) is not None}
    return PreviewProcess(workspace.settings.home, table, secrets, seconds).wait()
