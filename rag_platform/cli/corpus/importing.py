"""`rag import`: what another system has indexed, searchable here with one command."""

import os
import re
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from rag_platform.cli.console import JsonOption, out, workspace
from rag_platform.cli.corpus.syncing import sync
from rag_platform.config.source_editing import add_source
from rag_platform.config.variables import Variables
from rag_platform.core.errors import SettingsError
from rag_platform.core.urls import is_web
from rag_platform.sources.stores.recognising import format_of
from rag_platform.sources.stores.settings import FORMATS, Format, StoreSource
from rag_platform.sources.stores.stored_records import Opening
from rag_platform.workspace import Workspace


def import_store(
    place: Annotated[
        str, typer.Argument(metavar="PLACE", help="A file, a folder, the address of a server or of a database.")
    ],
    kind: Annotated[
        Format | None,
        typer.Option("--format", metavar="F", help="Whose store it is; default: what it looks like."),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="The collection or table; default: the only one.")
    ] = "",
    source: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="The id of the source that it becomes; default: of PLACE.")
    ] = None,
    collection: Annotated[
        str | None, typer.Option("--collection", metavar="NAME", help="The collection of its documents.")
    ] = None,
    principal: Annotated[
        list[str] | None,
        typer.Option("--principal", metavar="NAME", help="Who may read them; repeat it; default: everyone."),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(
            "--group", metavar="COLUMN", help='The column that tells of which document a passage is; "": none.'
        ),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option("--header", metavar="NAME=VALUE", help="What a server is sent, such as api-key=${secret:qdrant}."),
    ] = None,
    no_sync: Annotated[
        bool, typer.Option("--no-sync", help="Add the source to rag.toml, and do not read it yet.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Add a source that reads another system's store, and sync it."""
    opened = workspace(required=False)
    optional = {"name": name, "collection": collection, "principals": principal, "headers": _headers(header or [])}
    table: dict[str, Any] = {
        "id": source or _id_of(name or place),
        "kind": "store",
        "format": kind or FORMATS[0],
        "place": _place(place, opened.settings.home),
        **{key: value for key, value in optional.items() if value},
        **({} if group is None else {"group": group}),
        **({"fetch": {"allow_private": True}} if is_web(place) else {}),  # whoever types an address means it
    }
    table["format"] = kind or _recognised(opened, table)
    add_source(opened.settings.home, table)
    if not as_json:
        out.print(f"{table['id']} is in rag.toml: a store of the format {table['format']}", soft_wrap=True)
    if not no_sync:
        sync([table["id"]], as_json=as_json)


def _recognised(opened: Workspace, table: dict[str, Any]) -> str:
    try:
        settings = StoreSource.model_validate(table)
    except ValidationError:  # which `add_source` tells of as of anything in rag.toml
        return str(table["format"])
    return format_of(Opening(settings, opened.settings.home, Variables(os.environ, opened.secrets)))


def _place(place: str, home: Path) -> str:
    """Return a file's path as rag.toml should name it: beside the workspace it moves with it."""
    if "://" in place or "${" in place:
        return place
    path = Path(place).expanduser().resolve()
    return path.relative_to(home.resolve()).as_posix() if path.is_relative_to(home.resolve()) else str(path)


def _id_of(place: str) -> str:
    """Make an id of the last part of a place."""
    last = re.split(r"[/\\@]", place.partition("?")[0].rstrip("/\\"))[-1]
    return re.sub(r"[^a-z0-9_-]+", "-", last.lower()).strip("-_")[:63] or "imported"


def _headers(given: list[str]) -> dict[str, str]:
    parts = [one.partition("=") for one in given]
    if not all(name and value for name, _, value in parts):
        raise SettingsError(f"--header {' '.join(given)}: expected NAME=VALUE")
    return {name.strip(): value for name, _, value in parts}
