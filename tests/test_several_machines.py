"""Nothing that matters on one machine: Dagster's runs, app data and versions in PostgreSQL, bytes in an object store.

A real Dagster is killed amid a sync, and another one goes on.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from rag_platform.operations.dagster_client import Orchestrator, Run
from rag_platform.workspace import open_workspace
from tests.dagster_server import ROOT, Dagster
from tests.postgres_server import postgres_server, with_pgvector
from tests.storage.objects_server import OPTIONS, new_bucket, objects_server
from tests.waiting import wait_until

pytest.importorskip("dagster_postgres", reason="dagster-postgres is not installed: `make test-scale` runs this")
psycopg = pytest.importorskip("psycopg")

pytestmark = [pytest.mark.scale, pytest.mark.slow]

DOCUMENTS = 600
SETTINGS = """
[scale]
database = "{database}"
store = "postgres"
executor = "{executor}"
objects = "{bucket}/knowledge"
objects_options = {{ endpoint_url = "{endpoint}", key = "${{S3_KEY}}", secret = "${{S3_SECRET}}" }}

[[sources]]
id = "gauges"
kind = "folder"
path = "gauges"
min_words = 1
"""
PATIENCE = 600.0


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres_server(with_pgvector()) as address:
        yield address


@pytest.fixture(scope="module")
def home(tmp_path_factory, database, model_folder) -> Iterator[Path]:
    """A folder of settings and documents, with the deployment's own dagster.yaml over that server."""
    folder = tmp_path_factory.mktemp("first")
    (folder / "gauges").mkdir()
    for number in range(DOCUMENTS):
        text = f"# Gauge {number}\n\nThe gauge at weir {number} is read by warden {number * 7 % 1000} each morning.\n"
        (folder / "gauges" / f"{number}.md").write_text(text)
    dagster = yaml.safe_load((ROOT / "examples" / "deploy" / "dagster.yaml").read_text(encoding="utf-8"))
    dagster["storage"]["postgres"] = {"postgres_url": database}
    (folder / "dagster.yaml").write_text(yaml.safe_dump(dagster))
    with objects_server() as endpoint, pytest.MonkeyPatch.context() as patch:
        patch.setenv("S3_KEY", OPTIONS["key"])
        patch.setenv("S3_SECRET", OPTIONS["secret"])
        settings = {"database": database, "bucket": new_bucket(endpoint), "endpoint": endpoint}
        settings["executor"] = "ray" if find_spec("ray") else "local"
        (folder / "rag.toml").write_text(SETTINGS.format(**settings))
        yield folder


@pytest.fixture(scope="module")
def dagster(home) -> Iterator[list[Dagster]]:
    """The Dagster that runs, last; the test adds others."""
    running = [Dagster(home)]
    yield running
    for one in running:
        one.kill()


@contextmanager
def orchestrated(dagster: Dagster, home: Path) -> Iterator[Orchestrator]:
    """Speak to a Dagster as soon as it answers."""
    dagster.wait()
    orchestrator = Orchestrator(dagster.url, home)
    with orchestrator._client:
        yield orchestrator


def problems_at_end(orchestrator: Orchestrator, run: str) -> Sequence[str]:
    """Wait for the end of a run, and return what went wrong."""

    def ended() -> Run | None:
        found = orchestrator.run(run)
        return None if found.under_way else found

    found = wait_until(ended, PATIENCE, f"{run} goes on", every=1.0)
    return found.problems if found.status == "SUCCESS" else [found.status, *found.problems]


def test_a_killed_dagster_fetches_nothing_again_and_releases_each_document_once(home, dagster, database):
    workspace = open_workspace(home)
    with orchestrated(dagster[-1], home) as orchestrator:
        orchestrator.launch("gauges")  # or Dagster has noticed the new files and begun a run before
        wait_until(lambda: workspace.store.read("raw", "gauges").height == DOCUMENTS, PATIENCE, "nothing was fetched")
        (killed,) = [one.id for one in orchestrator.latest(most=9) if one.status == "STARTED"]
    fetched = workspace.store.read("raw", "gauges").select("uri", "sha256", "fetched_at")
    dagster[-1].kill()
    assert workspace.versions.live_id() is None

    dagster.append(Dagster(home))
    with orchestrated(dagster[-1], home) as orchestrator:
        noticed = lambda: orchestrator.run(killed).status == "FAILURE"  # noqa: E731
        wait_until(noticed, PATIENCE, "it is shown as running for ever", every=1.0)
        assert problems_at_end(orchestrator, orchestrator.launch("gauges")) == ()
    assert workspace.store.read("raw", "gauges").select("uri", "sha256", "fetched_at").equals(fetched)
    texts = workspace.store.read("documents", "gauges")["text"]
    assert texts.len() == texts.n_unique() == DOCUMENTS
    for number in (3, 411):
        hits = workspace.retriever.search(f"Who reads the gauge at weir {number}?").hits
        assert f"weir {number} is read" in hits[0].text
    with psycopg.connect(database) as server:
        assert server.execute("select status from runs where run_id = %s", [killed]).fetchone() == ("FAILURE",)


def test_runs_that_start_at_once_release_one_after_the_other(home, dagster):
    before = open_workspace(home).versions.live_id()
    (home / "gauges" / "0.md").write_text("# Gauge 0\n\nThe gauge at weir 0 was moved to the mill.\n")
    with orchestrated(dagster[-1], home) as orchestrator:
        runs = [orchestrator.launch("gauges"), orchestrator.launch(None), orchestrator.launch(None)]
        assert [problems_at_end(orchestrator, run) for run in runs] == [()] * 3
        spans = sorted((one.started, one.ended) for one in map(orchestrator.run, runs))
    assert all(ended <= began for (_, ended), (began, _) in pairwise(spans))
    workspace = open_workspace(home)
    assert workspace.versions.live_id() != before
    assert "moved to the mill" in workspace.retriever.search("weir 0 mill").hits[0].text
