"""The command `rag`: a thin shell around the library and the evaluation.

Exit codes: 0 done; 1 failed; 2 usage or settings; 3 built but refused by the gate. With ``--json`` a command prints one
JSON document on stdout, also when it fails; everything else goes to stderr.
"""

import logging
import sys
from typing import Annotated

import click
import typer

from rag_platform.cli.commands import LazyCommands
from rag_platform.cli.console import chosen_home
from rag_platform.cli.failures import show_error, show_usage_error
from rag_platform.core.errors import RagError
from rag_platform.storage.files.private import keep_new_files

app = typer.Typer(
    name="rag",
    cls=LazyCommands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="A RAG platform whose index is a release.",
)


def _show_version(requested: bool) -> None:
    if requested:
        from rag_platform.core.installation import platform_version

        typer.echo(f"rag {platform_version()}")
        raise typer.Exit


@app.callback()
def workspace_options(
    home: Annotated[
        str | None, typer.Option("--home", metavar="DIR", help="The workspace; default: RAG_HOME, else this folder.")
    ] = None,
    version: Annotated[  # noqa: ARG001  its callback does it
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Choose the workspace."""
    chosen_home.set(home)


def run() -> int:
    """Run the command line and return its exit code; an error ends it with one message."""
    keep_new_files()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("rag_platform.models.fetching").setLevel(logging.INFO)  # it may take minutes
    try:
        return app(prog_name="rag", standalone_mode=False) or 0
    except click.ClickException as error:
        return show_usage_error(error)
    except RagError as error:
        return show_error(error)
    except click.Abort as error:
        raise KeyboardInterrupt from error
    except SystemExit as ended:  # as click and Rich end when nobody reads on
        return 0 if isinstance(ended.__context__, BrokenPipeError) else int(ended.code or 0)
