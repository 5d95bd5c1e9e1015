"""`rag token`: access tokens for the API."""

from typing import Annotated

import typer
from rich.table import Table

from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, err, out, print_json, workspace
from rag_platform.index.releases.release_log import acting_user
from rag_platform.people.tokens import USUAL, Tokens

app = group("Access tokens for the API.")
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the token.")]


def _tokens() -> Tokens:
    return Tokens(workspace().journal)


@app.command("create")
def create(
    name: Name,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            "--scope",
            metavar="SCOPE",
            help="What it may do: read, ask, edit (collections, syncs), widget, metrics or admin; default: read, ask.",
        ),
    ] = None,
    principal: Annotated[
        list[str] | None,
        typer.Option("--as", metavar="PRINCIPAL", help="Whose permissions it has; default: the public."),
    ] = None,
    collection: Annotated[
        list[str] | None,
        typer.Option("--collection", metavar="ID", help="A collection that it reads, and no others; default: all."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Create a token and print it; it is not shown again."""
    scopes, principals, collections = scope or [*USUAL], principal or [], collection or []
    token = _tokens().create(name, scopes, principals, collections=collections, who=acting_user())
    if as_json:
        made = {"name": name, "scopes": scopes, "principals": principals, "collections": collections}
        print_json(made | {"token": token})
        return
    out.print(token, soft_wrap=True)
    err.print("Keep it safe: it is not shown again. Send it as `Authorization: Bearer …`.", soft_wrap=True)


@app.command("list")
def list_tokens(as_json: JsonOption = False) -> None:
    """List the tokens; their secrets are not stored."""
    tokens = _tokens().list()
    if as_json:
        print_json(tokens)
        return
    table = Table("token", "scopes", "principals", "collections", "created", "by")
    for token in tokens:
        principals = ", ".join(token.principals) or "the public"
        limited = ", ".join(token.collections) or "all"
        created = f"{token.created_at:%Y-%m-%d}"
        table.add_row(token.name, ", ".join(token.scopes), principals, limited, created, token.created_by)
    out.print(table)


@app.command("revoke")
def revoke(name: Name, as_json: JsonOption = False) -> None:
    """Revoke a token."""
    _tokens().revoke(name)
    if as_json:
        print_json({"revoked": name})
    else:
        out.print(f"{name} is revoked")
