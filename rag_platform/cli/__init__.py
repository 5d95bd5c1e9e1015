"""The command `rag`: a thin shell around the library, the assets and the evaluation.

Exit codes: 0 done; 1 failed; 2 usage or settings; 3 built but refused by the gate. With ``--json`` a command prints one
JSON document on stdout; everything else goes to stderr.
"""

import logging
import sys
from typing import Annotated

import typer

from rag_platform.cli.ask import answers, chat, generators, why
from rag_platform.cli.console import chosen_home, complain
from rag_platform.cli.corpus import collections, inspection, portals, secrets, sources, syncing
from rag_platform.cli.operations import doctor, guard, health, models, serving, start, tokens
from rag_platform.cli.provenance import forgetting, impact, receipts
from rag_platform.cli.release import comparing, evaluation, indexes, questions
from rag_platform.core.errors import RagError

app = typer.Typer(
    name="rag",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="A RAG platform whose index is a release.",
)


@app.callback()
def workspace_options(
    home: Annotated[
        str | None, typer.Option("--home", metavar="DIR", help="The workspace; default: RAG_HOME, else this folder.")
    ] = None,
) -> None:
    """Choose the workspace."""
    chosen_home.set(home)


app.command("init")(start.init)
app.command("sync")(syncing.sync)
app.command("search")(answers.search)
app.command("ask")(answers.ask)
app.command("chat")(chat.chat)
app.command("generators")(generators.generators)
app.command("why")(why.why)
app.command("eval")(evaluation.evaluate)
app.command("extract")(inspection.extract)
app.command("chunk")(inspection.chunk)
app.command("forget")(forgetting.forget)
app.command("impact")(impact.impact)
app.command("guard")(guard.guard)
app.command("health")(health.health)
app.command("doctor")(doctor.doctor)
indexes.app.command("diff")(comparing.diff)
indexes.app.command("report")(comparing.report)
app.command("serve")(serving.serve)
app.add_typer(collections.app, name="collection")
app.add_typer(sources.app, name="source")
app.add_typer(tokens.app, name="token")
app.add_typer(indexes.app, name="index")
app.add_typer(models.app, name="models")
app.add_typer(secrets.app, name="secret")
app.add_typer(portals.app, name="portal")
app.add_typer(receipts.app, name="receipt")
app.add_typer(questions.app, name="questions")


def main() -> None:
    """Run the command line; errors of ours end it with their message and exit code."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    try:
        app()
    except RagError as error:
        complain(str(error))
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        complain("stopped; what was finished is kept, and the next run goes on from there")
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone
        sys.exit(0)
