"""`rag generators`: the generators of answers, and the health of their servers."""

from dataclasses import asdict

from rich.table import Table
from rich.text import Text

from rag_platform.cli.console import JsonOption, out, print_json, workspace
from rag_platform.llm.availability import Health


def generators(as_json: JsonOption = False) -> None:
    """List the generators of answers, with the health of each server."""
    states = workspace().generators.health()
    if as_json:
        print_json([asdict(health) for health in states])
        return
    table = Table("name", "server", "model", "context", "health")
    for health in states:
        context = f"{health.context:,}" if health.context else ""
        table.add_row(health.name, health.url or "none needed", _models(health), context, _health(health))
    out.print(table)


def _models(health: Health) -> str:
    others = [model for model in health.models if model != health.model]
    return (health.model or "unknown") + (f" (also: {', '.join(others[:5])})" if others else "")


def _health(health: Health) -> Text:
    if health.problem:
        return Text(health.problem, style="bold red")
    return Text(f"well, {health.took_ms:.0f} ms" if health.url else "well", style="green")
