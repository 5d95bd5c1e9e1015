"""The commands of `rag`: names, one-line helps, and the modules that are imported on a call.

Listing the commands imports none of them: that would bring ONNX Runtime, Polars, OpenAI and more into `rag --help`.
"""

import gc
import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import click
import typer
from typer.core import TyperGroup
from typer.main import get_command_from_info, get_group
from typer.models import CommandInfo

from rag_platform.core.did_you_mean import did_you_mean

COMMANDS = {
    "init": ("operations.start:init", "Write a commented rag.toml and a sample document."),
    "sync": ("corpus.syncing:sync", "Bring sources up to date, then build, score and publish a version."),
    "search": ("ask.answers:search", "Find the passages that answer a question."),
    "ask": ("ask.answers:ask", "Answer a question, every sentence cited."),
    "chat": ("ask.chat:chat", "Ask in a full-screen chat, with the sources beside the answers."),
    "check": ("ask.checking:check", "Judge a file of claims by their sources, or by the documents."),
    "generators": ("ask.generators:generators", "List the generators of answers, with the health of each server."),
    "why": (
        "ask.why:why",
        "Explain at which stage a document was lost for a question, or at which rank it was found.",
    ),
    "eval": (
        "release.evaluation:evaluate",
        "Judge a version on the workspace's questions; with PATH, measure retrieval per mode.",
    ),
    "extract": ("corpus.inspection:extract", "Show the extracted text and the metadata of a file or page."),
    "chunk": ("corpus.inspection:chunk", "Show how a file is cut into chunks; each is a span of its extracted text."),
    "forget": (
        "provenance.forgetting:forget",
        "Erase a document, a source or a person everywhere, and prove it.",
    ),
    "impact": ("provenance.impact:impact", "Show every chunk, question and past answer that depends on a document."),
    "guard": ("operations.guard:guard", "Refuse private corpora, data and secrets in git."),
    "health": ("operations.health:health", "Compare each source with the live version and with its schedule."),
    "alerts": ("release.alerts:app", "Alerts of held sources, refused versions and late sources."),
    "doctor": ("operations.doctor:doctor", "Check the machine and the workspace, and report what is missing."),
    "audit": ("operations.audit:app", "The audit: who was shown what."),
    "backup": ("operations.backups:app", "Copies of the workspace."),
    "restore": ("operations.restoring:restore", "Make a workspace of a backup, in the folder of --home."),
    "repair": (
        "operations.repair:repair",
        "Mend damaged files; nothing is deleted: what is damaged is kept in data/damaged.",
    ),
    "serve": ("operations.serving:serve", "Serve collections, search and answers over HTTP until Ctrl-C."),
    "bot": ("ask.bots:app", "Answer where people talk: in Slack, in Teams, by e-mail."),
    "mcp": ("ask.mcp:mcp", "Serve agents by the Model Context Protocol, over stdin and stdout."),
    "up": ("operations.up:up", "Run the page and Dagster until Ctrl-C."),
    "link": ("operations.linking:link", "Print a link that opens the page, or the API, once, as an admin."),
    "collection": ("corpus.collections:app", "Collections of uploaded files."),
    "source": ("corpus.sources:app", "The sources of rag.toml."),
    "import": ("corpus.importing:import_store", "Add a source that reads another system's store, and sync it."),
    "export": ("corpus.exporting:export_version", "Write documents, passages and vectors for other programs."),
    "quarantine": ("operations.quarantine:app", "Documents held for review: list, accept, reject."),
    "token": ("operations.tokens:app", "Access tokens for the API."),
    "acl": ("operations.acl:app", "Who may read what: rules, groups, and the log of every change."),
    "index": ("release.indexes:app", "The versions of the index."),
    "models": ("operations.models:app", "The models for embedding and reranking."),
    "secret": ("corpus.secrets:app", "Passwords and keys, stored encrypted."),
    "portal": ("corpus.portals:app", "Sources behind a login."),
    "receipt": ("provenance.receipts:app", "Receipts: the provenance of each answer, and its replay."),
    "questions": ("release.questions:app", "The question sets of the release gate."),
    "help": ("helping:help_of", "Show what a command does and takes."),
}
"""By name: the module below `rag_platform.cli` with the function or the group, and what the list of commands says."""


def nearest(given: str, known: Iterable[str]) -> str:
    """Return the end of an error message about an unknown name: the nearest known one, or nothing."""
    hint = did_you_mean(given, known)
    return f"; {hint}" if hint else ""


class CommandGroup(TyperGroup):
    """Commands; an unknown one is an error that names the nearest."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names, and the words that follow."""
        name = args[0]
        if not ctx.resilient_parsing and not name.startswith("-") and self.get_command(ctx, name) is None:
            raise click.UsageError(f"No such command {name!r}{nearest(name, self.list_commands(ctx))}", ctx)
        return super().resolve_command(ctx, args)


class LazyCommands(CommandGroup):
    """The commands of `COMMANDS`, each imported when it is called."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse what was given; nothing is the chat, where there are a terminal and a workspace, else the help."""
        chats = not args and not ctx.resilient_parsing and _can_chat()
        return super().parse_args(ctx, ["chat"] if chats else args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  as click asks
        """Return the names in their order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  as click asks
        """Return a placeholder with the name and the help: enough for a list, and nothing is imported."""
        if cmd_name not in COMMANDS:
            return None
        return click.Command(cmd_name, help=COMMANDS[cmd_name][1])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command itself."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, load_command(name) if name in COMMANDS else None, rest


def _can_chat() -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    from rag_platform.config.settings import FILE
    from rag_platform.config.settings_file import home_folder

    return (home_folder() / FILE).is_file()


def group(about: str) -> typer.Typer:
    """Return an empty group of commands."""
    return typer.Typer(cls=CommandGroup, no_args_is_help=True, suggest_commands=False, help=about)


def load_command(name: str) -> click.Command:
    """Import a command of `COMMANDS`."""
    module, _, attribute = COMMANDS[name][0].partition(":")
    target: Any = getattr(import_module(f"rag_platform.cli.{module}"), attribute)
    gc.enable()  # __main__ has disabled it
    if isinstance(target, typer.Typer):
        command: click.Command = get_group(target)
        command.name = name
        return command
    info = CommandInfo(name=name, callback=target)
    return get_command_from_info(info, pretty_exceptions_short=False, rich_markup_mode="rich")
