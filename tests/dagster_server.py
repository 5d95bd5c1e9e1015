"""`dagster dev` over a workspace, for the tests: web server, daemon and code server, in a group of processes."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path

from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parent.parent


class Dagster:
    """Starts at once; `home` has dagster.yaml, and rag.toml or, for several workspaces, workspace.yaml."""

    def __init__(self, home: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        several = home / "workspace.yaml"
        loaded = ["-w", str(several)] if several.exists() else ["-m", "assets.definitions"]
        command = [sys.executable, "-m", "dagster", "dev", *loaded, "-h", "127.0.0.1"]
        self._process = subprocess.Popen(
            [*command, "-p", self.url.rpartition(":")[2]],
            cwd=ROOT,
            env=os.environ | {"RAG_HOME": str(home), "DAGSTER_HOME": str(home), "DAGSTER_DISABLE_TELEMETRY": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def wait(self) -> None:
        """Wait until it answers."""
        wait_until(self._answers, 600.0, f"{self.url} did not answer")

    def kill(self) -> None:
        """End all of its processes, as a power failure does."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _answers(self) -> bool:
        with suppress(OSError):
            urllib.request.urlopen(f"{self.url}/server_info").close()
            return True
        return False
