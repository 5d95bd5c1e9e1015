"""`rag help`: what a command does and takes."""

from typing import Annotated

import click
import typer

Words = Annotated[list[str] | None, typer.Argument(metavar="[COMMAND]…", help="Its name, such as `index show`.")]


def help_of(context: typer.Context, command: Words = None) -> None:
    """Show what a command does and takes."""
    shown: click.Context = context.find_root()
    for word in command or ():
        if not isinstance(shown.command, click.Group):
            raise click.UsageError(f"`{shown.command_path}` has no commands of its own", context)
        _, found, _ = shown.command.resolve_command(shown, [word])
        if found is not None:
            shown = click.Context(found, info_name=word, parent=shown)
    typer.echo(shown.get_help())
