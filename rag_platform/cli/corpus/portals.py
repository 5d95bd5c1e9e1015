"""`rag portal`: log in, or import the cookies of a browser."""

from pathlib import Path
from typing import Annotated

import typer

from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, out, print_json, workspace
from rag_platform.core.errors import LoginFailed, SettingsError
from rag_platform.sources.portals.cookie_import import read_cookies
from rag_platform.sources.portals.source import Portal

app = group("Sources behind a login.")

Source = Annotated[str, typer.Argument(metavar="SOURCE", help="Id of a source of the kind portal.")]


@app.command("login")
def login(source: Source, as_json: JsonOption = False) -> None:
    """Log in with user and password, and store the session; this needs no terminal."""
    portal = _portal(source)
    try:
        portal.session.log_in(again=True)
    finally:
        portal.session.close()
    _print_login(source, portal, as_json=as_json)


@app.command("cookies")
def cookies(
    source: Source,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="cookies.txt, JSON of an extension, or a profile of Firefox.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Import the session of a browser; only the portal's cookies are taken, and stored encrypted."""
    portal = _portal(source)
    before = list(portal.session.jar)
    portal.session.adopt(read_cookies(file, portal.session.jar.host))
    if not portal.session.is_alive():
        portal.session.adopt(before)
        raise LoginFailed(
            f"the cookies in {file} do not log in to {source!r}: the session has ended, or they are another user's. "
            "Open the portal in that browser, log in, and export again"
        )
    portal.session.close()
    _print_login(source, portal, as_json=as_json)


def _portal(source: str) -> Portal:
    opened = workspace()
    kind = opened.settings.source(source).kind
    if kind != "portal":
        raise SettingsError(f"source {source!r} is of the kind {kind}; expected a portal")
    portal = opened.source(source)
    assert isinstance(portal, Portal)
    return portal


def _print_login(source: str, portal: Portal, *, as_json: bool) -> None:
    if as_json:
        print_json({"source": source, "logged_in": True, "cookies": len(portal.session.jar)})
    else:
        out.print(f"logged in to {portal.session.jar.host}; the session is stored", soft_wrap=True, markup=False)
