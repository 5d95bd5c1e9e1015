"""`rag alerts`: what was told to whom, what waits, and whether the addresses of [alerts] work."""

from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, out, print_error, print_json, workspace
from rag_platform.core.errors import SettingsError
from rag_platform.operations.alerts.alerting import alert, alert_log, try_targets
from rag_platform.operations.alerts.delivery import targets_of
from rag_platform.workspace import Workspace

app = group("Alerts of held sources, refused versions and late sources.")


def _workspace() -> Workspace:
    opened = workspace()
    if not targets_of(opened.settings.alerts):
        raise SettingsError("no address is set: give webhooks, slack or email in [alerts] of rag.toml")
    return opened


@app.command("test")
def test(as_json: JsonOption = False) -> None:
    """Send a test message to each address, and say what came of it."""
    outcomes = try_targets(_workspace())
    if as_json:
        print_json(outcomes)
    for target, problem in () if as_json else outcomes.items():
        out.print(Text(f"{target}: {problem or 'delivered'}", style="red" if problem else ""), soft_wrap=True)
    raise typer.Exit(1 if any(outcomes.values()) else 0)


@app.command("send")
def send() -> None:
    """Tell what has begun or is over since the last time, and deliver what waits; each sync does the same."""
    problems = alert(_workspace())
    for problem in problems:
        print_error(problem)
    raise typer.Exit(1 if problems else 0)


@app.command("list")
def list_alerts(
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="How many messages, newest first.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """List what was told and is not over, and the messages: sent, waiting, given up."""
    found = alert_log(_workspace(), limit)
    if as_json:
        print_json(found)
        return
    for one in found["told"]:
        out.print(f"{one['event']}: {one['source'] or one['version']}, since {one['seen'][:16]}", markup=False)
    table = Table("made", "to", "message", "state")
    for message in found["messages"]:
        table.add_row(message["made"][:16], Text(message["target"]), Text(message["title"]), Text(_state(message)))
    out.print(table)


def _state(message: dict[str, Any]) -> str:
    if message["delivered"]:
        return "delivered"
    if message["due"] is None:
        return f"given up after {message['attempts']} attempts: {message['error']}"
    return f"waits until {message['due'][:16]}: {message['error']}" if message["error"] else "waits"
