"""The handbook tells the truth: every setting and command is in it, its links lead somewhere, its questions hold."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import typer
from pydantic import BaseModel

from evals.gate import objections
from evals.measures import integrity, intervals
from rag_platform.cli import app
from rag_platform.cli.commands import load_command
from rag_platform.config import settings as settings_module
from rag_platform.config.sections.section import Section
from rag_platform.config.sections.sources import SourceSettings
from rag_platform.config.settings import Settings
from rag_platform.config.settings_file import load_settings
from rag_platform.config.source_kinds import BUILT_IN, kind_of
from rag_platform.documents.options import Limits
from rag_platform.index.build import canaries
from rag_platform.reranking.late_interaction import LateInteraction
from rag_platform.text.abstention import ABSTENTIONS
from rag_platform.text.analysis.selftest import SENTENCES

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = [*sorted(DOCS.rglob("*.md")), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))]
QUESTION_SET = ROOT / "evals/questions/handbook.jsonl"
QUESTIONS = [json.loads(line) for line in QUESTION_SET.read_text(encoding="utf-8").split("\n") if line]

SECTIONS = [
    made
    for made in [*vars(settings_module).values(), *(kind_of(name).settings for name in BUILT_IN)]
    if isinstance(made, type) and issubclass(made, BaseModel) and made not in (BaseModel, Section, Settings)
]
FIELDS = [(section.__name__, name) for section in SECTIONS for name in section.model_fields]
TABLES = [name for name in Settings.model_fields if name != "home"]


def commands(command: click.Command, path: str = "rag") -> Iterator[tuple[str, click.Command]]:
    """Yield every command that does something, with the words that call it."""
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            inner = load_command(name) if path == "rag" else command.commands[name]
            yield from commands(inner, f"{path} {name}")
    else:
        yield path, command


COMMANDS = dict(commands(typer.main.get_command(app)))
OPTIONS = [
    (path, parameter)
    for path, command in COMMANDS.items()
    for parameter in command.params
    if isinstance(parameter, click.Option) and parameter.name != "help"
]


def section_of(page: str, heading: str) -> str:
    """Return a page's text from that heading to the next of its level or above."""
    text = (DOCS / page).read_text(encoding="utf-8")
    level = len(heading) - len(heading.lstrip("#"))
    start = re.search(rf"^{re.escape(heading)}$", text, re.MULTILINE)
    assert start, f"docs/{page} has no heading {heading!r}"
    end = re.compile(rf"^#{{1,{level}}} ", re.MULTILINE).search(text, start.end())
    return text[start.start() : end.start() if end else None]


def folded(text: str) -> str:
    return " ".join(text.split())


# --- settings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("section", "name"), FIELDS, ids=[".".join(field) for field in FIELDS])
def test_every_setting_is_in_the_handbook(section, name):
    tables = {"PromptSettings": "prompts"} | {
        kind.__name__: table
        for table, field in Settings.model_fields.items()
        for kind in type(field.get_default(call_default_factory=True)).__mro__
        if kind.__module__.startswith("rag_platform.config.sections") and kind is not Section
    }
    text = section_of("settings.md", f"## [{tables[section]}]" if section in tables else "## [[sources]]")
    assert f"`{name}`" in text, f"docs/settings.md does not explain {name} of {section}"


@pytest.mark.parametrize("table", TABLES)
def test_every_table_of_the_settings_has_a_section(table):
    assert section_of("settings.md", "## [[sources]]" if table == "sources" else f"## [{table}]")


def test_the_defaults_in_the_handbook_are_those_of_the_code():
    wrong = []
    for table, field in Settings.model_fields.items():
        if table in ("home", "sources", "models", "generators", "prompts"):  # the last three hold tables
            continue
        text = section_of("settings.md", f"## [{table}]")
        for name, inner in field.default.__class__.model_fields.items():
            stated = re.search(rf"^- `{name}` \((.+?)\):", folded_items(text), re.MULTILINE)
            if not stated or not default_is(stated[1], inner.default):
                wrong.append(f"[{table}] {name}: {stated and stated[1]!r}, in the code {inner.default!r}")
    assert not wrong


def folded_items(text: str) -> str:
    """Put each item of a list on one line."""
    return re.sub(r"\n {2}(?=\S)", " ", text)


def default_is(stated: str, default: object) -> bool:
    if default in (None, "", (), {}):
        return stated in ("no default", "default none")
    said = stated.removeprefix("default ").split(", at ")[0].strip("`").replace(",", "")
    if isinstance(default, bool):
        return said == str(default).lower()
    if isinstance(default, int | float):
        return float(said) == default
    if isinstance(default, tuple):
        return said == " ".join(default)
    return said.removesuffix("(+…)").strip() == str(default).split(" (")[0]


HEADINGS = {
    "folder": "## Folders",
    "feed": "## Feeds",
    "web": "## Web pages",
    "portal": "## Portals",
    "sql": "## Databases",
    "objects": "## Object storage",
    "dlt": "## Other libraries",
    "llamahub": "## Other libraries",
    "git": "## Git repositories",
    "imap": "## Mailboxes",
    "mediawiki": "## MediaWiki",
    "webdav": "## WebDAV and Nextcloud",
    "store": "## Stores of other systems",
    "upload": "## Uploads",
}


@pytest.mark.parametrize("kind", BUILT_IN)
def test_the_kinds_of_source_are_described_with_all_their_keys(kind):
    text = section_of("sources.md", HEADINGS[kind])
    own = set(kind_of(kind).settings.model_fields) - set(SourceSettings.model_fields)
    assert {name for name in own if f"`{name}`" not in text} == set()


