"""`rag acl`: who may read what, decided and shown on the command line, in effect in programs that run already."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rag_platform.cli import app
from rag_platform.core.errors import NotFound, RuleRefused, SettingsError
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.index.releases.release_log import acting_user
from rag_platform.workspace import Workspace, open_workspace
from tests.access.conftest import found, release, write_toml
from tests.copies import copy_of
from tests.test_command_line import ROOT

BOTH = {"ferry.md", "weir.md"}


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: OnnxEmbedder) -> Path:
    home = tmp_path_factory.mktemp("acl") / "home"
    (home / "notes").mkdir(parents=True)
    write_toml(home)
    (home / "notes" / "ferry.md").write_text("# Ferry\n\nThe ferry leaves at six from the jetty.")
    (home / "notes" / "weir.md").write_text("# Weir\n\nThe weir is opened by two wardens in spring.")
    release(_opened(home, tiny_embedder))
    return home


@pytest.fixture
def running(synced: Path, tmp_path: Path, tiny_embedder: OnnxEmbedder) -> Workspace:
    """A workspace as a program holds it that runs already, and has answered."""
    workspace = _opened(copy_of(synced, tmp_path / "home"), tiny_embedder)
    assert found(workspace) == BOTH
    return workspace


def _opened(home: Path, embedder: OnnxEmbedder) -> Workspace:
    workspace = open_workspace(home)
    workspace.embedder = embedder
    return workspace


def acl(workspace: Workspace, *arguments: str) -> str:
    """Run `rag acl` here: a process of its own takes two seconds. Returns its stdout; its error is raised."""
    done = CliRunner().invoke(app, ["--home", str(workspace.settings.home), "acl", *arguments], terminal_width=200)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def acl_json(workspace: Workspace, *arguments: str):
    return json.loads(acl(workspace, *arguments, "--json"))


def test_a_document_is_closed_shown_and_opened_again(running: Workspace) -> None:
    set_to = acl_json(running, "set", "weir.md", "--deny", "*", "--deny", "user:otto", "--why", "a secret")
    assert (set_to["readers"], set_to["named_by"], set_to["denied"]) == (["*"], "its source", ["*", "user:otto"])
    assert [(one["effect"], one["principal"], one["why"], one["who"]) for one in set_to["rules"]] == [
        ("deny", "*", "a secret", acting_user()),
        ("deny", "user:otto", "a secret", acting_user()),
    ]
    assert found(running) == {"ferry.md"} == found(running, "user:ilse")
    assert not acl_json(running, "show", "weir.md", "--as", "user:ilse")["may_read"]
    told = acl(running, "show", "weir.md", "--as", "user:ilse")
    assert "is for everyone, as its source says" in told and "but not for everyone, user:otto" in told
    assert "they may not read it" in told

    left = acl_json(running, "remove", "weir.md", "--principal", "*", "--why", "only otto")
    assert left["denied"] == ["user:otto"]
    assert found(running) == BOTH and found(running, "user:otto") == BOTH - {"weir.md"}
    assert acl_json(running, "show", "weir.md", "--as", "user:ilse")["may_read"]
    assert not acl_json(running, "remove", "weir.md", "--why", "nobody")["rules"]
    assert found(running, "user:otto") == BOTH
    with pytest.raises(NotFound, match="no rule about document"):
        acl(running, "remove", "weir.md", "--why", "again")


def test_rules_about_sources_collections_and_addresses(running: Workspace) -> None:
    (rule,) = acl_json(running, "set", "source:notes", "--allow", "group:crew", "--why", "crew only")
    assert (rule["target"], rule["effect"], rule["principal"]) == ("source notes", "allow", "group:crew")
    assert found(running) == set() and found(running, "group:crew") == BOTH
    acl(running, "set", "*weir*", "--source", "notes", "--allow", "*", "--why", "the weir is open")
    assert found(running) == {"weir.md"}
    acl(running, "set", "collection:default", "--deny", "user:otto", "--why", "out")
    assert found(running, "user:otto") == set()
    rules = acl_json(running, "show")
    assert [one["target"] for one in rules] == ["source notes", "collection default", "address *weir* of notes"]
    assert acl_json(running, "show", "source:notes") == rules[:1]
    assert all(part in acl(running, "show") for part in ("*weir*", "group:crew", "crew only"))


def test_a_rule_that_has_ended_closes_what_it_allowed_and_frees_whom_it_denied(running: Workspace) -> None:
    ended = ("--until", "2020-01-01T00:00:00+00:00", "--why", "until then")
    shown = acl_json(running, "set", "weir.md", "--allow", "user:ilse", *ended)
    assert (shown["readers"], shown["rules"][0]["until"]) == ([], "2020-01-01T00:00:00+00:00")
    acl(running, "set", "ferry.md", "--deny", "*", *ended)
    assert found(running, "user:ilse") == {"ferry.md"}
    assert "is for nobody" in acl(running, "show", "weir.md")
    acl(running, "set", "weir.md", "--allow", "user:ilse", "--until", "2999-01-01", "--why", "longer")
    assert found(running, "user:ilse") == BOTH and found(running) == {"ferry.md"}


def test_groups_are_made_of_members(running: Workspace) -> None:
    acl(running, "set", "source:notes", "--allow", "group:board", "--why", "the board's")
    joined = acl_json(running, "groups", "add", "group:board", "user:ilse", "group:chairs", "--why", "elected")
    assert [(one["name"], one["member"], one["why"]) for one in joined] == [
        ("group:board", "group:chairs", "elected"),
        ("group:board", "user:ilse", "elected"),
    ]
    assert found(running, "user:ilse") == BOTH == found(running, "group:chairs")
    assert "group:chairs" in acl(running, "groups", "list")
    assert [one["member"] for one in acl_json(running, "groups", "remove", "group:board", "user:ilse")] == [
        "group:chairs"
    ]
    assert found(running, "user:ilse") == set()


def test_the_log_tells_every_change(running: Workspace) -> None:
    acl(running, "set", "source:notes", "--allow", "group:crew", "--deny", "user:otto", "--why", "crew")
    acl(running, "groups", "add", "group:crew", "user:ilse")
    acl(running, "remove", "source:notes", "--why", "a mistake")
    lines = [json.loads(line) for line in acl(running, "log", "--jsonl").splitlines()]
    assert [one["action"] for one in lines] == ["allow", "deny", "join", "remove", "remove"]
    assert {one["who"] for one in lines} == {acting_user()} and lines[-1]["why"] == "a mistake"
    assert lines[0]["target"] == "source notes" and lines[0]["about"] == {"principal": "group:crew", "until": None}
    assert acl_json(running, "log", "--limit", "2") == lines[:-3:-1], "the newest first"
    assert "user:ilse" in acl(running, "log")


def test_what_is_meant_by_nothing_is_refused(running: Workspace) -> None:
    for error, arguments in (
        (NotFound, ("set", "none.md", "--deny", "*")),
        (SettingsError, ("set", "source:none", "--deny", "*")),
        (RuleRefused, ("set", "weir.md")),
        (RuleRefused, ("set", "weir.md", "--deny", "*", "--allow", "*")),
    ):
        with pytest.raises(error):
            acl(running, *arguments, "--why", "a test")
    assert acl_json(running, "log") == [] and found(running) == BOTH


def test_a_process_of_its_own_closes_it_for_one_that_runs_and_no_rollback_opens_it(running: Workspace) -> None:
    first = running.versions.live_id()
    command = [sys.executable, "-m", "rag_platform", "--home", str(running.settings.home)]
    command += ["acl", "set", "weir.md", "--deny", "*", "--why", "a secret"]
    subprocess.run(command, cwd=ROOT, env=os.environ, check=True, capture_output=True, timeout=120)
    assert found(running) == {"ferry.md"}
    (running.settings.home / "notes" / "ferry.md").write_text("# Ferry\n\nThe ferry leaves at seven.")
    release(running)
    running.versions.rollback(first, why="a test")
    assert found(running) == {"ferry.md"}
