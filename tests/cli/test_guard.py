"""`rag guard` in real repositories, and rules about files through a real sync."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rag_platform.config.settings_file import load_settings
from rag_platform.core.errors import SettingsError
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace

RAG_TOML = """
[[sources]]
id = "desk"
kind = "folder"
path = "desk"
private = true
principals = ["group:desk"]

[[sources]]
id = "notes"
kind = "folder"
path = "notes"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "rag.toml").write_text(RAG_TOML)
    for name in ("desk", "notes"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.md").write_text("# A\n\nSome words about something of the river.\n")
    return tmp_path


def _git(home: Path, *arguments: str) -> None:
    alone = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", "-C", str(home), *arguments], check=True, capture_output=True, env=alone)


def _guard(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rag_platform", "--home", str(home), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


def test_what_is_private_made_or_secret_is_refused_in_git(home: Path) -> None:
    assert _guard(home, "guard").returncode == 0  # no repository: nothing can be committed
    _git(home, "init")
    with open_workspace(home).store.lock("notes"):
        assert (home / "data" / ".gitignore").read_text() == "*\n"
    (home / ".env").write_text("DB_PASSWORD=x")
    (home / ".env.example").write_text("DB_PASSWORD=")
    _git(home, "add", "notes", "rag.toml", ".env.example")
    assert _guard(home, "guard").returncode == 0
    _git(home, "add", ".")
    _git(home, "add", "-f", "data/.gitignore")
    refused = _guard(home, "guard", "--json")
    assert refused.returncode == 1
    paths = {Path(one["path"]).relative_to(home).as_posix(): one["why"] for one in json.loads(refused.stdout)}
    assert paths.keys() == {"desk/a.md", "data/.gitignore", ".env"}
    assert "'desk' is private" in paths["desk/a.md"]
    told = _guard(home, "doctor")
    assert "3 files are in git" in told.stdout and told.returncode == 1
    _git(home, "rm", "-r", "--cached", "-f", "desk", "data", ".env")
    assert _guard(home, "guard").returncode == 0


def test_a_private_source_must_say_for_whom(home: Path) -> None:
    (home / "rag.toml").write_text(RAG_TOML.replace('principals = ["group:desk"]\n', ""))
    with pytest.raises(SettingsError, match=r"sources\[desk\].*private = true and principals"):
        load_settings(home)


def _documents(home: Path) -> dict[str, dict]:
    pipeline = Pipeline(open_workspace(home))
    pipeline.fetch("notes")
    pipeline.extract("notes")
    rows = pipeline.store.read("documents", "notes").iter_rows(named=True)
    return {row["uri"].removeprefix("notes/"): row for row in rows}


def test_of_the_rules_that_match_the_last_says_who_may_read_a_file_and_what_it_is(home: Path) -> None:
    (home / "notes" / "desk").mkdir()
    for name in ("one", "two"):
        (home / "notes" / "desk" / f"{name}.md").write_text(f"# {name}\n\nThe plan of the desk, part {name}.\n")
    plain = _documents(home)
    assert {tuple(row["principals"]) for row in plain.values()} == {("*",)}
    rules = """
[[sources.rules]]
match = "desk/**"
principals = ["desk"]
type = "plan"
tags = ["old"]

[[sources.rules]]
match = "desk/two.md"
owner = "asha"
tags = ["new", "draft"]
"""
    (home / "rag.toml").write_text(RAG_TOML + rules)
    found = _documents(home)
    facts = {name: (row["principals"], row["type"], row["owner"], row["tags"]) for name, row in found.items()}
    assert facts == {
        "a.md": (["*"], "markdown", None, []),
        "desk/one.md": (["desk"], "plan", None, ["old"]),
        "desk/two.md": (["desk"], "plan", "asha", ["draft", "new"]),
    }
    (home / "rag.toml").write_text(RAG_TOML)
    again = _documents(home)
    names = ("principals", "type", "owner", "tags", "text", "doc_id")
    assert [[row[name] for name in names] for row in again.values()] == [
        [row[name] for name in names] for row in plain.values()
    ]


def test_front_matter_narrows_who_may_read_and_never_widens(home: Path) -> None:
    def write(name: str, front: str) -> None:
        (home / "notes" / f"{name}.md").write_text(f"---\n{front}\n---\n# {name}\n\nWords of the note {name}.\n")

    write("mine", "private: true\nowner: asha\ntype: diary\ntags: [river, mill]")
    write("nobodys", "private: yes")
    write("open", "private: false\nowner: asha\nprincipals: ['*']")
    found = _documents(home)
    assert found["mine.md"]["principals"] == ["asha"]
    assert (found["mine.md"]["type"], found["mine.md"]["tags"]) == ("diary", ["mill", "river"])
    assert found["nobodys.md"]["principals"] == ["private"]
    assert (found["open.md"]["principals"], found["open.md"]["owner"]) == (["*"], "asha")
    narrow = RAG_TOML.replace('path = "notes"\n', 'path = "notes"\nprincipals = ["ilse"]\n')
    (home / "rag.toml").write_text(narrow)
    found = _documents(home)
    assert found["mine.md"]["principals"] == ["private"]  # asha may not read the source
    assert found["open.md"]["principals"] == ["ilse"]


def test_a_push_is_refused_for_what_any_of_its_commits_holds(
    home: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The index is clean by then: what counts is what goes out."""
    remote = tmp_path_factory.mktemp("remote")
    _git(remote, "init", "--bare")
    _git(home, "init", "-b", "main")
    _git(home, "remote", "add", "origin", str(remote))
    hook = home / ".git" / "hooks" / "pre-push"
    hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rag_platform --home "{home}" guard --push "$@"\n')
    hook.chmod(0o755)

    def commit(*names: str) -> None:
        _git(home, "add", "-A", "--", *names)
        _git(home, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-m", "x")

    def pushed() -> str:
        command = ["git", "-C", str(home), "push", "-u", "origin", "main"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    commit("notes", "rag.toml")
    assert "private" not in pushed()
    assert subprocess.run(["git", "-C", str(remote), "rev-parse", "main"], capture_output=True, check=True).stdout
    commit("desk")
    _git(home, "rm", "-r", "-q", "--cached", "desk")
    commit("notes")
    assert _guard(home, "guard").returncode == 0  # the index holds nothing of it
    assert "desk/a.md: the source 'desk' is private" in pushed()
    _git(home, "reset", "-q", "--soft", "HEAD~2")
    (home / "notes" / "a.md").write_text("# A\n\nOther words about something of the river.\n")
    commit("notes")
    assert "private" not in pushed()
    _git(home, "push", "origin", ":main")  # what is deleted carries nothing