# --- the command line ---------------------------------------------------------------------------------


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_is_in_the_handbook_and_has_help(path):
    assert f"`{path}" in (DOCS / "cli.md").read_text(encoding="utf-8"), f"docs/cli.md does not explain `{path}`"
    assert COMMANDS[path].help, f"`{path}` has no help"


@pytest.mark.parametrize(("path", "option"), OPTIONS, ids=[f"{path} {option.opts[0]}" for path, option in OPTIONS])
def test_every_option_is_in_the_handbook_and_has_help(path, option):
    assert option.help, f"{path} {option.opts[0]} has no help"
    heading = "## " + " ".join(path.split()[:2])
    written = section_of("cli.md", heading) + section_of("cli.md", "## What all commands share")
    assert any(name in written for name in option.opts), f"docs/cli.md does not explain {option.opts} of `{path}`"


def test_the_handbook_names_no_command_that_is_not_there():
    known = {" ".join(path.split()[:2]) for path in COMMANDS}
    for page in PAGES:
        for line in re.findall(r"(?:^|`)(rag (?:--home \S+ )?[a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert re.sub(r"--home \S+ ", "", line) in known, f"{page.name}: {line!r}"


# --- pages --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_links_lead_somewhere(page):
    for target in re.findall(r"(?<!!)\[[^\]]*\]\(([^)]+)\)|!\[[^\]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        link = target[0] or target[1]
        if re.match(r"\w+:", link):
            continue
        path, _, anchor = link.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), f"{page.name}: {link}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", found.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
            assert anchor in anchors, f"{page.name}: {link}"


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_examples_of_settings_are_accepted(page, tmp_path, monkeypatch):
    for number, block in enumerate(re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)):
        if block.startswith("[") and _is_of_rag_toml(block):
            home = tmp_path / str(number)
            home.mkdir()
            (home / "rag.toml").write_text(_complete(block), encoding="utf-8")
            assert load_settings(home)


def _is_of_rag_toml(block: str) -> bool:
    """Tell it from a package's own file, and from a kind of source that only a package would add."""
    content = tomllib.loads(block)
    kinds = [source.get("kind", "folder") for source in content.get("sources", [])]
    return "project" not in content and all(kind in BUILT_IN for kind in kinds)


def _complete(block: str) -> str:
    """Add what an example about permissions leaves out."""
    needed = {"sql": {"url": "sqlite:///x.db", "query": "select 1 as id", "key": "id", "template": "{id}"}}
    source = (tomllib.loads(block).get("sources") or [{}])[0]
    missing = {key: value for key, value in needed.get(source.get("kind"), {}).items() if key not in source}
    return block + "".join(f"{key} = {json.dumps(value)}\n" for key, value in missing.items())


def test_the_readme_leads_to_every_page_of_the_handbook():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    absent = [page.name for page in DOCS.glob("*.md") if f"docs/{page.name}" not in readme]
    assert not absent


# --- the demo's questions -----------------------------------------------------------------------------


def test_there_are_enough_questions_of_both_kinds():
    assert len(QUESTIONS) >= 60
    assert 8 <= sum(not question["answerable"] for question in QUESTIONS) <= len(QUESTIONS) / 4
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize("question", QUESTIONS, ids=[question["id"] for question in QUESTIONS])
def test_quotes_stand_in_their_documents(question):
    assert bool(question["relevant"]) == question["answerable"]
    for label in question["relevant"]:
        page = DOCS / label["uri"].removeprefix("handbook/")
        assert folded(label["quote"]) in folded(page.read_text(encoding="utf-8")), label


# --- numbers ------------------------------------------------------------------------------------------


def test_the_example_of_a_source_has_under_a_hundred_lines():
    """README promises it of a kind of source of one's own."""
    assert len((ROOT / "examples/plugin/rag_source_mediawiki.py").read_text(encoding="utf-8").splitlines()) < 100
    assert "under 100 lines" in (ROOT / "README.md").read_text(encoding="utf-8")


IN_WORDS = {3: "three", 6: "six", 8: "eight", 50: "fifty"}


def test_the_numbers_of_the_text_are_those_of_the_code():
    sandbox = Limits()
    stated = [
        ("architecture.md", f"compares the best {IN_WORDS[LateInteraction.depth]} word by word"),
        ("architecture.md", f"written from the best {IN_WORDS[Settings.model_fields['answer'].default.sources]} hits"),
        ("answers.md", f"in {len(ABSTENTIONS)} languages; in doubt in English"),
        ("evaluation.md", f"more than a tenth of {integrity._PROBED} sampled vectors"),
        ("evaluation.md", f"on up to {IN_WORDS[integrity._TIMED]} of the questions"),
        ("evaluation.md", f"more than {IN_WORDS[int(objections.SLOWER)]} times as long"),
        ("evaluation.md", f"more than {objections.SLOWER_BY_MS} milliseconds longer"),
        ("evaluation.md", f"owns documents (at most {canaries.MOST})"),
        ("evaluation.md", f"drawn again {intervals._DRAWS:,} times"),
        ("operating.md", f"{sandbox.seconds:.0f} seconds for a document and {sandbox.memory >> 30} GB of memory"),
        ("retrieval.md", f"a sentence in each of {len(SENTENCES)} languages"),
    ]
    assert not [(page, text) for page, text in stated if text not in folded((DOCS / page).read_text(encoding="utf-8"))]


def test_the_makefile_says_how_many_packages_are_installed():
    said = re.search(r"about (\d+) packages", (ROOT / "Makefile").read_text(encoding="utf-8"))
    pinned = re.findall(r"^\S+==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert said
    assert abs(int(said[1]) - len(pinned)) <= 20
