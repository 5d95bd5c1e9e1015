"""`rag token`: access tokens for the API."""

from typing import Annotated

import typer
from rich.table import Table

from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, err, out, print_json, workspace
from rag_platform.index.releases.release_log import acting_user
from rag_platform.people.tokens import Tokens

app = group("Access tokens for the API.")
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the token.")]


def _tokens() -> Tokens:
    return Tokens(workspace().journal)


@app.command("create")
def create(
    name: Name,
    role: Annotated[
        str, typer.Option("--role", metavar="ROLE", help="reader (search, ask) or editor (also collections and syncs).")
    ] = "reader",
    principal: Annotated[
        list[str] | None,
        typer.Option("--as", metavar="PRINCIPAL", help="Whose permissions it has; default: the public."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Create a token and print it; it is not shown again."""
    token = _tokens().create(name, role, principal or (), who=acting_user())
    if as_json:
        print_json({"name": name, "role": role, "principals": principal or [], "token": token})
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
    table = Table("token", "role", "principals", "created", "by")
    for token in tokens:
        principals = ", ".join(token.principals) or "the public"
        table.add_row(token.name, token.role, principals, f"{token.created_at:%Y-%m-%d}", token.created_by)
    out.print(table)


@app.command("revoke")
def revoke(name: Name, as_json: JsonOption = False) -> None:
    """Revoke a token."""
    _tokens().revoke(name)
    if as_json:
        print_json({"revoked": name})
    else:
        out.print(f"{name} is revoked")
