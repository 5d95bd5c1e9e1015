"""`rag search` through a program that runs already prints what it prints by itself."""

import json
import os
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rag_platform.cli import app, console
from rag_platform.cli.ask.served_searches import listen
from rag_platform.operations.serving import asking
from rag_platform.operations.serving.asking import FOLDER, ask_server
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace, open_workspace

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets in the file system here")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, tiny_model_folder: Path) -> Path:
    made = tmp_path_factory.mktemp("a folder whose name is longer than that of any socket may be " * 2)
    (made / "files").mkdir()
    (made / "files" / "ferry.md").write_text("# The ferry\n\nThe ferry runs until dusk. Its captain is Ada.\n")
    model = f'[model]\nname = "tiny"\nfolder = "{tiny_model_folder}"\n'
    (made / "rag.toml").write_text(model + '[[sources]]\nid = "files"\nkind = "folder"\npath = "files"\n')
    publish(open_workspace(made))
    return made


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine answers late."""
    monkeypatch.setattr(asking, "_HEARD", 30.0)


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Workspace]:
    opened = open_workspace(home)
    opened.interface = "page"
    listen(opened)
    yield opened


def publish(opened: Workspace) -> None:
    pipeline = Pipeline(opened)
    pipeline.sync_source("files")
    opened.versions.promote(pipeline.build().version, why="test")


def cold(home: Path, *arguments: str) -> str:
    done = CliRunner().invoke(app, ["--home", str(home), *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_it_prints_what_the_command_prints_itself(home: Path, server: Workspace) -> None:
    found = ask_server(["--home", str(home), "search", "When does the ferry run?", "-k", "3"])
    assert found and "until dusk" in found
    assert _untimed(found) == _untimed(cold(home, "search", "When does the ferry run?", "-k", "3"))


def test_its_json_is_the_same(home: Path, server: Workspace) -> None:
    arguments = ("search", "ferry", "--mode", "lexical", "--explain", "--json")
    told = [json.loads(found) for found in (ask_server(["--home", str(home), *arguments]), cold(home, *arguments))]
    assert told[0].pop("took_ms") and told[1].pop("took_ms") and told[0]["hits"]
    assert told[0] == told[1]


def test_the_audit_tells_that_it_came_by_the_command_line(home: Path, server: Workspace) -> None:
    assert ask_server(["--home", str(home), "search", "the captain, for the audit"])
    (entry,) = [one for one in server.audit.events() if one.question == "the captain, for the audit"]
    assert entry.who and entry.who["interface"] == "cli"


@pytest.mark.parametrize("wrong", [["--mode", "no such mode"], ["--source", "nobody"], ["-k", "0"], ["--help"]])
def test_what_is_wrong_is_left_to_the_command_to_tell(home: Path, server: Workspace, wrong: list[str], capfd) -> None:
    assert ask_server(["--home", str(home), "search", "ferry", *wrong]) is None
    assert capfd.readouterr() == ("", "")  # nor does the server print it


def test_another_command_is_not_asked_for(home: Path, server: Workspace) -> None:
    assert ask_server(["--home", str(home), "index", "list"]) is None


def test_settings_that_the_server_has_not_read_are_not_ignored(
    home: Path, server: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAG_RETRIEVAL__MODE", "lexical")
    assert ask_server(["--home", str(home), "search", "ferry"]) is None


def test_without_a_server_the_command_searches_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask_server(["--home", str(tmp_path), "search", "ferry"]) is None
    (tmp_path / FOLDER).mkdir(parents=True)
    left = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    monkeypatch.chdir(tmp_path / FOLDER)  # the name of a socket must be short
    left.bind("1-killed")
    left.close()
    assert ask_server(["--home", str(tmp_path), "search", "ferry"]) is None


def test_a_server_that_is_stopped_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / FOLDER).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)  # a short name
    monkeypatch.setattr(asking, "_HEARD", 0.05)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stopped:
        stopped.bind(f"{FOLDER}/1-stopped")
        stopped.listen()
        assert ask_server(["search", "ferry"]) is None


def test_the_servers_of_another_user_are_told_nothing(
    home: Path, server: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getuid", lambda: home.stat().st_uid + 1)
    assert ask_server(["--home", str(home), "search", "ferry"]) is None


def test_it_is_as_wide_as_the_command_prints_itself(
    home: Path, server: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda *_: os.terminal_size((20, 50)))
    monkeypatch.setenv("COLUMNS", "200")  # which counts for more
    monkeypatch.setattr(console.out, "_width", None)  # what it was when the module was imported
    arguments = ("search", "ferry", "--explain")
    assert _untimed(ask_server(["--home", str(home), *arguments]) or "") == _untimed(cold(home, *arguments))


def test_what_is_printed_for_another_process_is_not_what_this_one_printed(
    home: Path, server: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "_printed", [])
    assert ask_server(["--home", str(home), "search", "ferry", "--json"])
    assert not console.printed_json()


def test_what_another_process_has_just_published_is_found(home: Path, server: Workspace) -> None:
    assert server.versions.live()
    (home / "files" / "heron.md").write_text("# Herons\n\nHerons nest in the reeds below the mill.\n")
    publish(open_workspace(home))
    assert "herons" in (ask_server(["--home", str(home), "search", "herons in the reeds"]) or "").lower()


def test_a_changed_rag_toml_ends_it(home: Path) -> None:
    opened = open_workspace(home)
    listen(opened)
    path = home / "rag.toml"
    os.utime(path, ns=(time.time_ns(), time.time_ns()))
    for _ in range(3):
        assert ask_server(["--home", str(home), "search", "ferry"]) is None


def _untimed(printed: str) -> str:
    return re.sub(r"\d+ ms", "ms", printed)
