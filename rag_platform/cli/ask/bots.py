"""`rag bot`: answer in Slack, in Teams, or by e-mail, until Ctrl-C."""

import signal
import threading
from importlib.util import find_spec
from typing import Annotated

import typer

from rag_platform.cli.commands import group
from rag_platform.cli.console import err, workspace
from rag_platform.core.errors import SettingsError
from rag_platform.core.installation import install_command
from rag_platform.operations.services import shown_address

app = group("Answer where people talk: in Slack, in Teams, by e-mail.")


@app.command("slack")
def slack() -> None:
    """Answer in the Slack workspace of [slack], by socket mode, until Ctrl-C."""
    if find_spec("slack_bolt") is None:
        raise SettingsError(f"`rag bot slack` needs slack-bolt: {install_command('slack')}")
    from rag_platform.chat_apps.slack.slack_app import slack_app
    from rag_platform.operations.alerts.alerting import keep_alerting

    opened = workspace()
    running = slack_app(opened)
    opened.follow()
    keep_alerting(opened)
    running.connect()  # type: ignore[no-untyped-call]
    err.print("Answering in Slack until Ctrl-C.")
    ended = _ended()
    try:
        while not ended.wait(1):  # on Windows, a wait without end lets no signal through
            pass
    finally:
        running.close()  # type: ignore[no-untyped-call]


@app.command("teams")
def teams(
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", min=1, max=65_535, help="The port.")] = 3978,
) -> None:
    """Answer in Microsoft Teams, for the organisation of [teams], until Ctrl-C."""
    from rag_platform.chat_apps.teams.teams_bot import teams_bot
    from rag_platform.operations.alerts.alerting import keep_alerting
    from rag_platform.operations.serving.server import serve

    opened = workspace()
    bot = teams_bot(opened)
    opened.follow()
    keep_alerting(opened)
    err.print(f"Answering in Teams at {shown_address(host, port)}/api/messages until Ctrl-C.", soft_wrap=True)
    serve(bot, opened.settings, host, port)


@app.command("mail")
def mail() -> None:
    """Answer the e-mails of [mail] until Ctrl-C."""
    from rag_platform.chat_apps.mail.mail_answerer import MailAnswerer
    from rag_platform.operations.alerts.alerting import keep_alerting

    opened = workspace()
    answerer = MailAnswerer(opened)
    opened.follow()
    keep_alerting(opened)
    err.print(f"Answering e-mails to {opened.settings.mail.address} until Ctrl-C.", soft_wrap=True)
    answerer.answer_until(_ended())


def _ended() -> threading.Event:
    """Return what is set when this process is asked to end."""
    asked = threading.Event()
    for sent in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sent, lambda *_: asked.set())
    return asked
