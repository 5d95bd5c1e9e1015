"""The tree is the map: few loose modules, folders of a size one can read, each of them in docs/architecture.md."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "rag_platform"
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
TREES = [PACKAGE, ROOT / "evals", ROOT / "assets", ROOT / "app"]
FOLDERS = sorted({path.parent for tree in TREES for path in tree.rglob("*.py") if "template" not in path.parts})
SAME_ROLE = {"__init__", "stage", "settings", "source", "registry", "reader", "markdown", "definitions", "migrations"}
"""Names that mean the same wherever they stand: a stage's entry, a kind of source, the choice of a part, a format."""


def test_few_modules_lie_loose_at_the_top():
    assert len(list(PACKAGE.glob("*.py"))) <= 8


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_no_folder_holds_more_than_one_can_overlook(folder):
    modules = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
    assert len(modules) <= 15, f"{folder} holds {len(modules)} modules: group them by subject"


@pytest.mark.parametrize("folder", [folder for folder in FOLDERS if folder not in TREES], ids=lambda path: path.name)
def test_every_folder_has_its_sentence_on_the_map(folder):
    name = folder.relative_to(ROOT).as_posix()
    assert f"`{name.removeprefix('rag_platform/')}/`" in MAP, f"docs/architecture.md does not explain {name}/"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_every_package_says_what_it_is(folder):
    package = folder / "__init__.py"
    if folder.name != "views":  # Streamlit runs those as scripts
        assert ast.get_docstring(ast.parse(package.read_text(encoding="utf-8"))), f"{package} has no docstring"


def folder_of(name: str) -> Path:
    return PACKAGE / name if (PACKAGE / name).is_dir() else ROOT / name


def test_what_the_map_names_lies_in_the_folder_of_its_row():
    rows = re.findall(r"^\| `([\w/]+)/` \| (.*) \|$", MAP, re.MULTILINE)
    named = [(folder, name) for folder, text in rows for name in re.findall(r"`([\w/]+\.py)`", text)]
    assert len(named) > 20
    assert [(folder, name) for folder, name in named if not (folder_of(folder) / name).exists()] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_what_a_package_says_of_its_modules_is_true(folder):
    package = folder / "__init__.py"
    text = ast.get_docstring(ast.parse(package.read_text(encoding="utf-8"))) if package.exists() else None
    named = re.findall(r"\b[\w/]+\.py\b", text or "")
    assert [name for name in named if not [*folder.rglob(name), *ROOT.glob(name)]] == []


def test_modules_of_one_name_mean_one_thing():
    """A module name that stands in several stages names the same part of each, or is one of another application."""
    places = defaultdict(list)
    for path in (path for folder in FOLDERS for path in folder.glob("*.py") if path.is_relative_to(PACKAGE)):
        if path.stem not in SAME_ROLE and path.parts[len(PACKAGE.parts)] not in ("cli", "api", "terminal"):
            places[path.stem].append(path.relative_to(ROOT).as_posix())
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_what_goes_beyond_one_machine_is_run_by_make_test_scale():
    tests = ROOT / "tests"
    found = [*tests.glob("storage/**/test_*_contract.py"), *tests.glob("index/releases/test_*_contract.py")]
    found += [*tests.glob("index/stores/test_*.py"), *tests.glob("shards/test_*.py")]
    without = [path.name for path in found if "mark.scale" not in path.read_text(encoding="utf-8")]
    assert len(found) >= 7 and without == []
