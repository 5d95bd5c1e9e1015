"""`rag token`: who may use the API."""

from typing import Annotated

import typer
from rich.table import Table

from rag_platform.cli.commands import group
from rag_platform.cli.console import AsJson, err, out, print_json, workspace
from rag_platform.index.releases.release_log import acting_user
from rag_platform.people.tokens import Tokens

app = group("Tokens with which programs ask the API.")
Name = Annotated[str, typer.Argument(metavar="NAME", help="What the token is called.")]


def _tokens() -> Tokens:
    return Tokens(workspace().journal)


@app.command("create")
def create(
    name: Name,
    role: Annotated[
        str, typer.Option("--role", metavar="ROLE", help="reader (search, ask) or editor (also collections and syncs).")
    ] = "reader",
    principal: Annotated[
        list[str] | None, typer.Option("--as", metavar="PRINCIPAL", help="Whom it reads as; default: the public.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a token and print it, this once."""
    token = _tokens().create(name, role, principal or (), who=acting_user())
    if as_json:
        print_json({"name": name, "role": role, "principals": principal or [], "token": token})
        return
    out.print(token, soft_wrap=True)
    err.print("Keep it safe: it is not shown again. Send it as `Authorization: Bearer …`.", soft_wrap=True)


@app.command("list")
def list_tokens(as_json: AsJson = False) -> None:
    """List the tokens; what they are is kept nowhere."""
    tokens = _tokens().list()
    if as_json:
        print_json(tokens)
        return
    table = Table("token", "role", "reads as", "made", "by")
    for token in tokens:
        reads = ", ".join(token.principals) or "the public"
        table.add_row(token.name, token.role, reads, f"{token.created_at:%Y-%m-%d}", token.created_by)
    out.print(table)


@app.command("revoke")
def revoke(name: Name, as_json: AsJson = False) -> None:
    """Refuse a token from now on."""
    _tokens().revoke(name)
    if as_json:
        print_json({"revoked": name})
    else:
        out.print(f"{name} is refused from now on")
