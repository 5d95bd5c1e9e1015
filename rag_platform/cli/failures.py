"""How errors are reported: a sentence for people, or with --json one document of one form."""

import sys

import click
from click.exceptions import NoArgsIsHelpError, NoSuchOption

from rag_platform.cli import console
from rag_platform.cli.commands import nearest
from rag_platform.core.errors import RagError


def show_error(error: RagError) -> int:
    """Report an error of the library; returns the exit code."""
    _report(type(error).__name__, str(error), error.exit_code)
    return error.exit_code


def show_usage_error(error: click.ClickException) -> int:
    """Report a usage error with the nearest name and where to find help; returns the exit code."""
    if isinstance(error, NoArgsIsHelpError):
        click.echo(error.ctx.get_help())
        return error.exit_code
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "rag"
    _report("UsageError", _message(error, context), error.exit_code, hint=f"`{path} --help` shows what it takes")
    return error.exit_code


def _message(error: click.ClickException, context: click.Context | None) -> str:
    if isinstance(error, NoSuchOption) and context:
        known = [name for parameter in context.command.get_params(context) for name in parameter.opts]
        return f"No such option {error.option_name!r}{nearest(error.option_name, known)}"
    return error.format_message()


def _report(kind: str, message: str, code: int, hint: str | None = None) -> None:
    if "--json" in sys.argv and not console.printed_json():
        console.print_json({"error": {"kind": kind, "message": message, "exit_code": code}})
        return
    console.print_error(message)
    if hint:
        console.err.print(hint, soft_wrap=True)
