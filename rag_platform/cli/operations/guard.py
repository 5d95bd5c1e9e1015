"""`rag guard`: refuse private data in git."""

import sys
from typing import Annotated

import typer
from rich.text import Text

from rag_platform.cli.console import JsonOption, chosen_home, out, print_error, print_json
from rag_platform.config.settings_file import load_settings
from rag_platform.operations.git_guard import carried, unguarded

_INDEX = "remove these from git's index with `git rm -r --cached PATH`; the files themselves stay"
_PUSH = "commits of this push hold these: rewrite them (`git rebase -i`, `git filter-repo`), then push again"


def guard(
    push: Annotated[
        bool, typer.Option("--push", help="Look at what a push carries, as git tells the hook pre-push.")
    ] = False,
    remote: Annotated[str, typer.Argument(metavar="[REMOTE]", help="With --push: what is pushed to.")] = "",
    url: Annotated[str, typer.Argument(metavar="[URL]", help="With --push: its address.")] = "",  # noqa: ARG001  git gives it
    as_json: JsonOption = False,
) -> None:
    """Refuse private corpora, data and secrets in git."""
    settings = load_settings(chosen_home.get())
    found = carried(settings, sys.stdin, remote) if push else unguarded(settings)
    if as_json:
        print_json([{"path": path, "why": why} for path, why in found])
    for path, why in () if as_json else found:
        out.print(Text.assemble((path, "bold"), f": {why}"), soft_wrap=True)
    if found:
        print_error(_PUSH if push else _INDEX)
        raise typer.Exit(1)
