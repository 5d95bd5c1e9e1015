"""The brake on change over a workspace: real syncs of rows and files, and what is learnt of them."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest

from rag_platform.core.principals import PUBLIC
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.release import build_candidate
from rag_platform.pipeline.screening import screen
from rag_platform.pipeline.stages import Pipeline
from rag_platform.pipeline.sync import sync
from rag_platform.workspace import Workspace, open_workspace
from tests.copies import copy_of
from tests.pipeline.fixed_gate import FixedGate
from tests.validation.sources import article, names

SETTINGS = """
[[sources]]
id = "desk"
kind = "sql"
url = "sqlite:///desk.sqlite"
query = "select id, body from tickets"
key = "id"
template = "{body}"
title = "Ticket {id}"
min_words = 1
[chunks]
size = 64
overlap = 0
"""


def write(home: Path, body: str) -> None:
    """Give each ticket the text that an SQL expression says."""
    with closing(sqlite3.connect(home / "desk.sqlite")) as connection, connection:
        connection.execute(f"update tickets set body = {body}")


def let_read(workspace: Workspace, *readers: str) -> None:
    """Let the source say of each row who may read it, or nothing, and read the documents anew."""
    raw = workspace.store.read("raw", "desk")
    said = [json.dumps(json.loads(known) | {"principals": readers}) for known in raw["metadata"]]
    workspace.store.write("raw", "desk", raw.with_columns(metadata=pl.Series(said)))
    Pipeline(workspace, run_id="r").extract("desk")


def read(workspace: Workspace) -> None:
    pipeline = Pipeline(workspace, run_id="r")
    pipeline.fetch("desk")
    pipeline.extract("desk")


def publish(workspace: Workspace) -> None:
    Pipeline(workspace, run_id="r").sync_source("desk")
    workspace.versions.promote(build_candidate(workspace, run_id="r").version, why="test", who="ann")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: OnnxEmbedder) -> Path:
    home = tmp_path_factory.mktemp("desk")
    (home / "rag.toml").write_text(SETTINGS)
    with closing(sqlite3.connect(home / "desk.sqlite")) as connection, connection:
        connection.execute("create table tickets (id integer primary key, body text)")
        connection.executemany("insert into tickets values (?, ?)", [(n, article(n)) for n in range(12)])
    workspace = open_workspace(home)
    workspace.embedder = tiny_embedder
    publish(workspace)
    return home


@pytest.fixture
def workspace(published: Path, tmp_path: Path, tiny_embedder: OnnxEmbedder) -> Workspace:
    opened = open_workspace(copy_of(published, tmp_path / "desk"))
    opened.embedder = tiny_embedder
    return opened


def test_rows_that_all_say_service_unavailable_stop_their_source(workspace: Workspace) -> None:
    assert screen(workspace, "desk").passed
    write(workspace.settings.home, "'Service unavailable'")
    read(workspace)
    report = screen(workspace, "desk")
    assert {"errors", "alike", "shorter"} <= {*names(report)} and report.statistics["documents"] == 1
    write(
        workspace.settings.home, body="'# Ticket ' || id || char(10) || id * 7 || ' pumps were counted in hall ' || id"
    )
    assert [one.examples[0].after for one in report.anomalies if one.name == "errors"] == ["Service unavailable"]


def test_a_leave_with_the_sync_lets_this_state_pass_and_no_other(workspace: Workspace) -> None:
    write(workspace.settings.home, "'Service unavailable ' || id")
    report = sync(workspace, ["desk"], gate=FixedGate(workspace), allow_mass_change=True)
    assert report.published and not report.held_sources and not workspace.holds.active()
    assert workspace.versions.live().catalog.documents("text")["text"].str.contains("unavailable").all()
    write(workspace.settings.home, "case when id < 6 then '' else body end")
    assert sync(workspace, ["desk"], gate=FixedGate(workspace)).held_sources.keys() == {"desk"}
    assert not any(run.published for run in workspace.statistics.runs("desk", 2)), "what was let pass is not learnt"


def test_lost_permissions_are_not_believed_until_somebody_says_so(workspace: Workspace) -> None:
    """Who may read is asked when somebody searches: what nobody believes must not open what is live."""

    def readers() -> set[str]:
        said = workspace.store.read("access", "desk")["principals"].to_list()
        return {who for row in said for who in row or [PUBLIC]}

    let_read(workspace, "staff")
    publish(workspace)
    assert readers() == {"staff"}
    let_read(workspace)
    report = screen(workspace, "desk")
    assert names(report) == ["readers"] and report.anomalies[0].examples[0].before.startswith("(readers: staff)")
    assert readers() == {"staff"}
    workspace.holds.permit("desk", report.state, who="ann", why="they are public now")
    let_read(workspace)
    assert readers() == {PUBLIC}


def test_readers_that_people_set_are_believed(workspace: Workspace) -> None:
    settings = workspace.settings.home / "rag.toml"
    said = settings.read_text()
    for readers in ("staff", "*"):
        settings.write_text(said.replace('kind = "sql"', f'kind = "sql"\nprincipals = ["{readers}"]'))
        opened = open_workspace(workspace.settings.home)
        opened.embedder = workspace.embedder
        publish(opened)
        assert opened.store.read("documents", "desk")["principals"].explode().unique().to_list() == [readers]
    assert not any(run.shares for run in opened.statistics.runs("desk"))


def test_what_was_published_is_learnt(workspace: Workspace) -> None:
    for edit in range(2):
        write(workspace.settings.home, f"body || ' Checked {edit}.'")
        publish(workspace)
    read(workspace)
    runs = workspace.statistics.runs("desk")
    assert [(run.changed, run.published) for run in runs] == [(0, False), (12, True), (12, True), (12, True)]
    assert screen(workspace, "desk").passed


def test_an_older_state_of_the_rows_is_a_stale_cache(workspace: Workspace) -> None:
    write(workspace.settings.home, "body || ' Checked.'")
    publish(workspace)
    write(workspace.settings.home, "replace(body, ' Checked.', '')")
    read(workspace)
    assert names(screen(workspace, "desk")) == ["stale"]
