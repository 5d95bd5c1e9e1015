"""A kind of source from another package: the example that docs/plugins.md walks through, installed and used."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from rag_platform.config.settings_file import load_settings
from rag_platform.config.source_kinds import Context, kind_of
from rag_platform.core.errors import SettingsError, SourceError
from tests.sources.wiki import Wiki
from tests.test_command_line import rag

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "examples" / "plugin" / "rag_source_mediawiki.py"
TEXTS = {
    "Weir": "The weir holds back the river for the mill.",
    "Old ferry": "The ferry crosses the river at noon.",
    "Heron": "A heron stands in the mud and waits for fish.",
}


def install(folder: Path, value: str) -> None:
    """Put an entry point where Python looks for installed packages."""
    about = folder / "rag_source_mediawiki-1.0.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: rag-source-mediawiki\nVersion: 1.0.0\n")
    (about / "entry_points.txt").write_text(f"[rag_platform.sources]\nwiki = {value}\n")


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """A folder of installed packages; whatever was imported from it is forgotten afterwards."""
    folder = tmp_path / "packages"
    folder.mkdir()
    shutil.copy(MODULE, folder)
    monkeypatch.syspath_prepend(str(folder))
    kind_of.cache_clear()
    yield folder
    kind_of.cache_clear()
    sys.modules.pop(MODULE.stem, None)


@pytest.fixture
def wiki(site):
    wiki = Wiki(site)
    for title, text in TEXTS.items():
        wiki.put(title, text)
    return wiki


@pytest.fixture
def home(tmp_path, site):
    home = tmp_path / "home"
    home.mkdir()
    (home / "rag.toml").write_text(
        '[[sources]]\nid = "wiki"\nkind = "wiki"\nmin_words = 1\n'
        f'api = "{site.url("/api.php")}"\npages = "{site.url("/wiki/{title}")}"\nfetch = {{ allow_private = true }}\n'
    )
    return home


def test_the_example_stands_whole_in_the_handbook_and_is_short():
    text = MODULE.read_text()
    assert text in (ROOT / "docs" / "plugins.md").read_text()
    assert len(text.splitlines()) < 100


def test_the_command_reads_a_wiki_by_the_installed_package(packages, wiki, home, model_folder):
    install(packages, "rag_source_mediawiki:KIND")

    def asked(*arguments):
        return json.loads(rag(home, *arguments, "--json", PYTHONPATH=str(packages)))

    first = asked("sync")
    assert first["published"] and first["sources"]["wiki"]["new"] == 3
    [hit, *_] = asked("search", "what crosses the river at noon")["hits"]
    assert (hit["title"], hit["type"], hit["uri"]) == ("Old ferry", "wiki", wiki.site.url("/wiki/Old_ferry"))
    wiki.parsed.clear()
    wiki.put("Weir", "The weir was taken down.")
    del wiki.texts["Heron"]
    plan = asked("sync", "--dry-run")["sources"]["wiki"]
    assert (plan["changed"], plan["unchanged"], plan["gone"], wiki.parsed) == (1, 1, 1, [])
    second = asked("sync")["sources"]["wiki"]
    assert (second["changed"], second["unchanged"], second["gone"], wiki.parsed) == (1, 1, 1, ["Weir"])


def test_a_wrong_setting_is_told_as_ever(packages, home):
    install(packages, "rag_source_mediawiki:KIND")
    (home / "rag.toml").write_text('[[sources]]\nid = "wiki"\nkind = "wiki"\napi = 1\n')
    with pytest.raises(SettingsError, match=r"sources\[wiki\]\.api = 1: expected text") as raised:
        load_settings(home)
    assert "sources[wiki].pages: this key is required" in str(raised.value)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("no_such_module:KIND", "'wiki' .* cannot be loaded: No module named 'no_such_module'"),
        ("rag_source_mediawiki:NAME", "cannot be loaded: .* has no attribute 'NAME'"),
        ("rag_source_mediawiki:MediaWiki", "is no rag_platform.config.source_kinds.Kind but type"),
    ],
)
def test_a_package_that_cannot_be_used_is_named(packages, home, value, told):
    install(packages, value)
    with pytest.raises(SettingsError, match=rf"sources\[wiki\]: .*{told}"):
        load_settings(home)


def test_what_one_source_raises_stops_no_other(packages, home, site, model_folder):
    (packages / "strange.py").write_text(
        "from rag_source_mediawiki import KIND as WIKI\n"
        "from rag_platform.config.source_kinds import Kind\n"
        "class Strange:\n"
        "    def list(self):\n"
        "        return {}['pages']\n"
        "KIND = Kind(WIKI.settings, lambda settings, context: Strange())\n"
    )
    install(packages, "strange:KIND")
    (packages / "playwright.py").write_text("raise ModuleNotFoundError('not installed', name='playwright')\n")
    site.pages["/"] = b"<p>made by scripts</p>"
    with (home / "rag.toml").open("a") as file:
        file.write(
            f'[[sources]]\nid = "scripts"\nkind = "web"\ncrawl = ["{site.url("/")}"]\njavascript = true\n'
            'fetch = { allow_private = true }\n[[sources]]\nid = "files"\nkind = "folder"\npath = "files"\n'
        )
    (home / "files").mkdir()
    (home / "files" / "weir.md").write_text(TEXTS["Weir"])
    for options in (["--dry-run"], []):
        told = json.loads(rag(home, "sync", *options, "--json", code=1, PYTHONPATH=str(packages)))
        assert told["sources"]["files"]["new"] == 1
        wiki, scripts = told["errors"]
        assert wiki == "wiki: unexpected KeyError: 'pages'"
        assert scripts.startswith("scripts: ")
        assert "-m pip install " in scripts and "[browser]" in scripts
    assert told["published"]


def test_a_wiki_that_breaks_is_an_error(packages, wiki, home):
    install(packages, "rag_source_mediawiki:KIND")
    settings = load_settings(home).source("wiki")
    wiki.broken = True
    with pytest.raises(SourceError, match="does not answer in JSON"):
        kind_of("wiki").open(settings, Context(home)).list()
