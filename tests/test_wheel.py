"""The wheel where it is installed: an environment that cannot import this checkout, in a folder that is none."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import sysconfig
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.loopback import free_port
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[1]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

HIDING = """
import importlib.machinery, os
hidden = set(filter(None, os.environ.get("HIDDEN_PACKAGES", "").split(",")))
if hidden:
    real = importlib.machinery.PathFinder.find_spec
    def find_spec(name, path=None, target=None):
        return None if name.partition(".")[0] in hidden else real(name, path, target)
    importlib.machinery.PathFinder.find_spec = staticmethod(find_spec)
"""
"""As if packages were not installed: those that a variable names."""
EXTRAS = "dagster,dagster_webserver,streamlit,ragas,ir_measures,instructor"


class Installed:
    """An environment with the wheel, and a folder to work in."""

    def __init__(self, environment: Path, wheel: Path, folder: Path) -> None:
        self.bin = environment / ("Scripts" if os.name == "nt" else "bin")
        self.wheel, self.folder, self.home = wheel, folder, folder / "knowledge"

    def variables(self, **more: str) -> dict[str, str]:
        ours = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "RAG_"))}
        cache = {name: os.environ[name] for name in ("RAG_MODEL_CACHE",) if name in os.environ}
        return ours | cache | {"RAG_GATE__SYNTHETIC": "5", "COLUMNS": "200"} | more

    def python(self, code: str) -> str:
        command = [self.bin / "python", "-c", code]
        done = subprocess.run(
            command, cwd=self.folder, env=self.variables(), capture_output=True, text=True, check=True, timeout=120
        )
        return done.stdout.strip()

    def rag(self, *arguments: str, code: int = 0, **variables: str) -> str:
        command = [self.bin / "rag", "--home", self.home, *arguments]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.variables(**variables),
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
        assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout if code == 0 else done.stdout + done.stderr

    @contextmanager
    def running(self, *arguments: str, **variables: str) -> Iterator[subprocess.Popen]:
        """Run a command until the block ends, and then ask it to end."""
        command = [self.bin / "rag", "--home", self.home, *arguments]
        environment = self.variables(PYTHONUNBUFFERED="1", **variables)
        with (self.folder / "running.log").open("w+") as log:
            process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
            try:
                yield process
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(timeout=60)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Installed:
    """The wheel in an environment of its own, with the packages of this one and without its link to the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-input"]
    built = [*pip, "wheel", "--no-index", "--no-build-isolation", "--no-deps", "--wheel-dir", folder / "dist", ROOT]
    subprocess.run(built, check=True, timeout=200)
    (wheel,) = (folder / "dist").glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True, timeout=100)
    installed = Installed(folder / "env", wheel, folder / "elsewhere")
    installed.folder.mkdir()
    target = [*pip, "--python", installed.bin / "python", "install", "--no-index", "--no-deps", wheel]
    subprocess.run(target, check=True, timeout=200)
    site = Path(installed.python("import sysconfig; print(sysconfig.get_path('purelib'))"))
    # Folders that a .pth names are searched, and the .pth files in them are not read: the checkout stays unknown.
    (site / "packages_of_the_tests.pth").write_text(sysconfig.get_path("purelib") + "\nimport packages_hidden\n")
    (site / "packages_hidden.py").write_text(HIDING)
    return installed


@pytest.fixture(scope="module")
def synced(installed: Installed) -> Installed:
    """The same with a workspace that was made and synced there."""
    installed.rag("init")
    ledger = json.loads(installed.rag("sync", "--json"))
    assert ledger["published"], ledger
    return installed


def test_the_checkout_cannot_be_imported(installed: Installed) -> None:
    where = "import rag_platform, sys; print(rag_platform.__file__); print(*sys.path, sep='\\n')"
    package, *path = installed.python(where).splitlines()
    assert Path(package).is_relative_to(installed.folder.parent)
    assert str(ROOT) not in path
    found = installed.python("from importlib.util import find_spec as f; print(f('assets'), f('evals'), f('tests'))")
    assert found == "None None None"


