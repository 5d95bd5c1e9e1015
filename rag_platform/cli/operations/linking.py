"""`rag link`: the way in for whoever runs the workspace."""

from typing import Annotated

import typer

from rag_platform.cli.console import JsonOption, err, out, print_json, workspace
from rag_platform.people.admin_links import AdminLinks


def link(
    address: Annotated[
        str, typer.Option("--address", metavar="URL", help="Where the page or the API is found.")
    ] = "http://127.0.0.1:8501",
    revoke: Annotated[
        bool, typer.Option("--revoke", help="Instead end all links, and all sessions that were opened by one.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print a link that opens the page, or the API, once, as an admin."""
    links = AdminLinks(workspace().journal)
    if revoke:
        ended = links.revoke_all()
        print_json({"ended": ended}) if as_json else out.print(f"{ended} links and sessions are ended")
        return
    made = links.create(address)
    if as_json:
        print_json({"link": made})
        return
    out.print(made, soft_wrap=True)
    err.print("It works once, within an hour. Whoever opens it may do everything here.", soft_wrap=True)
