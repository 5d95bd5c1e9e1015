"""`rag init`: create a workspace."""

from pathlib import Path
from typing import Annotated

import typer

from rag_platform.cli.console import chosen_home, out
from rag_platform.config.settings import FILE
from rag_platform.config.settings_file import home_folder
from rag_platform.core.errors import SettingsError
from rag_platform.workspace.template import write_workspace


def init(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="The workspace; default: that of --home.")
    ] = None,
) -> None:
    """Write a commented rag.toml and a sample document."""
    home = home_folder(folder if folder is not None else chosen_home.get())
    if (home / FILE).exists():
        raise SettingsError(f"{home / FILE} exists already; edit it, or choose another folder")
    write_workspace(home)
    out.print(f"A workspace is in {home}. Next:", soft_wrap=True)
    out.print(f"  rag --home {home} sync", soft_wrap=True)
    out.print(f"  rag --home {home} ask 'How do I add a source?'", soft_wrap=True)
