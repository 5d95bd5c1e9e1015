"""The list of commands: helps that are the commands' own, few imports, and one voice for what is mistyped."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rag_platform.cli.commands import COMMANDS, load_command
from tests.rag_commands import run_rag

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    "dagster", "duckdb", "feedparser", "httpx", "limits", "lxml", "numpy", "onnx", "onnxruntime", "openai", "polars",
    "pyarrow", "pydantic", "sqlalchemy", "starlette", "streamlit", "tantivy", "tokenizers", "trafilatura", "usearch",
}  # fmt: skip


def rag(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `rag` as Python starts it; what any process says of its arguments is asked of `run_rag`, which is quicker."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100", **variables}
    return subprocess.run(
        [sys.executable, "-m", "rag_platform", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def imported(*arguments: str) -> set[str]:
    """Return the packages that a call of the command imports."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-X", "importtime", "-m", "rag_platform", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_in_the_list_is_the_help_of_the_command(name):
    assert load_command(name).help.splitlines()[0] == COMMANDS[name][1]


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["help"]], ids=" ".join)
def test_a_list_of_the_commands_imports_none_of_them(arguments):
    assert imported(*arguments) & HEAVY == set()


def test_every_command_is_listed():
    listed = rag("--help").stdout
    assert all(f"│ {name} " in listed for name in COMMANDS)


def test_a_command_is_explained_by_help_as_by_its_own_option():
    assert run_rag("help", "index", "show").stdout == run_rag("index", "show", "--help").stdout
    assert "`rag init` has no commands of its own" in run_rag("help", "init", "show", COLUMNS="100").stderr


def test_the_version_is_shown():
    assert rag("--version").stdout.startswith("rag 0.")


def test_a_shell_can_complete():
    shown = rag(_RAG_COMPLETE="complete_bash", COMP_WORDS="rag se", COMP_CWORD="1")
    assert shown.stdout.split() == ["search", "serve", "secret"]
    options = rag(_RAG_COMPLETE="complete_bash", COMP_WORDS="rag index list --j", COMP_CWORD="3")
    assert options.stdout.split() == ["--json"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serch", "x"], "No such command 'serch'; did you mean 'search'?"),
        (["index", "shwo"], "No such command 'shwo'; did you mean 'show'?"),
        (["search", "x", "--colection", "c"], "No such option '--colection'; did you mean '--collection'?"),
        (["frobnicate"], "No such command 'frobnicate'"),
    ],
)
def test_what_is_mistyped_is_named_once_with_the_nearest(arguments, message):
    done = run_rag(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0] == f"error: {message}"
    told = json.loads(run_rag(*arguments, "--json").stdout)
    assert told == {"error": {"kind": "UsageError", "message": message, "exit_code": 2}}


@pytest.mark.parametrize("arguments", [["sync"], ["ask", "x"], ["index", "list"], ["collection", "list"], ["up"]])
def test_a_mistyped_home_makes_nothing_and_says_so(arguments, tmp_path):
    home = tmp_path / "knowlege"
    done = run_rag("--home", str(home), *arguments, COLUMNS="100")
    assert done.returncode == 2
    assert f"there is no workspace in {home}" in done.stderr
    assert f"rag init {home}" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_error_is_one_document_with_json(tmp_path):
    done = run_rag("--home", str(tmp_path), "search", "x", "--json")
    told = json.loads(done.stdout)["error"]
    assert (done.returncode, told["exit_code"], told["kind"], done.stderr) == (2, 2, "SettingsError", "")
