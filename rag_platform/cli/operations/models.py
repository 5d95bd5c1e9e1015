"""`rag models`: list models and fetch their weights."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Column, Table

from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, out, print_json, workspace
from rag_platform.core.errors import SettingsError
from rag_platform.models.calibration import Curve
from rag_platform.models.cards import ModelCard
from rag_platform.models.weights import installed
from rag_platform.models.weights import pull as pull_model

if TYPE_CHECKING:
    from rag_platform.embeddings.embedding_model import EmbeddingModel
    from rag_platform.workspace import Workspace

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
    names = ("name", "task", "dimension", "max_tokens", "languages", "licence", "accuracy")
    place = str(folder) if folder else None
    return {name: getattr(card, name) for name in names} | {"checksum": _checksum(card), "installed": place}


def _checksum(card: ModelCard) -> str:
    return "pinned" if card.sha256 else "first fetch"


def _languages(codes: Sequence[str]) -> str:
    return str(len(codes)) if len(codes) > 3 else ", ".join(codes) or "not stated"


@app.command("show")
def show(
    name: Annotated[str | None, typer.Argument(help="A table of [models]; without it, the model of [model].")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show a model of this workspace as it is when it is open, and what its similarities say."""
    from rag_platform.embeddings.runtimes import open_model  # opens ONNX Runtime

    opened = workspace()
    tables = {"model": opened.settings.model, **opened.settings.models}
    if (name or "model") not in tables:
        raise SettingsError(f"there is no table [models.{name}]; known: {', '.join(opened.settings.models) or 'none'}")
    found = open_model(tables[name or "model"])
    shown = _card_row(found) | {"runtime": tables[name or "model"].runtime, "relevance": _relevance(opened, found)}
    if as_json:
        print_json(shown)
    else:
        out.print("\n".join(f"{key}: {value}" for key, value in shown.items()), markup=False)


def _card_row(model: "EmbeddingModel") -> dict[str, Any]:
    from rag_platform.embeddings.embedding_model import reads_tokens

    card = model.card
    return {
        "name": card.name,
        "fingerprint": model.fingerprint,
        "dimension": card.dimension,
        "max_tokens": card.max_tokens,
        "languages": list(card.languages),
        "query_prefix": card.query_prefix,
        "passage_prefix": card.passage_prefix,
        "token_vectors": reads_tokens(model),
    }


def _relevance(opened: "Workspace", model: "EmbeddingModel") -> dict[str, Any]:
    """Say where the curve over the cosine is from: the model's card, the live version's texts, or nowhere."""
    from rag_platform.index.vectors.spaces import stored_spaces

    if model.card.relevance:
        return {"from": "card"} | _coefficients(model.card.relevance.vector)
    live = opened.versions.live_id()
    for space in stored_spaces(opened.versions.manifest(live)) if live else ():
        if space.fingerprint == model.fingerprint and space.relevance:
            return {"from": str(live)} | _coefficients(space.relevance)
    return {"from": "nowhere"}


def _coefficients(curve: Curve) -> dict[str, float]:
    return {"constant": curve.constant, "similarity": curve.similarity}


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
