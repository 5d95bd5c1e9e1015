"""A folder opened as a workspace, and kept its owner's alone."""

import logging
from contextlib import suppress
from pathlib import Path

from rag_platform.config.settings import FILE
from rag_platform.config.settings_file import home_folder, load_settings
from rag_platform.storage.files.private import is_open, make_private
from rag_platform.storage.swapping import finish_exchange
from rag_platform.workspace.workspace import Workspace


def open_workspace(home: str | Path | None = None) -> Workspace:
    """Open the workspace in that folder (default: RAG_HOME, else the current folder)."""
    finish_exchange(home_folder(home))  # of a restore that was killed
    settings = load_settings(home)
    if (settings.home / FILE).is_file():
        _keep_private(settings.data)
    return Workspace(settings)


def _keep_private(data: Path) -> None:
    """Make `data` its owner's alone, and mend one that others could enter, with all that is in it; say so once."""
    with suppress(OSError):  # a disk that is only read; whoever writes is told
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    if is_open(data) and (mended := make_private(data)):
        logging.getLogger(__name__).warning(
            "%s could be read by other users of this machine; %d files and folders are now their owner's alone",
            data,
            mended,
        )
