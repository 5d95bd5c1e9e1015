"""`dagster dev` over a workspace, for the tests: web server, daemon and code server, in a group of processes."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path

from tests.loopback import free_port
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parent.parent

_SENSOR = """query ($selector: SensorSelector!) { sensorOrError(sensorSelector: $selector) {
  ... on Sensor { sensorState { id status ticks(statuses: [STARTED]) { id } } } } }"""
_STOP = "mutation ($id: String!) { stopSensor(id: $id) { __typename } }"


class Dagster:
    """Starts at once; `home` has dagster.yaml, and rag.toml or, for several workspaces, workspace.yaml."""

    def __init__(self, home: Path) -> None:
        self.url = f"http://127.0.0.1:{free_port()}"
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

    def stop_sensor(self, name: str, location: str = "assets.definitions") -> None:
        """Stop a sensor of one code location, as a switch of its page does, and wait for the end of its last look."""
        selector = {"repositoryName": "__repository__", "repositoryLocationName": location, "sensorName": name}

        def state() -> dict:
            return self._asked(_SENSOR, selector=selector)["sensorOrError"]["sensorState"]

        self._asked(_STOP, id=state()["id"])
        wait_until(lambda: state()["status"] == "STOPPED" and not state()["ticks"], else_=f"{name} goes on")

    def _asked(self, query: str, **variables: object) -> dict[str, dict]:
        content = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(f"{self.url}/graphql", content, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["data"]

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
