"""`rag up`: the page and Dagster for a workspace, until Ctrl-C."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from rag_platform.cli.console import out, workspace
from rag_platform.core.errors import MissingExtra
from rag_platform.operations.services import Service, refuse_used, run
from rag_platform.workspace.applications import applications_folder, child_environment

DEFINITIONS = "rag_platform.workspace.dagster_definitions"
ANYWHERE = ("0.0.0.0", "::")  # noqa: S104  compared with, not listened on


def up(
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="The address that both listen on.")] = "127.0.0.1",
    page_port: Annotated[int, typer.Option("--page-port", min=1, max=65_535, help="The page's port.")] = 8501,
    ui_port: Annotated[int, typer.Option("--ui-port", min=1, max=65_535, help="Dagster's port.")] = 3000,
) -> None:
    """Run the page and Dagster until Ctrl-C."""
    started = services(workspace().settings.home, host, page_port, ui_port)
    for service in started:
        refuse_used(service)
    run(started, say=lambda text: out.print(text, soft_wrap=True))


def services(home: Path, host: str, page_port: int, ui_port: int) -> list[Service]:
    """Return the services of a workspace; `MissingExtra` when a package is absent."""
    for package, extra, purpose in (("streamlit", "page", "the page"), ("dagster_webserver", "dagster", "Dagster")):
        if find_spec(package) is None:
            raise MissingExtra(package, extra, purpose)
    shown = "127.0.0.1" if host in ANYWHERE else f"[{host}]" if ":" in host else host
    address, ui_address = f"http://{shown}:{page_port}", f"http://{shown}:{ui_port}"
    environment = child_environment(RAG_HOME=str(home), DAGSTER_HOME=str(home))
    environment.setdefault("RAG_DAGSTER__URL", ui_address)  # so that the page starts its syncs there
    page, pipeline = _page(home, host, page_port), _dagster(host, ui_port)
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


def _page(home: Path, host: str, port: int) -> list[str]:
    main = applications_folder() / "app" / "main.py"
    command = [sys.executable, "-m", "streamlit", "run", str(main), "--server.headless", "true"]
    command += ["--server.address", host, "--server.port", str(port), "--browser.gatherUsageStats", "false"]
    if (home / "secrets.toml").exists():  # the identity provider that people sign in at
        command += ["--secrets.files", str(home / "secrets.toml")]
    return command


def _dagster(host: str, port: int) -> list[str]:
    return [sys.executable, "-m", "dagster", "dev", "-m", DEFINITIONS, "--host", host, "--port", str(port)]
