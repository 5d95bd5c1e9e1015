"""`rag guard`: refuse private data in git."""

import typer
from rich.text import Text

from rag_platform.cli.console import JsonOption, chosen_home, out, print_error, print_json
from rag_platform.config.settings import load_settings
from rag_platform.operations.git_guard import unguarded


def guard(as_json: JsonOption = False) -> None:
    """Refuse private corpora, data and secrets that are staged or tracked in git."""
    found = unguarded(load_settings(chosen_home.get()))
    if as_json:
        print_json([{"path": path, "why": why} for path, why in found])
    for path, why in () if as_json else found:
        out.print(Text.assemble((path, "bold"), f": {why}"), soft_wrap=True)
    if found:
        print_error("remove these from git's index with `git rm -r --cached PATH`; the files themselves stay")
        raise typer.Exit(1)
