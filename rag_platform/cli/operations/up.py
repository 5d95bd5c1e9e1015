"""`rag up`: the page and Dagster for a workspace, until Ctrl-C."""

import sys
from importlib.util import find_spec
from typing import Annotated

import typer

from rag_platform.cli.console import out, workspace
from rag_platform.core.errors import MissingExtra
from rag_platform.operations.services import Service, refuse_used, run, shown_address
from rag_platform.operations.serving.server import signs_in, trusts_local
from rag_platform.people.admin_links import AdminLinks
from rag_platform.workspace import Workspace
from rag_platform.workspace.applications import applications_folder, child_environment

DEFINITIONS = "rag_platform.workspace.dagster_definitions"


def up(
    host: Annotated[
        str, typer.Option("--host", metavar="HOST", help="The address that the page listens on.")
    ] = "127.0.0.1",
    page_port: Annotated[int, typer.Option("--page-port", min=1, max=65_535, help="The page's port.")] = 8501,
    ui_host: Annotated[
        str,
        typer.Option(
            "--ui-host", metavar="HOST", help="The address that Dagster, which asks nobody who they are, listens on."
        ),
    ] = "127.0.0.1",
    ui_port: Annotated[int, typer.Option("--ui-port", min=1, max=65_535, help="Dagster's port.")] = 3000,
) -> None:
    """Run the page and Dagster until Ctrl-C."""
    started = services(workspace(), host, page_port, ui_port, ui_host=ui_host)
    for service in started:
        refuse_used(service)
    run(started, say=lambda text: out.print(text, soft_wrap=True))


def services(
    workspace: Workspace, host: str, page_port: int, ui_port: int, *, ui_host: str = "127.0.0.1"
) -> list[Service]:
    """Return the services of a workspace; `MissingExtra` when a package is absent."""
    for package, extra, purpose in (("streamlit", "page", "the page"), ("dagster_webserver", "dagster", "Dagster")):
        if find_spec(package) is None:
            raise MissingExtra(package, extra, purpose)
    home = workspace.settings.home
    address, ui_address = shown_address(host, page_port), shown_address(ui_host, ui_port)
    environment = child_environment(RAG_HOME=str(home), DAGSTER_HOME=str(home))
    environment.setdefault("RAG_DAGSTER__URL", ui_address)  # so that the page starts its syncs there
    page, pipeline = _page(host, page_port), _dagster(ui_host, ui_port)
    logs = home / "data" / "logs"
    return [
        Service(
            name="the page",
            purpose="ask, search, read the sources",
            address=address,
            health="/_stcore/health",
            command=page,
            log=logs / "page.log",
            port_option="--page-port",
            link=_link(workspace, host, address),
            environment=environment,
            folder=home,
        ),
        Service(
            name="Dagster",
            purpose="see and steer the pipeline",
            address=ui_address,
            health="/server_info",
            command=pipeline,
            log=logs / "dagster.log",
            port_option="--ui-port",
            environment=environment,
            folder=home,
        ),
    ]


def _link(workspace: Workspace, host: str, address: str) -> str | None:
    """Return the link of whoever runs the workspace; None where people sign in, or nobody needs one."""
    if signs_in(workspace.settings.home) or trusts_local(workspace.settings, host):
        return None
    return AdminLinks(workspace.journal).create(address)


def _page(host: str, port: int) -> list[str]:
    main = applications_folder() / "app" / "serve.py"
    return [sys.executable, str(main), "--host", host, "--port", str(port), "--no-link"]


def _dagster(host: str, port: int) -> list[str]:
    return [sys.executable, "-m", "dagster", "dev", "-m", DEFINITIONS, "--host", host, "--port", str(port)]
