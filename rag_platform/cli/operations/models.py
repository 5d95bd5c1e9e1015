"""`rag models`: list models and fetch their weights."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Column, Table

from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, out, print_json
from rag_platform.models.cards import ModelCard
from rag_platform.models.weights import installed
from rag_platform.models.weights import pull as pull_model

app = group("The models for embedding and reranking.")


@app.command("list")
def list_models(as_json: JsonOption = False) -> None:
    """List the known models, and which are on this machine."""
    models = installed()
    if as_json:
        print_json([_row(card, folder) for card, folder in models])
        return
    columns = ("for", "dimension", "tokens", "languages", "licence", "checksum", "on this machine")
    table = Table(Column("model", no_wrap=True), *columns)
    for card, folder in models:
        sizes = (str(card.dimension), str(card.max_tokens))
        place = str(folder) if folder else "no"
        table.add_row(card.name, card.task, *sizes, _languages(card.languages), card.licence, _checksum(card), place)
    out.print(table)


def _row(card: ModelCard, folder: Path | None) -> dict[str, Any]:
    names = ("name", "task", "dimension", "max_tokens", "languages", "licence")
    place = str(folder) if folder else None
    return {name: getattr(card, name) for name in names} | {"checksum": _checksum(card), "installed": place}


def _checksum(card: ModelCard) -> str:
    return "pinned" if card.sha256 else "first fetch"


def _languages(codes: Sequence[str]) -> str:
    return str(len(codes)) if len(codes) > 3 else ", ".join(codes) or "not stated"


@app.command("pull")
def pull(
    name: Annotated[str, typer.Argument(help="A model's name.")] = "all-MiniLM-L6-v2", as_json: JsonOption = False
) -> None:
    """Fetch a model's weights into the cache and check them."""
    folder = pull_model(name)
    if as_json:
        print_json({"name": name, "folder": str(folder)})
    else:
        out.print(f"{name} is in {folder}")
