"""`rag models`: which there are, and fetching one."""

from typing import Annotated

import typer
from rich.table import Column, Table

from rag_platform.cli.commands import group
from rag_platform.cli.console import AsJson, out, print_json
from rag_platform.models.weights import installed
from rag_platform.models.weights import pull as pull_model

app = group("The models for embedding and reranking.")


@app.command("list")
def list_models(as_json: AsJson = False) -> None:
    """List the models known, and which are on this machine."""
    rows = [
        {
            "name": card.name,
            "task": card.task,
            "dimension": card.dimension,
            "max_tokens": card.max_tokens,
            "languages": list(card.languages),
            "licence": card.licence,
            "checksum": "pinned" if card.sha256 else "first fetch",
            "installed": str(folder) if folder else None,
        }
        for card, folder in installed()
    ]
    if as_json:
        print_json(rows)
        return
    table = Table(
        Column("model", no_wrap=True),
        "for",
        "dimension",
        "tokens",
        "languages",
        "licence",
        "checksum",
        "on this machine",
    )
    for row in rows:
        table.add_row(
            row["name"],
            row["task"],
            str(row["dimension"]),
            str(row["max_tokens"]),
            _languages(row["languages"]),
            row["licence"],
            row["checksum"],
            row["installed"] or "no",
        )
    out.print(table)


def _languages(codes: list[str]) -> str:
    return str(len(codes)) if len(codes) > 3 else ", ".join(codes) or "not stated"


@app.command("pull")
def pull(
    name: Annotated[str, typer.Argument(help="A model's name.")] = "all-MiniLM-L6-v2", as_json: AsJson = False
) -> None:
    """Fetch a model's weights into the cache and check them."""
    folder = pull_model(name)
    if as_json:
        print_json({"name": name, "folder": str(folder)})
    else:
        out.print(f"{name} is in {folder}")