def test_the_wheel_holds_no_tests_and_no_questions_of_the_repository(installed: Installed) -> None:
    names = installed.python(
        f"import zipfile; print(*zipfile.ZipFile({str(installed.wheel)!r}).namelist(), sep='\\n')"
    ).splitlines()
    own = [name for name in names if "/kind_template/" not in name]  # which has a test of its own to be written
    assert not [name for name in own if re.search(r"__pycache__|\.jsonl$|(^|/)tests/", name)]
    assert {name.split("/")[2] for name in names if name.startswith("rag_platform/_applications/")} == {
        "assets",
        "app",
        "evals",
    }
    assert [name for name in names if name.endswith(("licenses/LICENSE", "licenses/NOTICE"))]


def test_it_answers_and_judges(synced: Installed) -> None:
    answer = json.loads(synced.rag("ask", "How do I add a source?", "--json"))
    assert "[[sources]]" in answer["answer"]
    judged = json.loads(synced.rag("eval", "--json"))
    assert judged["passed"]
    assert Path(judged["report"]).is_relative_to(synced.home)


def test_it_answers_over_http(synced: Installed) -> None:
    port = free_port()
    with synced.running("serve", "--port", str(port)) as server:
        body = json.dumps({"question": "How do I add a source?"}).encode()
        token = synced.rag("token", "create", "wheel").strip()
        headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
        request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/ask", body, headers)
        wait_until(lambda: answers(port) or server.poll() is not None)
        with urllib.request.urlopen(request, timeout=60) as response:
            assert "[[sources]]" in json.load(response)["answer"]


def test_the_page_and_dagster_run_and_a_schedule_syncs(synced: Installed) -> None:
    page, dagster = free_port(), free_port()
    settings = synced.home / "rag.toml"
    settings.write_text(settings.read_text().replace('schedule = "0 6 * * *"', 'schedule = "* * * * *"'))
    with synced.running("up", "--page-port", str(page), "--ui-port", str(dagster)) as up:
        said = (synced.folder / "running.log").read_text
        link = re.compile(rf"http://127\.0\.0\.1:{page}/\?token=\S+(?=\s)")
        wait_until(lambda: link.search(said()) or up.poll() is not None)
        assert up.poll() is None, said()
        with urllib.request.urlopen(link.search(said())[0], timeout=60) as response:  # leads to the page, with a cookie
            assert response.status == 200 and response.url == f"http://127.0.0.1:{page}/"
        wait_until(lambda: scheduled(dagster) in (["SUCCESS"], ["FAILURE"]), 300)
        assert scheduled(dagster) == ["SUCCESS"]
    wait_until(lambda: not answers(page) and not answers(dagster))


def test_without_extras_it_answers_and_names_what_is_missing(synced: Installed) -> None:
    hidden = {"HIDDEN_PACKAGES": EXTRAS}
    assert json.loads(synced.rag("ask", "How do I add a source?", "--json", **hidden))["citations"]
    assert json.loads(synced.rag("search", "sources", "--json", **hidden))["hits"]
    (synced.home / "handbook" / "news.md").write_text("# News\n\nThe boathouse opens at seven in the morning.\n")
    for command, extra in (("sync", "eval"), ("eval", "eval"), ("up", "page")):
        assert f"-m pip install '{synced.wheel}[{extra}]'" in synced.rag(command, code=1, **hidden)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def scheduled(port: int) -> list[str]:
    """Return the states of the first run that the schedule started, as soon as it has ended."""
    query = '{runsOrError(filter: {tags: [{key: "trigger", value: "schedule"}]}) {... on Runs {results {status}}}}'
    body = json.dumps({"query": query}).encode()
    address = f"http://127.0.0.1:{port}/graphql"
    request = urllib.request.Request(address, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as response:
        runs = json.load(response)["data"]["runsOrError"]["results"]
    return [run["status"] for run in runs if run["status"] in ("SUCCESS", "FAILURE", "CANCELED")][-1:]
