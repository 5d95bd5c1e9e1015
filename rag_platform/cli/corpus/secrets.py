"""`rag secret`: store, list and delete the secrets that the settings refer to. They are never shown."""

import sys
from typing import Annotated

import typer

from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, err, out, print_json, workspace
from rag_platform.config.secrets import check_name
from rag_platform.core.errors import NotFound, SecretError

app = group("Passwords and keys, stored encrypted.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="Its name in rag.toml: ${secret:NAME}.")]


@app.command("set")
def set_secret(name: Name) -> None:
    """Store a secret: it is prompted for without echo, or read from standard input."""
    check_name(name)
    secrets = workspace().secrets
    if sys.stdin.isatty():
        value = typer.prompt(f"Value of {name}", hide_input=True, err=True)
    else:
        value = sys.stdin.read().removesuffix("\n").removesuffix("\r")
    if not value:
        raise SecretError(f"no value was given for {name}; type it, or send it to standard input")
    secrets.put(name, value)
    err.print(f"{name} is stored in {secrets.place}", soft_wrap=True, markup=False)


@app.command("list")
def list_secrets(as_json: JsonOption = False) -> None:
    """List the names of the secrets; their values are never shown."""
    secrets = workspace().secrets
    names = secrets.names()
    if as_json:
        print_json({"place": secrets.place, "names": names})
        return
    for name in names:
        out.print(name, markup=False)


@app.command("delete")
def delete_secret(name: Name) -> None:
    """Delete a secret."""
    secrets = workspace().secrets
    if not secrets.delete(name):
        known = ", ".join(secrets.names()) or "none"
        raise NotFound(f"there is no secret {name!r} in {secrets.place}; known: {known}")
